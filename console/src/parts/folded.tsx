import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FoldedProps {
  readonly class?: string;
  readonly summary: ComponentChildren;
  readonly isOpenAtFirst?: boolean;
  readonly children: ComponentChildren;
}

/** Draws its content when it is opened, since it may be long or need a request. */
export function Folded({ class: more = '', summary, isOpenAtFirst = false, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details class={more} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  );
}
