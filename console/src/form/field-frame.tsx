import type { ComponentChildren } from 'preact';
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

/** For the element that is filled in. */
export function useFieldAttributes(pointer: string, hasHint: boolean) {
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
  readonly children: ComponentChildren;
}

/** A label, what is filled in, what it is for, and what is wrong with it. */
export const FieldFrame = ({ pointer, label, hint, isRequired, isWide, children }: FieldFrameProps) => (
  <div class={`form-field ${isWide ? 'whole' : ''}`}>
    <label for={idOf(pointer)}>
      {label}
      {isRequired && <span class="required"> (required)</span>}
    </label>
    {children}
    <Mistake pointer={pointer} />
    {hint !== '' && (
      <span class="hint" id={`${idOf(pointer)}-hint`}>
        {hint}
      </span>
    )}
  </div>
);
