/** Walks over the users of several alternatives at once, in one order. */
import { isCode } from '../../../../domain/errors.ts';
import type { Principal } from '../../../../domain/ports.ts';
import { comparePositions, type Position, positionOf, type Sort } from '../../../../domain/sorts.ts';
import type { StoredUser } from '../../../../domain/stored-user.ts';
import type { Users } from '../../../../domain/users.ts';
import { Slices } from '../../../scheduler/event-loop.ts';
import type { Alternative } from './alternatives.ts';
import type { Batches } from './batches.ts';

export interface Walk {
  readonly users: Users;
  readonly principal: Principal;
  readonly sort: Sort;
  /** Begins behind this place. */
  readonly after?: Position | undefined;
  /** Passes over so many and gives no more than `limit`, both where there is one alternative with conditions. */
  readonly skip?: number | undefined;
  readonly limit?: number | undefined;
  /** Users in a batch, and in all that are held for one. */
  readonly atOnce: number;
}

async function* readOne({ users, principal, sort, after }: Walk, id: string): Batches {
  try {
    const user = await users.read(principal, id);
    if (after === undefined || comparePositions(positionOf(user, sort), after, sort) > 0) yield [user];
  } catch (error) {
    if (!isCode(error, 'user-not-found')) throw error;
  }
}

function walkOne(walk: Walk, alternative: Alternative): Batches {
  if ('id' in alternative) return readOne(walk, alternative.id);
  const { users, principal, sort, after, skip, limit, atOnce } = walk;
  const steps = { sort, after, skip, limit, atOnce: () => atOnce };
  return users.list(principal, { ...alternative.conditions, ...steps });
}

/** The next user of one of the walks. */
class Head {
  readonly #batches: Batches;
  readonly #sort: Sort;
  #batch: readonly StoredUser[] = [];
  #at = 0;
  /** Undefined at the walk's end. */
  user: StoredUser | undefined;
  position: Position = { id: '' };

  constructor(batches: Batches, sort: Sort) {
    [this.#batches, this.#sort] = [batches, sort];
  }

  async advance(): Promise<void> {
    this.#at += 1;
    if (this.#at >= this.#batch.length) {
      const { value } = await this.#batches.next();
      this.#batch = value ?? [];
      this.#at = 0;
    }
    this.user = this.#batch[this.#at];
    if (this.user !== undefined) this.position = positionOf(this.user, this.#sort);
  }
}

function findFirst(heads: readonly Head[], sort: Sort): Head | undefined {
  let first: Head | undefined;
  for (const head of heads) {
    if (head.user === undefined) continue;
    if (first === undefined || comparePositions(head.position, first.position, sort) < 0) first = head;
  }
  return first;
}

/** Takes the first user from each walk that has come to it. */
async function takeFirst(heads: readonly Head[], sort: Sort): Promise<StoredUser | undefined> {
  const user = findFirst(heads, sort)?.user;
  if (user === undefined) return undefined;
  for (const head of heads) if (head.user?.id === user.id) await head.advance();
  return user;
}

/**
 * The users of all alternatives in their order, each once; but one whose place in the order changes meanwhile may be given twice, or
 * left out, as in any such list.
 * @throws DomainError as `Users.list` does
 */
export async function* walkCandidates(walk: Walk, alternatives: readonly Alternative[]): Batches {
  const [only] = alternatives;
  if (only === undefined) return;
  if (alternatives.length === 1) return yield* walkOne(walk, only);
  const atOnce = Math.max(2, Math.floor(walk.atOnce / alternatives.length));
  const walks = alternatives.map((alternative) => walkOne({ ...walk, atOnce }, alternative));
  const heads = walks.map((batches) => new Head(batches, walk.sort));
  const slices = new Slices(walk.principal.id);
  try {
    for (const head of heads) {
      await slices.pause();
      await head.advance();
    }
    for (let done = false; !done; ) {
      const batch: StoredUser[] = [];
      while (batch.length < walk.atOnce && !done) {
        await slices.pause();
        const user = await takeFirst(heads, walk.sort);
        if (user === undefined) done = true;
        else batch.push(user);
      }
      if (batch.length > 0) yield batch;
    }
  } finally {
    for (const batches of walks) await batches.return();
  }
}
