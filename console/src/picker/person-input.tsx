import { useState } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { readResource } from '../api/directory.ts';
import { nameOf, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { Combobox, type ComboboxProps } from './combobox.tsx';
import { useFound } from './use-found.ts';

/** A person by id and name. Each may be empty: other clients write what they like. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

interface PersonInputProps extends Pick<ComboboxProps, 'attributes' | 'label'> {
  readonly person: Person;
  readonly onChange: (person: Person) => void;
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** A user who is found by typing. The name of a person who is not in the directory can be typed. */
export function PersonInput({ attributes, label, person, onChange }: PersonInputProps) {
  const { id, name } = person;
  const [typed, setTyped] = useState<string>();
  const { resources } = useFound('user', typed);
  const question = isUuid(id) ? ({ kind: 'user', id } as const) : undefined;
  const { value: known, failure } = useAnswer(question, readResource);
  const isUnknown = failure?.status === 404 || (question === undefined && id + name !== '');
  return (
    <>
      <Combobox
        attributes={{ ...attributes, placeholder: texts.picker.hint.user }}
        label={label}
        text={name || (known === undefined ? id : titleOf(known.resource))}
        find={() => resources.map((user) => ({ value: user.id, label: titleOf(user), note: nameOf(user) }))}
        onType={(text) => {
          setTyped(text);
          onChange({ id: '', name: text });
        }}
        onLeave={() => setTyped(undefined)}
        onPick={({ value, label: name }) => {
          setTyped(undefined);
          onChange({ id: value, name });
        }}
      />
      <span class="hint">
        {known !== undefined && (
          <Link view={{ name: 'one', kind: 'user', id }}>{texts.picker.open(titleOf(known.resource))}</Link>
        )}
        {isUnknown && typed === undefined && texts.picker.notInDirectory}
      </span>
    </>
  );
}
