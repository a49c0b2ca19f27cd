/** Looks at users one by one, for what no index tells. */
import { DomainError } from '../../../../domain/errors.ts';
import type { Principal } from '../../../../domain/ports.ts';
import type { StoredUser } from '../../../../domain/stored-user.ts';
import { Slices } from '../../../scheduler/event-loop.ts';
import type { Alternative } from './alternatives.ts';
import type { Batches } from './batches.ts';
import type { Walk } from './candidates.ts';

/** A user may be large, and a filter long. */
export async function* filterInTurns(
  { id }: Principal,
  batches: Batches,
  isFound: (user: StoredUser) => boolean,
): Batches {
  const slices = new Slices(id);
  for await (const batch of batches) {
    const found: StoredUser[] = [];
    for (const user of batch) {
      await slices.pause();
      if (isFound(user)) found.push(user);
    }
    if (found.length > 0) yield found;
    await slices.end();
  }
}

/**
 * Before a walk over the alternatives. Who is in several of them counts as often.
 * @throws DomainError `query-too-costly` when more than `most` users are in them
 */
export async function assertFew(
  { users, principal }: Pick<Walk, 'users' | 'principal'>,
  alternatives: readonly Alternative[],
  most: number,
): Promise<void> {
  const slices = new Slices(principal.id);
  let count = 0;
  for (const alternative of alternatives) {
    await slices.pause();
    count += 'id' in alternative ? 1 : await users.count(principal, alternative.conditions);
    if (count > most)
      throw new DomainError(
        'query-too-costly',
        `More than ${most} users would have to be looked at for this filter. A condition with eq on userName, externalId, emails or roles leaves fewer.`,
      );
  }
}
