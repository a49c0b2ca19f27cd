/** Users to be paged through, filters that find some of them, and what each finds by the plain meaning of its words. */
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { answer } from '../../../contract/query-oracle.ts';
import { aUser } from '../../../support/a-user.ts';
import { idOf } from '../../../support/sortable-users.ts';

const displayNames = ['adam', 'Ádele', 'Zoë', undefined, 'zoe a', 'Adam'];
const familyNames = ['Hopper', undefined, 'de Vries'];

function personAt(number: number): User {
  const displayName = displayNames[number % displayNames.length];
  const familyName = familyNames[number % familyNames.length];
  const user = aUser({
    id: idOf(number),
    // Not in the order of the ids.
    userName: `user-${(number * 7919) % 10_007}`,
    externalId: `key-${number}`,
    active: number % 3 !== 0,
    title: number % 10 === 4 ? 'The Boss' : 'clerk',
    emails: [
      { value: `user${number}@work.example`, type: 'work', primary: true },
      { value: `user${number}@home.example`, type: 'home' },
    ],
    ...(number % 50 === 1 ? { roles: ['auditor', 'reader'] } : { roles: ['reader'] }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(familyName === undefined ? {} : { name: { familyName } }),
    ...(number % 2 === 0 ? { enterprise: { department: `D${number % 20}` } } : {}),
  });
  const day = String(1 + (number % 28)).padStart(2, '0');
  const created = `2026-01-${day}T03:04:05.678Z`;
  return { ...user, meta: { ...user.meta, created, lastModified: `2026-02-${day}T03:04:05.678Z` } };
}

export const someone = (count: number, first = 0): User[] =>
  Array.from({ length: count }, (_, at) => personAt(first + at));

const has = (user: User, value: string): boolean => (user.emails ?? []).some((one) => one.value === value);

/** By filter; the empty one is none. */
export const meanings: Readonly<Record<string, (user: User) => boolean>> = {
  '': () => true,
  'userName eq "USER-7919"': ({ userName }) => userName === 'user-7919',
  'userName eq "nobody"': () => false,
  'externalId eq "Key-4"': () => false,
  'active eq true': ({ active }) => active,
  'roles eq "auditor"': ({ roles }) => roles?.includes('auditor') === true,
  'not (roles eq "auditor")': ({ roles }) => roles?.includes('auditor') !== true,
  'not (userName eq "nobody")': () => true,
  'externalId pr and active ne false': ({ externalId, active }) => externalId !== undefined && active,
  'not (emails pr) or externalId eq null': ({ emails, externalId }) =>
    emails === undefined || externalId === undefined,
  'active eq false and roles.value eq "reader"': ({ active }) => !active,
  'active eq false and title co "BOSS"': ({ active, title }) => !active && title === 'The Boss',
  'title ew "oss"': ({ title }) => title === 'The Boss',
  'name.familyName sw "de V"': ({ name }) => name?.familyName === 'de Vries',
  'not (active eq true) and displayName pr': ({ active, displayName }) =>
    !active && displayName !== undefined,
  'externalId eq "key-3" or emails eq "USER4@work.example" or roles eq "auditor"': (user) =>
    user.externalId === 'key-3' ||
    has(user, 'user4@work.example') ||
    user.roles?.includes('auditor') === true,
  'emails[type eq "work" and value ew "7@work.example"]': ({ externalId = '' }) => externalId.endsWith('7'),
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "d6"': ({ enterprise }) =>
    enterprise?.department === 'D6',
};

/** As a client writes it, and as the directory calls it. */
export const sorts: readonly (readonly [sortBy: string, by: string | undefined])[] = [
  ['id', undefined],
  ['userName', 'userName'],
  ['displayName', 'displayName'],
  ['name.familyName', 'familyName'],
  ['title', 'title'],
  ['department', 'department'],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', 'department'],
  ['meta.created', 'created'],
  ['META.lastModified', 'lastModified'],
];

/** The ids of those who match, in their order. */
export const found = (
  users: readonly User[],
  filter: string,
  by?: string | undefined,
  descending = false,
): string[] =>
  answer(users, { filters: {}, search: '', by, descending })
    .filter((user) => meanings[filter]?.(user) === true)
    .map(({ id }) => id);
