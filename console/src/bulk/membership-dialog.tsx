import { useState } from 'preact/hooks';
import { summarizeFailure } from '../answers/failure-words.ts';
import { AskingForm, FormButtons } from '../parts/form.tsx';
import { findListed } from '../picker/find-listed.ts';
import { Picker } from '../picker/picker.tsx';
import { type Group, nameOf, type Resource } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { BulkDialog, type DialogEnds, type Start } from './bulk-dialog.tsx';
import { Names } from './bulk-steps.tsx';

const words = texts.bulk;

/** Users, for which a group is searched, or a group, for which users are searched. */
export type Given = { readonly users: readonly Resource[] } | { readonly group: Group };

/** `leave` is only for given users. */
type Name = 'join' | 'leave';

function titleOf(given: Given, name: Name): string {
  if ('group' in given) return words.titles.addMembers(nameOf(given.group));
  const count = texts.kinds.user.count(given.users.length);
  return name === 'join' ? words.titles.join(count) : words.titles.leaveSome(count);
}

interface MembershipDialogProps extends DialogEnds {
  readonly given: Given;
  readonly name: Name;
}

/** Adds users to a group, or removes them from one. */
export function MembershipDialog({ given, name, ...ends }: MembershipDialogProps) {
  const [picked, setPicked] = useState<readonly Resource[]>([]);
  const [lost, setLost] = useState('');
  const hasGroup = 'group' in given;
  // Adds what is picked by the end of the lookup: a person may pick more while a list is looked up.
  const pick = (more: readonly Resource[]) =>
    setPicked((before) =>
      hasGroup ? [...new Map([...before, ...more].map((one) => [one.id, one])).values()] : more,
    );
  const pickListed = async (names: readonly string[]) => {
    const outcome = await findListed(names);
    if (!outcome.ok) return setLost(summarizeFailure(outcome.failure));
    const { found, lost } = outcome.value;
    pick(found);
    setLost(lost.length === 0 ? '' : words.lost(lost.join(', ')));
  };
  const begin = (start: Start) => {
    const group = hasGroup ? given.group : (picked[0] as Group | undefined);
    if (group !== undefined) start({ name, group }, hasGroup ? picked : given.users);
  };
  const { addMembers } = words.buttons;
  const submit =
    hasGroup && picked.length > 0 ? addMembers(texts.kinds.user.count(picked.length)) : words.buttons[name];
  return (
    <BulkDialog
      {...ends}
      title={titleOf(given, name)}
      ask={(start) => (
        <AskingForm onSubmit={() => begin(start)}>
          <Picker
            kind={hasGroup ? 'user' : 'group'}
            label={hasGroup ? words.findUsers : words.findGroup}
            without={picked.map(({ id }) => id)}
            group={hasGroup ? given.group.id : undefined}
            onList={hasGroup ? pickListed : undefined}
            onPick={(one) => pick([one])}
          />
          {hasGroup && <small class="quiet">{words.listHint}</small>}
          <p class="mistake" role="status">
            {lost}
          </p>
          {picked.length > 0 && (
            <Names
              resources={picked}
              onRemove={(one) => setPicked((before) => before.filter((other) => other !== one))}
            />
          )}
          <FormButtons submit={submit} isReady={picked.length > 0} onCancel={ends.onClose} />
        </AskingForm>
      )}
    />
  );
}
