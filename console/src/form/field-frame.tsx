import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';
import { idOf, useMistake } from './form-context.ts';

/** What is wrong, beside what it is wrong with. */
export function Mistake({ pointer }: { readonly pointer: string }) {
  const mistake = useMistake(pointer);
  return mistake === undefined ? null : (
    <span class="mistake" id={`${idOf(pointer)}-mistake`}>
      {mistake}
    </span>
  );
}

/** Of the element that is filled in. */
export interface FieldAttributes {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
}

export function useFieldAttributes(pointer: string, hasHint: boolean): FieldAttributes {
  const isWrong = useMistake(pointer) !== undefined;
  const id = idOf(pointer);
  const described = [...(hasHint ? [`${id}-hint`] : []), ...(isWrong ? [`${id}-mistake`] : [])].join(' ');
  return {
    id,
    ...(isWrong ? { 'aria-invalid': true } : {}),
    ...(described === '' ? {} : { 'aria-describedby': described }),
  };
}

interface FieldFrameProps {
  readonly pointer: string;
  readonly label: string;
  /** Empty: none. */
  readonly hint: string;
  readonly isRequired?: boolean;
  readonly isWide?: boolean;
  /** What is found out while it is filled in. */
  readonly status?: ComponentChildren;
  /** Draws what is filled in. A function, since a component more for each of hundreds of fields is a wait. */
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

/** A label, what is filled in, what it is for, and what is wrong with it. */
export function FieldFrame({ pointer, label, hint, isRequired, isWide, status, children }: FieldFrameProps) {
  const attributes = useFieldAttributes(pointer, hint !== '');
  return (
    <div class={`form-field ${isWide ? 'whole' : ''}`}>
      <label for={attributes.id}>
        {label}
        {isRequired && <span class="required"> ({texts.form.required})</span>}
      </label>
      {children(attributes)}
      {status}
      {attributes['aria-invalid'] && <Mistake pointer={pointer} />}
      {hint !== '' && (
        <span class="hint" id={`${attributes.id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
