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

/** A user that is found by typing. A name of somebody who isn't in the directory can be typed. */
export function PersonInput({ attributes, label, person, onChange }: PersonInputProps) {
  const [typed, setTyped] = useState<string>();
  const { resources } = useFound('user', typed);
  return (
    <Combobox
      attributes={{ ...attributes, placeholder: texts.picker.hint.user }}
      label={label}
      text={person.name === '' ? person.id : person.name}
      find={() => resources.map((user) => ({ value: user.id, label: titleOf(user), note: nameOf(user) }))}
      onType={(text) => {
        setTyped(text);
        onChange({ id: '', name: text });
      }}
      onPick={({ value, label: name }) => {
        setTyped(undefined);
        onChange({ id: value, name });
      }}
    />
  );
}

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

function KnownPerson({ id }: Pick<Person, 'id'>) {
  const { value, failure } = useAnswer({ kind: 'user', id } as const, readResource);
  if (failure?.status === 404) return texts.picker.notInDirectory;
  if (value === undefined) return null;
  return <Link view={{ name: 'one', kind: 'user', id }}>{texts.picker.open(titleOf(value.resource))}</Link>;
}

/** Leads to the person, as far as there is one in the directory. */
export const PersonLink = ({ id, name }: Person) => {
  if (isUuid(id)) return <KnownPerson id={id} />;
  return id === '' && name === '' ? null : texts.picker.notInDirectory;
};
