import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Draft } from '../schema/drafts.ts';
import type { Field } from '../schema/fields.ts';
import type { Ref } from '../schema/kinds.ts';

/** Properties of every control of a field. */
export interface ControlProps<F extends Field = Field> {
  readonly field: F;
  readonly value: Draft;
  /** Its place in the resource (RFC 6901). */
  readonly pointer: string;
  /** Replaces the field's own label. */
  readonly label?: string | undefined;
  /** Inside a list, hints are not repeated for each item. */
  readonly isBrief?: boolean;
  readonly onChange: (value: Draft) => void;
}

/** The mistakes in the form, by pointer (RFC 6901). */
export type Mistakes = ReadonlyMap<string, string>;

/** The resource and its stored unique name. */
export interface FormOf extends Ref {
  readonly storedName: string | undefined;
  readonly isNew: boolean;
}

export const FormResource = createContext<FormOf | undefined>(undefined);

/** Whether it is shown, but cannot be changed. In a new resource, a caller may set everything that the access profile shows. */
export const isFixed = ({ isReadOnly, isLocked }: Field, of: FormOf | undefined): boolean =>
  isReadOnly || (isLocked && of?.isNew === false);

export const FormMistakes = createContext<Mistakes>(new Map());

/** The mistake at the pointer. */
export const useMistake = (pointer: string): string | undefined => useContext(FormMistakes).get(pointer);

/** The id of the element of a pointer. */
export const idOf = (pointer: string): string => `field${pointer}`;

/** Moves the focus to a field that is about to be drawn, or to the first one in it. */
export function focusDrawn(pointer: string): void {
  requestAnimationFrame(() => {
    const added = document.getElementById(idOf(pointer));
    const first = added?.matches('fieldset') ? added.querySelector('input, textarea, select') : added;
    if (first instanceof HTMLElement) first.focus();
  });
}

/** The id of the suggestions for the items of a list. @param path of the field */
export const knownId = (path: string): string => `known-${path}`;
