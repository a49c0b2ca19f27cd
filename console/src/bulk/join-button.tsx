import { useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { Picker } from '../picker/picker.tsx';
import type { Group, Resource } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { texts } from '../texts/texts.ts';
import { BulkDialog, type Start } from './bulk-dialog.tsx';
import { Names } from './bulk-steps.tsx';

const words = texts.bulk;

/** Users, who get a group, or a group, which gets users. */
type Given = { readonly users: readonly Resource[] } | { readonly group: Group };

interface ChooseProps {
  readonly given: Given;
  readonly onStart: Start;
  readonly onClose: () => void;
}

function Choose({ given, onStart, onClose }: ChooseProps) {
  const [picked, setPicked] = useState<readonly Resource[]>([]);
  const hasGroup = 'group' in given;
  const start = () => {
    const group = hasGroup ? given.group : (picked[0] as Group | undefined);
    if (group !== undefined && picked.length > 0)
      onStart({ name: 'join', group }, hasGroup ? picked : given.users);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <Picker
        kind={hasGroup ? 'user' : 'group'}
        label={hasGroup ? words.findUsers : words.findGroup}
        without={picked.map(({ id }) => id)}
        onPick={(one) => setPicked(hasGroup ? [...picked, one] : [one])}
      />
      {picked.length > 0 && (
        <Names resources={picked} onRemove={(one) => setPicked(picked.filter((other) => other !== one))} />
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={picked.length === 0}>
          {hasGroup && picked.length > 0
            ? words.buttons.addMembers(texts.kinds.user.count(picked.length))
            : words.buttons.join}
        </button>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
}

interface JoinButtonProps {
  readonly given: Given;
  readonly class?: string;
  /** @param done the users who are members now */
  readonly onDone: (done: readonly Resource[]) => void;
}

/** Adds users to a group; either of them is found by typing. */
export function JoinButton({ given, class: more = '', onDone }: JoinButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [label, title] =
    'group' in given
      ? [words.offers.addMembers, words.titles.addMembers(given.group.displayName)]
      : [words.offers.join, words.titles.join(texts.kinds.user.count(given.users.length))];
  return (
    <Allowed scope="groups:write">
      <button type="button" class={more} onClick={() => setOpen(true)}>
        <Icon name="plus" /> {label}
      </button>
      {isOpen && (
        <BulkDialog
          title={title}
          ask={(start, close) => <Choose given={given} onStart={start} onClose={close} />}
          onClose={(done) => {
            setOpen(false);
            if (done.length > 0) onDone(done);
          }}
        />
      )}
    </Allowed>
  );
}
