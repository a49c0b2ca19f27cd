import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { isStatus } from '../schema/fields.ts';
import { texts } from '../texts/texts.ts';
import { type ControlProps, FormResource, idOf, isFixed, useMistake } from './form-context.ts';

/** The mistake of a field, beside the field. */
export function Mistake({ pointer }: { readonly pointer: string }) {
  const mistake = useMistake(pointer);
  return mistake === undefined ? null : (
    <span class="mistake" id={`${idOf(pointer)}-mistake`}>
      {mistake}
    </span>
  );
}

/** The id of the input. */
export interface FieldAttributes {
  readonly id: string;
  readonly disabled: boolean;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

type FrameProps = Omit<ControlProps, 'value' | 'onChange'>;

interface FieldFrameProps extends FrameProps {
  /** Information that changes while the person types. */
  readonly status?: ComponentChildren;
  /** Draws the control. A function: one more component for each of hundreds of fields would take noticeable time. */
  readonly children: (attributes: FieldAttributes) => ComponentChildren;
}

/** A label, the control, its mistake and its hint. The box of a flag stands in its label. */
export function FieldFrame({ field, pointer, label, isBrief, status, children }: FieldFrameProps) {
  const id = idOf(pointer);
  const isWrong = useMistake(pointer) !== undefined;
  const hint = isBrief ? '' : field.description;
  const described = [hint !== '' && `${id}-hint`, isWrong && `${id}-mistake`].filter(Boolean).join(' ');
  const control = children({
    id,
    disabled: isFixed(field, useContext(FormResource)),
    'aria-invalid': isWrong || undefined,
    'aria-describedby': described || undefined,
  });
  const isFlag = field.kind === 'flag' && !isStatus(field);
  const isWide = field.kind === 'text' && field.isLong;
  return (
    <div class={`form-field ${isFlag ? 'flag' : ''} ${isWide ? 'whole' : ''}`}>
      <label for={id}>
        {isFlag && control}
        {label ?? field.label}
        {field.isRequired && field.name !== '' && field.kind !== 'flag' && (
          <span class="quiet"> ({texts.form.required})</span>
        )}
      </label>
      {!isFlag && control}
      {status}
      {isWrong && <Mistake pointer={pointer} />}
      {hint !== '' && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

interface GroupFrameProps extends FrameProps {
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** The label of several fields, their hint and the mistake of all of them. */
export const GroupFrame = (props: GroupFrameProps) => (
  <fieldset
    class={`group ${props.class ?? ''}`}
    id={idOf(props.pointer)}
    tabIndex={-1}
    disabled={isFixed(props.field, useContext(FormResource))}
  >
    <legend>{props.label ?? props.field.label}</legend>
    {props.field.description !== '' && !props.isBrief && <p class="hint">{props.field.description}</p>}
    <Mistake pointer={props.pointer} />
    {props.children}
  </fieldset>
);
