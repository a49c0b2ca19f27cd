/** What a profile refuses, and the errors for it. They name the profile and members, never a value or another resource. */

import { type Condition, hasLeaf, matchesAll } from '../find/conditions.ts';
import { byMember, byOwner } from '../find/owners.ts';
import type { Sort } from '../find/sorts.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Principal } from '../ports.ts';
import { findAnnotatedFields } from '../resource/annotations.ts';
import type { MemberAccess, MemberPath } from '../resource/resource.ts';
import { DomainError, type KindName } from '../validation/errors.ts';
import { membersMember } from './profile.ts';

interface Profile {
  readonly profile: string;
}

/** @param names of members, with dots */
export const attributeHidden = ({ profile }: Profile, ...names: readonly string[]): DomainError =>
  new DomainError('attribute-hidden', `The profile ${profile} hides ${[...new Set(names)].join(', ')}.`);

export const attributeReadOnly = ({ profile }: Profile, name: string): DomainError =>
  new DomainError(
    'attribute-read-only',
    `The profile ${profile} does not change ${name}; nothing was changed.`,
  );

/** @param doing what the profile's credentials may not do */
export const notAllowed = (
  { profile }: Profile,
  doing: 'create' | 'delete' | 'erase',
  plural: string,
): DomainError =>
  new DomainError('outside-of-profile', `The profile ${profile} does not ${doing} ${plural}.`);

export const outsideOfProfile = ({ profile }: Profile, kind: KindName): DomainError =>
  new DomainError(
    'outside-of-profile',
    `The profile ${profile} does not reach this ${kind} as it would be; nothing was changed.`,
  );

/** Names no hidden member whose value is taken, as that of a restored resource may be. */
export function withoutHidden<T>({ shows }: Pick<MemberAccess, 'shows'>, outcome: T): T | DomainError {
  if (!(outcome instanceof DomainError && outcome.code.endsWith('-taken'))) return outcome;
  const isHidden = outcome.violations.some(({ pointer }) => shows(pointer.split('/').slice(1)) === 'none');
  return isHidden ? new DomainError(outcome.code, 'A value that the profile hides is taken.') : outcome;
}

/** A query must not reveal hidden members, or resources outside. @throws DomainError `attribute-hidden` */
export function requireVisible(
  { access }: Principal,
  { name: kind, schema, filters, members }: Pick<Kind, 'name' | 'schema' | 'filters' | 'members'>,
  where: Condition,
  sort: Sort = {},
): void {
  if (access === undefined) return;
  const require = (path: MemberPath, of = kind): void => {
    if (access.of(of).shows(path) !== 'whole') throw attributeHidden(access, path.join('.'));
  };
  const requireSort = (name: string): void => {
    const field = findAnnotatedFields(schema, 'sort').find(({ annotation }) => annotation === name);
    if (field !== undefined) require(field.path);
  };
  const requireFilter = (name: string, isExistence: boolean): void => {
    const { member = name, shows } = filters[name] ?? {};
    const isMembership = name === byOwner || name === byMember;
    require(isMembership ? [membersMember] : member.split('.'), shows);
    // Stores know whether there is any group or member, those outside included.
    const other = members ?? shows;
    const isLimited = other !== undefined && !matchesAll(access.of(other).where);
    if (isMembership && isExistence && isLimited) throw attributeHidden(access, membersMember);
  };
  hasLeaf(where, (leaf) => {
    if ('sort' in leaf) requireSort(leaf.sort);
    if ('filter' in leaf) requireFilter(leaf.filter, false);
    if ('exists' in leaf) requireFilter(leaf.exists, true);
    return false;
  });
  if (sort.by !== undefined) requireSort(sort.by);
}
