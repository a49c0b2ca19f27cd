/** Conditions by membership: they name a group or a user by id, and are found by sets of members. */
import type { Collection, Document } from 'mongodb';
import { allOf, anyOf, type Condition, nobody } from '../../../../domain/find/conditions.ts';
import {
  isByMembership,
  type MembershipFilter,
  Owners,
  usesMembership,
} from '../../../../domain/find/owners.ts';
import type { Conditions } from '../../../../domain/ports.ts';

interface Parts {
  readonly users: Collection<Document & { readonly _id: string }>;
  readonly groups: Collection<Document & { readonly _id: string }>;
  readonly maxTimeMS: number;
}

interface Found {
  /** The set of a group; of a user, what it keeps until it is deleted. Undefined for none. */
  readonly owner: string | undefined;
  /** That of the group, or those of the groups of the user. */
  readonly sets: readonly string[];
}

const projection = { 'members.set': 1, groups: 1, 'meta.created': 1 };

const setsIn = (sets: unknown): string[] =>
  Array.isArray(sets) ? sets.filter((set): set is string => typeof set === 'string') : [];

export class Memberships {
  readonly #parts: Parts;
  readonly #owners = new Owners<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Reads by the condition with sets in the place of ids: of a user several, with spaces between them. A set that is dropped loses its
   * users in steps, so what was read counts only if its owner is there afterwards.
   * @throws DomainError as `keepOwner`
   */
  async reading<R>({ where, view = {} }: Conditions, read: (where: Condition) => Promise<R>): Promise<R> {
    if (!usesMembership(where)) return await read(where);
    const result = await read(await this.#resolve(where, view));
    await this.#resolve(where, view);
    return result;
  }

  async #resolve(condition: Condition, view: object): Promise<Condition> {
    const resolveAll = (some: readonly Condition[]) =>
      Promise.all(some.map((one) => this.#resolve(one, view)));
    if ('all' in condition) return allOf(await resolveAll(condition.all));
    if ('any' in condition) return anyOf(await resolveAll(condition.any));
    if (!isByMembership(condition)) return condition;
    const { owner: now, sets } = await this.#find(condition);
    const owner = this.#owners.keep(view, condition, now);
    return owner === undefined || sets.length === 0
      ? nobody
      : { filter: condition.filter, key: sets.join(' ') };
  }

  async #find({ filter, key }: MembershipFilter): Promise<Found> {
    const { users, groups, maxTimeMS } = this.#parts;
    const found = await (filter === 'group' ? groups : users).findOne(
      { _id: key },
      { maxTimeMS, projection },
    );
    if (filter === 'member')
      return { owner: found ? `${found.meta?.created}` : undefined, sets: setsIn(found?.groups) };
    const sets = setsIn([found?.members?.set]);
    return { owner: sets[0], sets };
  }
}
