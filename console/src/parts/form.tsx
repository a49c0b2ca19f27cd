/** Forms that ask for details before an action. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

interface AskingFormProps {
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

export const AskingForm = ({ onSubmit, children }: AskingFormProps) => (
  <form
    class="stack"
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

interface FormButtonsProps {
  /** Says what the form does. */
  readonly submit: ComponentChildren;
  readonly isReady?: boolean;
  readonly isDanger?: boolean;
  readonly onCancel: () => void;
}

/** The end of the form. */
export const FormButtons = ({ submit, isReady = true, isDanger = false, onCancel }: FormButtonsProps) => (
  <div class="actions">
    <button type="submit" class={isDanger ? 'danger primary' : 'primary'} disabled={!isReady}>
      {submit}
    </button>
    <button type="button" onClick={onCancel}>
      {texts.page.cancel}
    </button>
  </div>
);

/** Closes a finished dialog. It takes the focus, since the button that had it is gone. */
export function CloseButton({ onClose }: { readonly onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button ref={button} type="button" class="primary" autofocus onClick={onClose}>
      {texts.page.close}
    </button>
  );
}
