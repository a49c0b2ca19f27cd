import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A message, for example about a failure. */
export interface Words {
  readonly title: string;
  /** The meaning, and what people can do. */
  readonly text: string;
}

export type NoticeTone = 'info' | 'good' | 'warning' | 'bad';

interface NoticeProps extends Partial<Words> {
  readonly tone: NoticeTone;
  readonly title: string;
  /** Identifies a person's action: for a new action, the notice scrolls into view. Omitted: the page does not scroll. */
  readonly news?: unknown;
  readonly children?: ComponentChildren;
}

/** Read out when it appears. */
export function Notice({ tone, title, text = '', news, children }: NoticeProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (news !== undefined) element.current?.scrollIntoView({ block: 'nearest' });
  }, [news]);
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'} ref={element}>
      <p class="strong">{title}</p>
      {text !== '' && <p>{text}</p>}
      {children}
    </div>
  );
}
