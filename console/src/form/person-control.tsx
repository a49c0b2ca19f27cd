import { useEffect, useState } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { readResource } from '../api/directory.ts';
import { Combobox } from '../picker/combobox.tsx';
import { optionOf, useFound } from '../picker/use-found.ts';
import { groupOf, isUuid } from '../schema/drafts.ts';
import type { GroupField, TextField } from '../schema/fields.ts';
import { type Resource, titleOf } from '../schema/kinds.ts';
import { isPartShown } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { FieldFrame, Mistake } from './field-frame.tsx';
import { type ControlProps, idOf } from './form-context.ts';

interface PersonInputProps extends Omit<ControlProps, 'value' | 'onChange'> {
  readonly id: string;
  readonly name: string;
  /** @param id empty: not yet found */
  readonly onChange: (id: string, name: string) => void;
  /** Takes the name of a person who is not in the directory. Omitted: only users. */
  readonly onKeep?: (name: string) => void;
}

/** Finds a user by typing. Enter takes the first one, and leaving the field the only one. */
function PersonInput({ id, name, onChange, onKeep, ...frame }: PersonInputProps) {
  const [typed, setTyped] = useState<string>();
  const [isLeft, setLeft] = useState(false);
  const isSearch = typed !== undefined && typed.trim() !== '';
  const { resources, failure: refusal, isCurrent } = useFound('user', isSearch ? typed : undefined);
  const question = isUuid(id) ? ({ kind: 'user', id } as const) : undefined;
  const { value: known, failure } = useAnswer(question, readResource);
  const isAway = failure?.status === 404;
  const isUnseen = isAway && isPartShown('user');
  const isUnknown = isAway || (question === undefined && id + name !== '');
  const choose = (user: Resource | undefined) => user && onChange(user.id, titleOf(user));
  useEffect(() => {
    if (!isLeft || !isCurrent) return;
    setLeft(false);
    setTyped(undefined);
    if (isSearch && resources.length === 1) choose(resources[0]);
  }, [isLeft, isCurrent]);
  const kept = isSearch && onKeep ? [{ value: '', label: texts.form.keepText(typed), note: '' }] : [];
  const found = (
    <span class="hint">
      {known !== undefined && (
        <Link view={{ name: 'one', kind: 'user', id }}>{texts.form.open(titleOf(known.resource))}</Link>
      )}
      {isSearch && isCurrent && resources.length === 0 && (refusal?.title ?? texts.kinds.user.noMatch)}
      {isUnknown && typed === undefined && (isUnseen ? texts.session.notVisible : texts.form.notInDirectory)}
    </span>
  );
  return (
    <FieldFrame {...frame} status={found}>
      {(attributes) => (
        <Combobox
          attributes={{ ...attributes, placeholder: texts.kinds.user.hint }}
          label={frame.field.label}
          text={name || (known ? titleOf(known.resource) : isUnseen ? '' : id)}
          find={() => [...resources.map(optionOf), ...kept]}
          isBusy={!isCurrent}
          onType={(text) => {
            setTyped(text);
            setLeft(false);
            onChange('', text);
          }}
          onPick={({ value, label }) => {
            setTyped(undefined);
            if (value === '') onKeep?.(typed ?? '');
            else onChange(value, label);
          }}
          onEnter={isSearch ? () => choose(resources[0]) : undefined}
          onLeave={() => setLeft(typed !== undefined)}
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
 * A group of `value`, the id of a user, and `displayName` as one field. Each may be empty, since other clients may set only one.
 */
export function PersonControl({ field, value, pointer, onChange }: ControlProps<GroupField>) {
  const { value: id = '', displayName = '', ...others } = groupOf(value);
  const put = (user: string | undefined, name: string) =>
    onChange({ ...others, value: user, displayName: name, isTyped: user === '' && name !== '' });
  return (
    <div id={idOf(`${pointer}/value`)} tabIndex={-1}>
      <PersonInput
        field={field}
        pointer={`${pointer}/displayName`}
        isBrief
        id={String(id)}
        name={String(displayName)}
        onChange={put}
        onKeep={(name) => put(undefined, name)}
      />
      <Mistake pointer={`${pointer}/value`} />
    </div>
  );
}
