import { useState } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { readResource } from '../api/directory.ts';
import { Combobox } from '../picker/combobox.tsx';
import { useFound } from '../picker/use-found.ts';
import { groupOf } from '../schema/drafts.ts';
import type { GroupField, TextField } from '../schema/fields.ts';
import { nameOf, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { FieldFrame, Mistake } from './field-frame.tsx';
import { type ControlProps, idOf } from './form-context.ts';

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

interface PersonInputProps extends Omit<ControlProps, 'value' | 'onChange'> {
  readonly id: string;
  readonly name: string;
  /** @param id empty: a person who is not in the directory, or not yet found */
  readonly onChange: (id: string, name: string) => void;
}

/** Finds a user by typing. */
function PersonInput({ id, name, onChange, ...frame }: PersonInputProps) {
  const [typed, setTyped] = useState<string>();
  const { resources } = useFound('user', typed);
  const question = isUuid(id) ? ({ kind: 'user', id } as const) : undefined;
  const { value: known, failure } = useAnswer(question, readResource);
  const isUnknown = failure?.status === 404 || (question === undefined && id + name !== '');
  const found = (
    <span class="hint">
      {known !== undefined && (
        <Link view={{ name: 'one', kind: 'user', id }}>{texts.form.open(titleOf(known.resource))}</Link>
      )}
      {isUnknown && typed === undefined && texts.form.notInDirectory}
    </span>
  );
  return (
    <FieldFrame {...frame} status={found}>
      {(attributes) => (
        <Combobox
          attributes={{ ...attributes, placeholder: texts.kinds.user.hint }}
          label={frame.field.label}
          text={name || (known === undefined ? id : titleOf(known.resource))}
          find={() => resources.map((user) => ({ value: user.id, label: titleOf(user), note: nameOf(user) }))}
          onType={(text) => {
            setTyped(text);
            onChange('', text);
          }}
          onLeave={() => setTyped(undefined)}
          onPick={(user) => {
            setTyped(undefined);
            onChange(user.value, user.label);
          }}
        />
      )}
    </FieldFrame>
  );
}

/** A declared attribute: the id of a user. */
export const UserControl = ({ value, onChange, ...frame }: ControlProps<TextField>) => (
  <PersonInput {...frame} id={String(value ?? '')} name="" onChange={(id, name) => onChange(id || name)} />
);

/**
 * A group of `value`, the id of a user, and `displayName` as one field. The name of a person who is not in the directory can be typed. Each
 * may be empty, since other clients may set only one.
 */
export function PersonControl({ field, value, pointer, onChange }: ControlProps<GroupField>) {
  const { value: id = '', displayName = '', ...others } = groupOf(value);
  return (
    <div id={idOf(`${pointer}/value`)} tabIndex={-1}>
      <PersonInput
        field={field}
        pointer={`${pointer}/displayName`}
        isBrief
        id={String(id)}
        name={String(displayName)}
        onChange={(user, name) => onChange({ ...others, value: user, displayName: name })}
      />
      <Mistake pointer={`${pointer}/value`} />
    </div>
  );
}
