/** Lists by membership that are read in batches: the group or the user in question must stay the same for all of them. */
import { DomainError } from '../validation/errors.ts';
import { allOf, anyOf, type Condition, noneOf, usesFilter } from './conditions.ts';

/**
 * The filters by membership. Documents have no keys for them: stores find members by the id of their owner, and owners by the id of a member.
 * Stores know one such relation (`Kinds.relation`), and its filters by these names, which are also those of the query parameters.
 */
export const byOwner = 'group';
export const byMember = 'member';

/** A condition by membership. */
export interface MembershipFilter {
  readonly filter: typeof byOwner | typeof byMember;
  /** The id of the owner whose members match, or of the member whose owners match. */
  readonly key: string;
}

export const isByMembership = (condition: Condition): condition is MembershipFilter =>
  'filter' in condition && (condition.filter === byOwner || condition.filter === byMember);

export const usesMembership = (condition: Condition): boolean =>
  usesFilter(condition, byOwner) || usesFilter(condition, byMember);

/** The condition in which others replace those by membership. */
export function replaceMemberships(
  condition: Condition,
  replace: (membership: MembershipFilter) => Condition,
): Condition {
  if (!usesMembership(condition)) return condition;
  if ('all' in condition) return allOf(condition.all.map((one) => replaceMemberships(one, replace)));
  if ('any' in condition) return anyOf(condition.any.map((one) => replaceMemberships(one, replace)));
  if ('not' in condition) return noneOf(replaceMemberships(condition.not, replace));
  return isByMembership(condition) ? replace(condition) : condition;
}

/** Unambiguous, because no filter's name has a space. */
export const ownerName = ({ filter, key }: MembershipFilter): string => `${filter} ${key}`;

/**
 * @param first the owner when the list began; undefined for an unknown owner, which has no members until the list ends
 * @param now the owner when the batch is read
 * @returns the first one
 * @throws DomainError `unavailable` if the owner was deleted: otherwise the list would seem to be complete
 */
export function keepOwner<T>({ filter }: MembershipFilter, first: T | undefined, now: T | undefined) {
  if (first === undefined || first === now) return first;
  const what = filter === byOwner ? 'The group was deleted or got other members' : 'The user was deleted';
  throw new DomainError('unavailable', `${what} while the list was read.`);
}

/**
 * The owners of each list (`PageQuery.list`). @template T identifies a user as long as it exists, or a group as long as it exists and its members
 * aren't replaced as a whole
 */
export class Owners<T> {
  readonly #ofLists = new WeakMap<object, Map<string, T | undefined>>();

  /** As `keepOwner`; notes `now` for the first read of a list. */
  keep(list: object | undefined, membership: MembershipFilter, now: T | undefined): T | undefined {
    if (list === undefined) return now;
    const owners = this.#ofLists.get(list) ?? new Map<string, T | undefined>();
    this.#ofLists.set(list, owners);
    const name = ownerName(membership);
    if (!owners.has(name)) owners.set(name, now);
    return keepOwner(membership, owners.get(name), now);
  }
}
