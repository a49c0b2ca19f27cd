import { wholeActivity } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import type { Change } from '../api/changes.ts';
import { texts } from '../texts/texts.ts';

/** The person, if the client names one. */
export const authorOf = ({ by }: Change): string => by.person?.subject ?? by.client;

/** Who made a change, and how. */
export function Author({ change }: { readonly change: Change }) {
  const { by, via } = change;
  return (
    <>
      <span>
        {texts.history.by}{' '}
        <Link view={{ ...wholeActivity, by: authorOf(change) }}>
          <bdi>{authorOf(change)}</bdi>
        </Link>
      </span>
      {by.person !== undefined && (
        <span>
          {texts.history.client} <bdi>{by.client}</bdi>
        </span>
      )}
      <span>{texts.history.via[via] ?? via}</span>
    </>
  );
}
