import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';
import { type ControlProps, idOf, useMistake } from './form-context.ts';

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

export const Hint = ({ id, hint }: { readonly id: string; readonly hint: string }) =>
  hint === '' ? null : (
    <span class="hint" id={`${id}-hint`}>
      {hint}
    </span>
  );

type FrameProps = Omit<ControlProps, 'value' | 'onChange'>;

interface FieldFrameProps extends FrameProps {
  /** Information that changes while the person types. */
  readonly status?: ComponentChildren;
  /** Draws the control. A function: one more component for each of hundreds of fields would take noticeable time. */
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

/** A label, the control, its mistake and its hint. */
export function FieldFrame({ field, pointer, label, isBrief, status, children }: FieldFrameProps) {
  const hint = isBrief ? '' : field.description;
  const attributes = useFieldAttributes(pointer, hint !== '');
  return (
    <div class={`form-field ${field.kind === 'text' && field.isLong ? 'whole' : ''}`}>
      <label for={attributes.id}>
        {label ?? field.label}
        {field.isRequired && field.name !== '' && <span class="quiet"> ({texts.form.required})</span>}
      </label>
      {children(attributes)}
      {status}
      {attributes['aria-invalid'] && <Mistake pointer={pointer} />}
      <Hint id={attributes.id} hint={hint} />
    </div>
  );
}

interface GroupFrameProps extends FrameProps {
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The label of several fields, their hint and the mistake of all of them. */
export const GroupFrame = (props: GroupFrameProps) => (
  <fieldset class={`group ${props.class ?? ''}`} id={idOf(props.pointer)} tabIndex={-1}>
    <legend>{props.label ?? props.field.label}</legend>
    {props.field.description !== '' && !props.isBrief && <p class="hint">{props.field.description}</p>}
    <Mistake pointer={props.pointer} />
    {props.children}
  </fieldset>
);
