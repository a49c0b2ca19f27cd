import { idOf } from './form-context.ts';

/** Moves the focus to an added entry once it is drawn. @param pointer to the entry */
export function focusAdded(pointer: string): void {
  requestAnimationFrame(() => {
    const added = document.getElementById(idOf(pointer));
    const first = added?.matches('fieldset') ? added.querySelector('input, textarea, select') : added;
    if (first instanceof HTMLElement) first.focus();
  });
}
