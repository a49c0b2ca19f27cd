/** Directories and profiles by chance: few values in many members, so that a search or a filter finds what others hide. */
import fc from 'fast-check';
import type { Declarations } from '../../src/domain/kinds/attributes/declaration.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import type { Document, Profile, Rules } from './profile-model.ts';

export const declarations = {
  attributes: {
    system: { type: 'string', filter: true, search: true },
    badge: { type: 'integer', unique: true },
    remote: { type: 'boolean', filter: true },
  },
} as const satisfies Declarations;

export const kinds = kindsOf(declarations);

const idOf = (sort: string) => (_: unknown, at: number) => `${sort}0000000-0000-4000-8000-00000000000${at}`;
export const userIds = Array.from({ length: 7 }, idOf('a'));
export const groupIds = Array.from({ length: 4 }, idOf('b'));
/** Of what a client creates with an id of its own. */
export const freeIds = Array.from({ length: 3 }, idOf('c'));

export const word = fc.constantFrom('red', 'blue', 'sales', 'ann');
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(value, { minLength: 1, maxLength: 2 });
const emails = some(fc.record({ value: word.map((one) => `${one}@example.org`) }));
const anId = fc.constantFrom(...userIds, freeIds[0] as string);
const partOf = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Document> =>
  fc.record(members, { requiredKeys: [] }).filter((value) => Object.keys(value).length > 0);

/** Besides `userName`. */
export const userMembers = {
  externalId: word,
  name: partOf({ familyName: word, givenName: word }),
  displayName: word,
  nickName: word,
  title: word,
  userType: word,
  active: fc.boolean(),
  emails,
  phoneNumbers: some(fc.record({ value: fc.constantFrom('+49 30 11', '+49 30 22') })),
  addresses: some(fc.record({ locality: word })),
  roles: fc.uniqueArray(word, { minLength: 1, maxLength: 2 }),
  x509Certificates: some(fc.record({ value: fc.constantFrom('cmVk', 'Ymx1ZQ==') })),
  enterprise: partOf({
    ...{ employeeNumber: word, costCenter: word, department: word },
    manager: fc.record({ value: anId }),
  }),
  attributes: partOf({
    ...{ system: word, badge: fc.integer({ min: 1, max: 9 }), remote: fc.boolean(), hue: word },
  }),
};

export const groupMembers = { externalId: word, description: word, attributes: partOf({ hue: word }) };

export const userNames = fc
  .tuple(fc.constantFrom('ann', 'Red'), fc.integer({ min: 0, max: 9 }))
  .map(([name, at]) => `${name}${at}`);
export const groupNames = fc
  .tuple(fc.constantFrom('blue', 'Sales'), fc.integer({ min: 0, max: 6 }))
  .map(([name, at]) => `${name} ${at}`);

export interface Directory {
  readonly users: readonly Document[];
  readonly groups: readonly Document[];
  /** The ids of users, by the position of the group. */
  readonly members: readonly (readonly string[])[];
}

const datesOf = (at: number) => ({
  created: `2024-01-0${((at * 5) % 7) + 1}T00:00:00.000Z`,
  lastModified: `2025-01-0${((at * 3) % 7) + 1}T00:00:00.000Z`,
  version: `v${at}`,
});

/** @param at no two users have the same badge */
const aUser = (id: string, at: number): fc.Arbitrary<Document> =>
  fc
    .tuple(fc.constantFrom('ann', 'Red'), fc.record(userMembers, { requiredKeys: ['active'] }))
    .map(([name, { attributes, ...members }]) => ({
      id,
      userName: `${name}${at}`,
      ...members,
      ...(attributes && {
        attributes: 'badge' in attributes ? { ...attributes, badge: 11 * (at + 1) } : attributes,
      }),
      meta: datesOf(at),
    }));

const aGroup = (id: string, at: number): fc.Arbitrary<Document> =>
  fc
    .tuple(fc.constantFrom('blue', 'Sales'), fc.record(groupMembers, { requiredKeys: [] }))
    .map(([name, members]) => ({ id, displayName: `${name} ${at}`, ...members, meta: datesOf(at) }));

export const anyDirectory: fc.Arbitrary<Directory> = fc.record({
  users: fc.tuple(...userIds.map(aUser)),
  groups: fc.tuple(...groupIds.map(aGroup)),
  members: fc.tuple(...groupIds.map(() => fc.subarray(userIds))),
});

const userNamesInRules = [
  ...['userName', 'externalId', 'name', 'name.familyName', 'displayName', 'nickName', 'title', 'userType'],
  ...['active', 'emails', 'phoneNumbers', 'addresses', 'roles', 'x509Certificates', 'enterprise'],
  ...['enterprise.department', 'enterprise.costCenter', 'enterprise.employeeNumber', 'enterprise.manager'],
  ...['attributes', 'attributes.system', 'attributes.badge', 'attributes.remote', 'attributes.hue'],
];
const groupNamesInRules = ['displayName', 'externalId', 'description', 'attributes', 'members'];

const words = fc.oneof(word, fc.subarray(['red', 'blue', 'sales'], { minLength: 1 }));
const userFilters = fc.oneof(
  ...['department', 'title', 'userType', 'role', 'externalId', 'attributes.system'].map((name) =>
    words.map((value) => ({ [name]: value })),
  ),
  fc.boolean().map((active) => ({ active })),
  fc.constantFrom({ 'title.exists': true }, { 'role.exists': false }, { 'attributes.system.exists': true }),
  word.map((role) => ({ 'role.not': role })),
  fc.tuple(word, fc.boolean()).map(([title, active]) => ({ title, active })),
);
const groupFilters = fc.oneof(
  words.map((externalId) => ({ externalId })),
  fc.constant({ 'externalId.exists': true }),
  fc.constant({ displayName: ['blue 0', 'Sales 1', 'Sales 2', 'blue 5'] }),
);

/** @param needed the member without which nothing can be created */
function anyRules(
  filters: fc.Arbitrary<Document>,
  names: readonly string[],
  needed: string,
): fc.Arbitrary<Rules> {
  const all = fc.constant('*' as const);
  const most = fc.subarray([...names], { minLength: 3 });
  return fc
    .record({
      where: fc.option(filters, { nil: undefined, freq: 4 }),
      read: fc.oneof(all, most),
      except: fc.subarray([...names], { maxLength: 3 }),
      write: fc.oneof(all, most),
      create: fc.boolean(),
      delete: fc.boolean(),
    })
    .map(({ where, create, ...rules }) => {
      const isNeeded = ({ read, except }: Pick<Rules, 'read' | 'except'>): boolean =>
        (read === '*' || read.includes(needed)) && !(except ?? []).includes(needed);
      return { ...rules, ...(where && { where }), create: create && isNeeded(rules) };
    });
}

export const anyProfile: fc.Arbitrary<Profile> = fc
  .record({
    users: anyRules(userFilters, userNamesInRules, 'userName'),
    groups: fc.option(anyRules(groupFilters, groupNamesInRules, 'displayName'), { nil: undefined, freq: 8 }),
  })
  .map(({ users, groups }) => ({ users, ...(groups && { groups }) }));
