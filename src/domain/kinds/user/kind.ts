/**
 * Users, as a kind of resource.
 *
 * `user.ts` has the schema, made of `user-parts.ts` and `user-patterns.ts`; `user-name.ts` the mapping of the unique name and its rules;
 * `user-faults.ts` rules that the schema doesn't state.
 */

import { asIs, folded, foldedKeys, noSpaces, oneKey } from '../../find/filters.ts';
import { byOwner } from '../../find/owners.ts';
import type { Stored } from '../../resource/stored.ts';
import { lowerCase } from '../../unicode/case-mapping.ts';
import { anyCaseUuidPattern, canonicalUuid } from '../../validation/plain-values.ts';
import { defineKind } from '../kind.ts';
import { maxUserBytes, maxUserNameLength, User, UserInput } from './user.ts';
import { findUserFaults } from './user-faults.ts';
import { findUserNameFault, mappingVersion, mapUserName } from './user-name.ts';
import { userTimes } from './validity.ts';

function findFault(name: string): string | undefined {
  const reason = findUserNameFault(name);
  if (reason !== undefined) return reason;
  return [...mapUserName(name)].length > maxUserNameLength
    ? `must have at most ${maxUserNameLength} characters as mapped`
    : undefined;
}

/** A new user is active. One that can't be read becomes inactive: replacing it must not let the person in. */
function activeOf(current: Stored<User> | undefined): boolean {
  if (current === undefined) return true;
  try {
    return current.value.active === true;
  } catch {
    return false;
  }
}

export const userKind = defineKind<User, UserInput>({
  name: 'user',
  schema: User,
  input: UserInput,
  readOnly: ['meta'],
  maxBytes: maxUserBytes,
  unique: {
    member: 'userName',
    map: mapUserName,
    version: mappingVersion,
    taken: 'user-name-taken',
    findFault,
  },
  findFaults: findUserFaults,
  unlogged: ['photos', 'x509Certificates'],
  inherit: (current) => ({ active: activeOf(current) }),
  times: userTimes,
  // Stores notice a new filter by its name, and rebuild. After a change of a filter's keys raise `searchVersion` (find/search.ts).
  filters: {
    userName: { keys: (user) => [mapUserName(user.userName)], key: mapUserName, ...noSpaces },
    externalId: { keys: (user) => oneKey(user.externalId), key: asIs },
    email: {
      keys: (user) => user.emails?.map((email) => lowerCase(email.value)) ?? [],
      key: lowerCase,
      ...noSpaces,
    },
    active: {
      keys: (user) => [String(user.active)],
      key: (value) => (value === 'true' || value === 'false' ? value : undefined),
      must: 'be true or false',
      isShared: true,
    },
    role: { keys: (user) => user.roles ?? [], key: asIs, isShared: true },
    department: { keys: (user) => foldedKeys(user.enterprise?.department), key: folded, isShared: true },
    userType: { keys: (user) => foldedKeys(user.userType), key: folded, isShared: true },
    manager: {
      keys: (user) => oneKey(user.enterprise?.manager?.value).map(lowerCase),
      key: lowerCase,
      isShared: true,
      description: 'Only users who report to the user with this id: `enterprise.manager.value`, in any case.',
    },
    /** The members of the group with this id. */
    [byOwner]: {
      key: canonicalUuid,
      isShared: true,
      shows: 'group',
      must: "be a group's id: GET /groups?displayName=… has it",
      pattern: anyCaseUuidPattern,
      description: 'Only members of the group with this id. Takes the scope `groups:read`, too.',
    },
  },
});
