import { useState } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { readResource } from '../api/directory.ts';
import { Combobox } from '../picker/combobox.tsx';
import { useFound } from '../picker/use-found.ts';
import { groupOf } from '../schema/drafts.ts';
import type { GroupField } from '../schema/fields.ts';
import { nameOf, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { FieldFrame, Mistake } from './field-frame.tsx';
import { type ControlProps, idOf } from './form-context.ts';

const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * A group of `value`, the id of a user, and `displayName` as one field: a user who is found by typing. The name of a person who is not in the
 * directory can be typed. Each may be empty, since other clients may set only one.
 */
export function PersonControl({ field, value, pointer, onChange }: ControlProps<GroupField>) {
  const { value: given = '', displayName = '', ...others } = groupOf(value);
  const [id, name] = [String(given), String(displayName)];
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
    <div id={idOf(`${pointer}/value`)} tabIndex={-1}>
      <FieldFrame field={field} pointer={`${pointer}/displayName`} isBrief status={found}>
        {(attributes) => (
          <Combobox
            attributes={{ ...attributes, placeholder: texts.kinds.user.hint }}
            label={field.label}
            text={name || (known === undefined ? id : titleOf(known.resource))}
            find={() =>
              resources.map((user) => ({ value: user.id, label: titleOf(user), note: nameOf(user) }))
            }
            onType={(text) => {
              setTyped(text);
              onChange({ ...others, value: '', displayName: text });
            }}
            onLeave={() => setTyped(undefined)}
            onPick={(user) => {
              setTyped(undefined);
              onChange({ ...others, value: user.value, displayName: user.label });
            }}
          />
        )}
      </FieldFrame>
      <Mistake pointer={`${pointer}/value`} />
    </div>
  );
}
