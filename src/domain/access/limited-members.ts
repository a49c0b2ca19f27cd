/** Members of groups, and groups of users, for a caller who may not see all of them. Changes leave those outside as they are. */

import type { Access } from '../find/access.ts';
import { allOf, type Condition, matchesNone, matchNone } from '../find/conditions.ts';
import {
  byMember,
  byOwner,
  type MembershipFilter,
  Owners,
  ownerName,
  replaceMemberships,
} from '../find/owners.ts';
import { findIds, type MembersChange, type PageQuery, type RelatedIds, type Store } from '../store.ts';
import { isCode, type KindName, queryTooCostly, UnknownMembers } from '../validation/errors.ts';
import { hidesMembers, membersMember } from './profile.ts';
import { attributeHidden, attributeReadOnly } from './refusals.ts';
import type { View } from './views.ts';

/** The number of members that a caller may replace as a whole, and that are counted for it. */
const maxCounted = 10_000;

interface Parts {
  readonly store: Store;
  /** Finds only what is inside. */
  readonly inside: Pick<Store, 'findAll'>;
  readonly access: Access;
  /** The views of the kind that has members, and of its members. */
  readonly owners: View;
  readonly members: View;
}

export class LimitedMembers {
  readonly #lists = new Owners<true>();
  readonly #parts: Parts & { readonly isShown: boolean; readonly isWritable: boolean };
  /** Whether the caller must not get the number of members that stores have. */
  readonly hidesCount: boolean;

  constructor(parts: Parts) {
    const { access, owners, members } = parts;
    const { shows, writes } = access.of(owners.name);
    const [isShown, isWritable] = [shows, writes].map((extentOf) => extentOf([membersMember]) === 'whole');
    this.#parts = { ...parts, isShown: isShown === true, isWritable: isWritable === true };
    this.hidesCount = hidesMembers(access, owners.name, members.name);
  }

  /** @throws DomainError `attribute-hidden` */
  async find(group: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    const { store, access, owners, members, isShown } = this.#parts;
    if (matchesNone(owners.where) || (await this.#findInside(owners, [group])).size === 0) return new Set();
    if (!isShown) throw attributeHidden(access, membersMember);
    return await this.#findInside(members, [...(await store.findMembers(group, users))]);
  }

  /** Reads a page of the members or groups of each resource, with the filter as a condition of the query. */
  async related(kind: KindName, ids: readonly string[], limit: number, client?: string): Promise<RelatedIds> {
    const { store, owners, members, isShown } = this.#parts;
    if (!isShown) return new Map();
    const [from, to, filter] =
      kind === owners.name ? [owners, members, byOwner] : [members, owners, byMember];
    const inside = [...(await this.#findInside(from, ids, client))];
    if (!to.isFiltered) return await store.related(kind, inside, limit, client);
    const found = new Map<string, readonly string[]>();
    for (const key of inside) {
      const where = allOf([to.where, { filter, key }]);
      // The first document, and the ids of the others.
      const { first, rest = [] } = await store.page(to.name, { where, limit, maxLength: 1, client });
      if (first !== undefined) found.set(key, [first.id, ...rest]);
    }
    return found;
  }

  /** @param all the number of members, those outside included @returns undefined if it is hidden, or too costly to find */
  async count(key: string, all = 0): Promise<number | undefined> {
    const { store, members, isShown } = this.#parts;
    if (!isShown || all > maxCounted) return undefined;
    const where = allOf([members.where, { filter: byOwner, key }]);
    try {
      return (await store.page(members.name, { where, limit: 0, total: 'exact' })).total;
    } catch (error) {
      if (isCode(error, 'query-too-costly')) return undefined;
      throw error;
    }
  }

  /** The query's condition, in which groups and users outside have no members and no groups. */
  async limit({ where, list }: PageQuery): Promise<Condition> {
    const { owners, members } = this.#parts;
    const asked = new Map<string, MembershipFilter>();
    replaceMemberships(where, (one) => {
      asked.set(ownerName(one), one);
      return one;
    });
    for (const [name, one] of asked) {
      const isThere = (await this.#findInside(one.filter === byOwner ? owners : members, [one.key])).size > 0;
      if (this.#lists.keep(list, one, isThere || undefined)) asked.delete(name);
    }
    return replaceMemberships(where, (one) => (asked.has(ownerName(one)) ? matchNone : one));
  }

  /** The groups, or the members, with which a restored resource comes back: those that the caller sees. */
  async restored(kind: KindName, ids: readonly string[], client: string): Promise<readonly string[]> {
    const { owners, members, isShown } = this.#parts;
    if (!isShown) return [];
    const others = kind === owners.name ? members : owners;
    const inside = await this.#findInside(others, ids, client);
    return ids.filter((id) => inside.has(id));
  }

  /** Checks the members of a new group. @throws DomainError `attribute-hidden`; UnknownMembers */
  async check(ids: readonly string[], client: string): Promise<void> {
    const { access, members, isShown } = this.#parts;
    if (!isShown) throw attributeHidden(access, membersMember);
    const inside = await this.#findInside(members, ids, client);
    const unknown = ids.flatMap((id, at) => (inside.has(id) ? [] : [at]));
    if (unknown.length > 0) throw new UnknownMembers('add', unknown);
  }

  /**
   * The part of the change that concerns members inside. A replacement of all members becomes its difference from the members as they are now.
   * @returns the same change if the caller may see and change all members
   * @throws DomainError `attribute-hidden`, `attribute-read-only`, `query-too-costly`; UnknownMembers
   */
  async narrow(group: string, change: MembersChange, client: string): Promise<MembersChange> {
    const { access, owners, members, isWritable } = this.#parts;
    const { add, remove, isWhole = false } = change;
    if (isWritable && !members.isFiltered) return change;
    await this.check(add, client);
    if (!isWhole) {
      if (!isWritable) throw attributeReadOnly(access, membersMember);
      const inside = await this.#findInside(members, remove, client);
      return { add, remove: remove.filter((id) => inside.has(id)) };
    }
    const found = await this.related(owners.name, [group], maxCounted + 1, client);
    const [before, after] = [new Set(found.get(group)), new Set(add)];
    if (before.size > maxCounted) throw queryTooCostly();
    const next = {
      add: add.filter((id) => !before.has(id)),
      remove: [...before].filter((id) => !after.has(id)),
    };
    if (!isWritable && next.add.length + next.remove.length > 0)
      throw attributeReadOnly(access, membersMember);
    return next;
  }

  /** Those of the ids whose resources are inside; without a filter all ids, even of resources that do not exist. */
  async #findInside(view: View, ids: readonly string[], client?: string): Promise<ReadonlySet<string>> {
    return view.isFiltered ? await findIds(this.#parts.inside, view.name, ids, client) : new Set(ids);
  }
}
