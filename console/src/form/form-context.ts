import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Ref } from '../schema/kinds.ts';

/** The mistakes in the form, by pointer (RFC 6901). */
export type Mistakes = ReadonlyMap<string, string>;

/** What the form is of. */
export const FormResource = createContext<Ref | undefined>(undefined);

export const FormMistakes = createContext<Mistakes>(new Map());

/** The mistake at the pointer. */
export const useMistake = (pointer: string): string | undefined => useContext(FormMistakes).get(pointer);

/** Of the element that the pointer leads to. */
export const idOf = (pointer: string): string => `field${pointer}`;

/** Moves the focus to an added entry once it is drawn. @param pointer to the entry */
export function focusAdded(pointer: string): void {
  requestAnimationFrame(() => {
    const added = document.getElementById(idOf(pointer));
    const first = added?.matches('fieldset') ? added.querySelector('input, textarea, select') : added;
    if (first instanceof HTMLElement) first.focus();
  });
}
