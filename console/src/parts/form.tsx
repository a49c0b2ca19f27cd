/** Forms that ask for details before an action. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
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
  /** A form without fields: the button has the focus. */
  readonly isAlone?: boolean;
  readonly onCancel: () => void;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** When the dialog opens, and when the button is drawn later. */
  readonly takesFocus: boolean;
}

function Button({ takesFocus, ...props }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, []);
  return <button {...props} ref={button} autofocus={takesFocus} />;
}

/** The end of the form. */
export function FormButtons(props: FormButtonsProps) {
  const { submit, isReady = true, isDanger = false, isAlone = false, onCancel } = props;
  return (
    <div class="actions">
      <Button
        type="submit"
        class={isDanger ? 'danger primary' : 'primary'}
        disabled={!isReady}
        takesFocus={isAlone}
      >
        {submit}
      </Button>
      <button type="button" onClick={onCancel}>
        {texts.page.cancel}
      </button>
    </div>
  );
}

/** Closes a finished dialog, in which the button that had the focus is gone. */
export const CloseButton = ({ onClose }: { readonly onClose: () => void }) => (
  <Button type="button" class="primary" onClick={onClose} takesFocus>
    {texts.page.close}
  </Button>
);
