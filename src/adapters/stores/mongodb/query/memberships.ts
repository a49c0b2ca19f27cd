/** Conditions by membership: they name an owner of members or a member by id, and are found by sets of members. */
import { allOf, anyOf, type Condition, matchNone } from '../../../../domain/find/conditions.ts';
import {
  byOwner,
  isByMembership,
  type MembershipFilter,
  Owners,
  usesMembership,
} from '../../../../domain/find/owners.ts';
import { Stored } from '../../../../domain/resource/stored.ts';
import type { PageQuery } from '../../../../domain/store.ts';
import type { Relation } from '../documents/tables.ts';

/**
 * The set of an owner, or what a member keeps until it is deleted, undefined for none; and by which sets to find: that of the owner, or those
 * that the member belongs to.
 */
type Found = readonly [owner: string | undefined, sets: readonly string[]];

export class Memberships {
  readonly #relation: Relation;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #owners = new Owners<string>();

  constructor(relation: Relation, maxTimeMS: number) {
    this.#relation = relation;
    this.#limits = { maxTimeMS };
  }

  /**
   * Reads by the condition with sets in the place of ids: of a member several, with spaces between them. A set that is dropped loses its
   * members in steps, so what was read counts only if its owner is there afterwards.
   * @throws DomainError as `keepOwner`
   */
  async reading<R>({ where, list = {} }: PageQuery, read: (where: Condition) => Promise<R>): Promise<R> {
    if (!usesMembership(where)) return await read(where);
    const result = await read(await this.#resolve(where, list));
    await this.#resolve(where, list);
    return result;
  }

  async #resolve(condition: Condition, list: object): Promise<Condition> {
    const resolveAll = (some: readonly Condition[]) =>
      Promise.all(some.map((one) => this.#resolve(one, list)));
    if ('all' in condition) return allOf(await resolveAll(condition.all));
    if ('any' in condition) return anyOf(await resolveAll(condition.any));
    if (!isByMembership(condition)) return condition;
    const [now, sets] = await this.#find(condition);
    const owner = this.#owners.keep(list, condition, now);
    return owner === undefined || sets.length === 0
      ? matchNone
      : { filter: condition.filter, key: sets.join(' ') };
  }

  async #find({ filter, key: _id }: MembershipFilter): Promise<Found> {
    const { owners, members } = this.#relation;
    if (filter === byOwner) {
      const options = { ...this.#limits, projection: { members: 1 } };
      const set = (await owners.findOne({ _id }, options))?.members?.set;
      return set ? [set, [set]] : [undefined, []];
    }
    const options = { ...this.#limits, projection: { text: 1, groups: 1 } };
    const found = await members.findOne({ _id }, options);
    return found ? [new Stored(found.text).meta.created, found.groups ?? []] : [undefined, []];
  }
}
