import { useDialog } from '../address/navigation.tsx';
import { Icon } from '../parts/icons.tsx';
import type { Resource } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { mayChange } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { type Given, MembershipDialog } from './membership-dialog.tsx';

const words = texts.bulk;

interface JoinButtonProps {
  readonly given: Given;
  readonly class?: string;
  /** @param done the new members */
  readonly onDone: (done: readonly Resource[]) => void;
}

/** Adds users to a group; the users or the group are found by typing. */
export function JoinButton({ given, class: more = '', onDone }: JoinButtonProps) {
  const { isOpen, open, close } = useDialog('join');
  if (!mayChange('group', 'members')) return null;
  return (
    <Allowed scope="groups:write">
      <button type="button" class={more} onClick={open}>
        <Icon name="plus" /> {'group' in given ? words.offers.addMembers : words.offers.join}
      </button>
      {isOpen && <MembershipDialog given={given} name="join" onDone={onDone} onClose={close} />}
    </Allowed>
  );
}
