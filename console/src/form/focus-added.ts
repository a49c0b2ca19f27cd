import { idOf } from './form-context.ts';

/** Whoever adds something goes on typing there, once it has been drawn. @param pointer to what was added */
export function focusAdded(pointer: string): void {
  requestAnimationFrame(() => {
    const added = document.getElementById(idOf(pointer));
    const first = added?.matches('fieldset') ? added.querySelector('input, textarea, select') : added;
    if (first instanceof HTMLElement) first.focus();
  });
}
