import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Called by Escape, too; omitted, the dialog stays until it is answered. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/** Modal: the browser keeps the focus in the dialog, and returns it when the dialog closes. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  const titleId = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      isLeaving.current = true;
      dialog?.close();
      // The action may remove the element that opened the dialog in the same step.
      queueMicrotask(() => {
        // An address opens a dialog while nothing has the focus.
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        // Without scrolling: the person may have scrolled on.
        (isThere ? before : document.getElementById('main'))?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={isWide ? 'wide' : ''}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // A browser closes the dialog by itself after Escape was refused a few times.
        if (isLeaving.current) return;
        if (onClose === undefined) element.current?.showModal();
        else onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
