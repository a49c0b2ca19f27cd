import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Draft } from '../schema/drafts.ts';
import type { Field } from '../schema/fields.ts';
import type { Ref } from '../schema/kinds.ts';

/** Of whatever fills in a field. */
export interface ControlProps<F extends Field = Field> {
  readonly field: F;
  readonly value: Draft;
  /** Where it stands in the resource (RFC 6901). */
  readonly pointer: string;
  /** In the place of the field's own. */
  readonly label?: string | undefined;
  /** Inside of a list, what a field is for isn't said for each item again. */
  readonly isBrief?: boolean;
  readonly onChange: (value: Draft) => void;
}

/** The mistakes in the form, by pointer (RFC 6901). */
export type Mistakes = ReadonlyMap<string, string>;

/** A resource, and the unique name under which it is stored; undefined of a new one. */
export interface FormOf extends Ref {
  readonly storedName: string | undefined;
}

export const FormResource = createContext<FormOf | undefined>(undefined);

export const FormMistakes = createContext<Mistakes>(new Map());

/** The mistake at the pointer. */
export const useMistake = (pointer: string): string | undefined => useContext(FormMistakes).get(pointer);

/** Of the element that the pointer leads to. */
export const idOf = (pointer: string): string => `field${pointer}`;

/** Moves the focus to a field that is about to be drawn, or to the first one in it. */
export function focusDrawn(pointer: string): void {
  requestAnimationFrame(() => {
    const added = document.getElementById(idOf(pointer));
    const first = added?.matches('fieldset') ? added.querySelector('input, textarea, select') : added;
    if (first instanceof HTMLElement) first.focus();
  });
}
