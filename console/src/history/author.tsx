import { wholeActivity } from '../address/address.ts';
import { Link, useAddress } from '../address/navigation.tsx';
import type { Change } from '../api/changes.ts';
import { texts } from '../texts/texts.ts';

/** The person, if the client names one. */
export const authorOf = ({ by }: Change): string => by.person?.subject ?? by.client;

/** The usual ways, which are not worth telling. */
const apis: readonly string[] = ['users', 'groups'];

/** Who made a change, and how, if it was not by the API. */
export function Author({ change }: { readonly change: Change }) {
  const { via } = change;
  const { view } = useAddress();
  return (
    <>
      <Link
        view={{
          ...wholeActivity,
          ...(view.name === 'activity' && { from: view.from, to: view.to }),
          by: authorOf(change),
        }}
      >
        <bdi>{authorOf(change)}</bdi>
      </Link>{' '}
      {!apis.includes(via) && <span class="quiet small">{texts.history.via[via] ?? via}</span>}
    </>
  );
}
