/**
 * Users, as a kind of resource.
 *
 * `user.ts` has the schema, made of `user-parts.ts` and `user-patterns.ts`; `user-name.ts` the mapping of the unique name and its rules.
 * `findUserFaults` below has the rules that the schema doesn't state.
 */

import { asIs, folded, foldedKeys, noSpaces, oneKey } from '../../find/filters.ts';
import { byOwner } from '../../find/owners.ts';
import type { Stored } from '../../resource/stored.ts';
import { lowerCase } from '../../unicode/case-mapping.ts';
import type { Violation } from '../../validation/errors.ts';
import { anyCaseUuidPattern, canonicalUuid, isObject } from '../../validation/plain-values.ts';
import type { KindDeclarations } from '../attributes/declaration.ts';
import { declareAttributes } from '../attributes/declare.ts';
import { defineKind, type Kind, type KindDefinition } from '../kind.ts';
import { maxUserBytes, maxUserNameLength, User, UserInput } from './user.ts';
import { findUserNameFault, mappingVersion, mapUserName } from './user-name.ts';
import { findValidityFaults, userTimes } from './validity.ts';

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

const definition: KindDefinition<User, UserInput> = {
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
      member: 'emails',
      keys: (user) => user.emails?.map((email) => lowerCase(email.value)) ?? [],
      key: lowerCase,
      findsAbsence: true,
      ...noSpaces,
    },
    active: {
      keys: (user) => [String(user.active)],
      key: (value) => (value === 'true' || value === 'false' ? value : undefined),
      must: 'be true or false',
      isShared: true,
    },
    role: { member: 'roles', keys: (user) => user.roles ?? [], key: asIs, isShared: true },
    department: {
      member: 'enterprise.department',
      keys: (user) => foldedKeys(user.enterprise?.department),
      key: folded,
      isShared: true,
    },
    userType: { keys: (user) => foldedKeys(user.userType), key: folded, isShared: true },
    title: { keys: (user) => foldedKeys(user.title), key: folded, isShared: true },
    costCenter: {
      member: 'enterprise.costCenter',
      keys: (user) => foldedKeys(user.enterprise?.costCenter),
      key: folded,
      isShared: true,
    },
    city: {
      member: 'addresses',
      keys: (user) => user.addresses?.flatMap(({ locality }) => foldedKeys(locality)) ?? [],
      key: folded,
      isShared: true,
      description: 'Only users with an address whose `locality` is this, compared as `search` folds texts.',
    },
    /** In any case, as SCIM compares it. */
    employeeNumber: {
      member: 'enterprise.employeeNumber',
      keys: (user) => oneKey(user.enterprise?.employeeNumber).map(lowerCase),
      key: lowerCase,
      description: 'Only users whose `enterprise.employeeNumber` is this, in any case.',
    },
    manager: {
      member: 'enterprise.manager.value',
      keys: (user) => oneKey(user.enterprise?.manager?.value).map(lowerCase),
      key: lowerCase,
      isShared: true,
      findsAbsence: true,
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
};

export const userKind = defineKind(definition);

export const userKindWith = (declarations: KindDeclarations): Kind<User, UserInput> =>
  defineKind(declareAttributes(definition, declarations));

/** Browsers run these when they follow a link; `data:` may contain a page with a script, or an SVG image with one. */
const script = /^(javascript|vbscript|data(?!:image\/(?!svg))):/i;

/** The characters that a dot-atom doesn't have (RFC 5322 §3.2.3, RFC 6531 §3.3): a comma is nearly always a mistyped dot. */
const special = /[,;:()<>[\]"\\]|^\.|\.(?=\.|$)/;

function findScript(uri: string): string | undefined {
  const [, scheme] = script.exec(uri) ?? [];
  return scheme && `must not have the scheme ${scheme.toLowerCase()}, which can run scripts`;
}

function findDomainFault(address: string): string | undefined {
  const [found] = special.exec(address.slice(address.lastIndexOf('@') + 1)) ?? [];
  if (found === '.') return 'must have a letter or digit at both sides of each dot in its domain';
  return found && `must not have ${found} in its domain, such as example.org`;
}

type FindFault = typeof findScript;

function inText(pointer: string, text: unknown, findFault: FindFault): Violation[] {
  const detail = typeof text === 'string' ? findFault(text) : undefined;
  return detail === undefined ? [] : [{ pointer, detail }];
}

const inList = (name: string, list: unknown, findFault: FindFault): Violation[] =>
  (Array.isArray(list) ? list : []).flatMap((item: unknown, at) =>
    inText(`/${name}/${at}/value`, isObject(item) ? item.value : undefined, findFault),
  );

/** Roles that differ only by spaces at their ends look the same. */
function findRepeats(roles: unknown): Violation[] {
  const texts = (Array.isArray(roles) ? roles : []).map((role: unknown) => String(role).trim());
  if (new Set(texts).size === texts.length) return [];
  return [{ pointer: '/roles', detail: 'must not repeat an item, also with other spaces at its ends' }];
}

const findBlank = (text: string): string | undefined =>
  text.trim() === '' ? 'must not consist of spaces only' : undefined;

/**
 * Rules besides the schema. An XML Schema pattern can't exclude beginnings; and the published patterns also describe responses, which show addresses
 * that an earlier release accepted.
 * @param user whose valid parts have the types of the schema
 */
function findUserFaults(user: Readonly<Record<string, unknown>>): Violation[] {
  return [
    ...inText('/displayName', user.displayName, findBlank),
    ...findRepeats(user.roles),
    ...inText('/profileUrl', user.profileUrl, findScript),
    ...inList('photos', user.photos, findScript),
    ...inList('emails', user.emails, findDomainFault),
    ...findValidityFaults(user),
  ];
}
