/** What is read from a store of the fixtures: every way in which clients find and see what a release stored. */
import { idOf } from './fixture.ts';
import { scimUser } from './writes.ts';

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

const ofUsers = [
  ...[
    'userName',
    '-userName',
    'displayName',
    '-displayName',
    'familyName',
    'created',
    '-lastModified',
    '-id',
  ].map((sort) => `sort=${sort}`),
  ...['userName=QUILL', 'userName=STRASSE.17', 'userName=straße.17', 'userName=łUCJA', 'userName=full'],
  ...['userName=CAFÉ', 'userName=σίσυφος', 'externalId=hr-1', 'email=quill@example.org', 'active=false'],
  ...[
    'role=Chief',
    'department=archive',
    'userType=EMPLOYEE',
    `manager=${idOf(1)}`,
    'search=zolw',
    'search=strasse',
  ],
  ...[
    'search=山',
    'search=oresund',
    'search=yildizsiz',
    'search=nguyen+vi',
    'search=5550123',
    'search=leger+cafe',
  ],
  ...[101, 102, 103, 104].map((group) => `group=${idOf(group)}`),
  'search=o&sort=-displayName&total=true&active=true',
  'created.from=2020-01-01T00:00:00Z&created.to=2100-01-01T00:00:00Z&total=true',
].map((query) => `/users?${query}`);

const ofGroups = [
  ...['sort=displayName', 'sort=-created', 'displayName=ærø+%26+STRAßE', 'externalId=org-1', 'search=archiv'],
  ...[1, 4, 8, 11, 14].map((user) => `member=${idOf(user)}`),
].map((query) => `/groups?${query}`);

const ofScim = [
  ...['Users', 'Groups', 'Groups?excludedAttributes=members', 'Users?startIndex=4&count=3'],
  ...[
    'Users?sortBy=userName&sortOrder=descending&attributes=userName',
    `Groups/${idOf(101)}`,
    `Users/${idOf(3)}`,
  ],
  ...[
    'userName eq "SABLE"',
    'name.familyName co "w"',
    `${scimUser}:active eq false and roles[value eq "writer"]`,
  ].map((filter) => `Users?attributes=userName&filter=${encodeURIComponent(filter)}`),
  `Groups?filter=${encodeURIComponent(`members.value eq "${idOf(11)}"`)}`,
  `Users/${idOf(1)}?attributes=groups`,
].map((query) => `/scim/v2/${query}`);

export interface Read {
  readonly target: string;
  readonly accept: string;
}

const json = (targets: readonly string[]): readonly Read[] =>
  targets.map((target) => ({ target, accept: 'application/json' }));
const xml = (targets: readonly string[]): readonly Read[] =>
  targets.map((target) => ({ target, accept: 'application/xml' }));
const brief = (target: string): string => `${target}&limit=4`;

/** A page that has another one behind it is followed to the end. */
export const reads: readonly Read[] = [
  ...json([
    '/users?limit=9&total=true',
    '/groups?limit=3&total=true',
    '/changes?since=start',
    '/history?limit=9',
  ]),
  ...xml(['/users?limit=50', '/groups', '/changes?since=start&limit=100', '/history?limit=100']),
  ...json([...ofUsers, ...ofGroups].map(brief)),
  ...xml(['/users?sort=userName&limit=4', '/users?search=strasse', `/users?group=${idOf(103)}`]),
  ...json([1, 15, 17].map((user) => `/users/${idOf(user)}`)),
  ...json([101, 104].map((group) => `/groups/${idOf(group)}`)),
  ...xml([`/users/${idOf(4)}`, `/groups/${idOf(102)}`]),
  ...json([1, 6, 14].map((user) => `/groups/${idOf(101)}/members/${idOf(user)}`)),
  ...json([1, 2, 5, 14, 15, 17, 31, 41].map((user) => `/users/${idOf(user)}/history`)),
  ...json(range(101, 104).map((group) => `/groups/${idOf(group)}/history`)),
  ...ofScim.map((target) => ({ target, accept: 'application/scim+json' })),
];
