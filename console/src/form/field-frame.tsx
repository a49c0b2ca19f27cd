import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';
import { idOf, useMistake } from './form-context.ts';

/** The mistake of a field, beside the field. */
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
  /** Information that changes while the person types. */
  readonly status?: ComponentChildren;
  /** Draws the control. A function: one more component for each of hundreds of fields would take noticeable time. */
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

/** A label, the control, its mistake and its hint. */
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
