/** What a list may be asked for: nothing that tells of hidden members, or of resources outside. */
import { type Condition, hasLeaf, matchesAll } from '../find/conditions.ts';
import { byMember, byOwner } from '../find/owners.ts';
import type { Sort } from '../find/sorts.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Principal } from '../ports.ts';
import { findAnnotatedFields } from '../resource/annotations.ts';
import type { MemberPath } from '../resource/viewer.ts';
import { membersMember } from './profile.ts';
import { attributeHidden } from './refusals.ts';

type Asked = Pick<Kind, 'name' | 'schema' | 'filters' | 'members'>;

/** @throws DomainError `attribute-hidden` */
export function requireVisible(
  { access }: Principal,
  { name: kind, schema, filters, members }: Asked,
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
