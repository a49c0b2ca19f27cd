/** What clients of a release write into the stores of its fixtures. All names are invented. */
import { idOf } from './fixture.ts';

interface FixtureWrite {
  readonly client: string;
  readonly method: string;
  readonly target: string;
  readonly type?: string;
  readonly body?: string;
}

const json = 'application/json';
const xml = 'application/xml';
const patch = 'application/merge-patch+json';
const scim = 'application/scim+json';

const write = (
  client: string,
  request: string,
  body?: unknown,
  type: string = request.startsWith('PATCH') ? patch : json,
): FixtureWrite => {
  const [method = '', target = ''] = request.split(' ');
  if (body === undefined) return { client, method, target };
  return { client, method, target, type, body: typeof body === 'string' ? body : JSON.stringify(body) };
};

const xmlOf = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="urn:user-management:1">${content}</${root}>`;

export const scimUser = 'urn:ietf:params:scim:schemas:core:2.0:User';
const scimGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Names that are mapped, folded and sorted by the Unicode tables. */
const people: readonly (readonly [userName: string, displayName: string, familyName: string])[] = [
  ['straße.17', 'Groß Straßenfeger', 'Straßenfeger'],
  ['ŁUKASZ.ŻÓŁW', 'Łukasz Żółw', 'Żółw'],
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ ΠΕΤΡΑΣ', 'ΠΕΤΡΑΣ'],
  ['ilknur', 'İlknur Yıldızsız', 'Yıldızsız'],
  ['cafe\u0301', 'Cafe\u0301 Le\u0301ger', 'Le\u0301ger'],
  ['ｆｕｌｌ', 'Ｆｕｌｌ Width', 'Width'],
  ['山田', '山田 一例', '山田'],
  ['ærø', 'Ærø Øresund', 'Øresund'],
  ['дарья', 'Дарья Вымышленная', 'Вымышленная'],
  ['ngoc', 'Nguyễn Ngọc Ví Dụ', 'Nguyễn'],
];

const phone = { value: 'tel:+1-201-555-0123', type: 'work' };

const created: readonly FixtureWrite[] = [
  write('hr', 'POST /users', {
    ...{
      id: idOf(1),
      userName: 'Quill',
      externalId: 'hr-1',
      displayName: 'Quentin Quill',
      title: 'Head Clerk',
    },
    name: { familyName: 'Quill', givenName: 'Quentin', honorificPrefix: 'Dr.' },
    emails: [
      { value: 'Quill@Example.org', type: 'work', primary: true },
      { value: 'qq@example.com', type: 'home' },
    ],
    ...{ phoneNumbers: [phone], roles: ['clerk', 'Chief'], userType: 'employee', locale: 'en-GB' },
    ...{ attributes: { floor: '2', costCenter: '4711' }, timezone: 'Europe/Amsterdam' },
    addresses: [{ streetAddress: '1 Nowhere Lane', locality: 'Erewhon', country: 'NL', type: 'work' }],
    enterprise: { department: 'Archive', employeeNumber: '17', organization: 'Example' },
  }),
  write(
    'mainframe',
    'POST /users',
    xmlOf(
      'user',
      `<id>${idOf(2)}</id><userName>r.rowan</userName><externalId>hr-2</externalId><name><familyName>Rowan &amp; Sons</familyName></name><displayName>Rita Rowan</displayName><active>false</active><emails><email><value>rita@example.org</value></email></emails><roles><role>clerk</role></roles>`,
    ),
    xml,
  ),
  write('hr', 'POST /users', { id: idOf(3), userName: 'sable', displayName: 'Sam Sable' }),
  write(
    'idp',
    `PUT /scim/v2/Users/${idOf(3)}`,
    {
      ...{ schemas: [scimUser, enterprise], externalId: 'idp-3', userName: 'Sable', active: true },
      ...{ displayName: 'Samuel Sable', name: { familyName: 'Sable' }, roles: [{ value: 'auditor' }] },
      [enterprise]: { department: 'Audit', manager: { value: idOf(1) } },
    },
    scim,
  ),
  // SCIM leaves the choice of ids to the service.
  write(
    'idp',
    'POST /scim/v2/Users',
    { schemas: [scimUser], userName: 'xerus@example.org', name: { givenName: 'Xenia', familyName: 'Xerus' } },
    scim,
  ),
  ...people.map(([userName, displayName, familyName], at) =>
    write('hr', 'POST /users', {
      ...{ id: idOf(4 + at), userName, displayName, name: { familyName }, active: at % 3 !== 0 },
      ...{ emails: [{ value: `person${at}@example.org` }], roles: [at % 2 === 0 ? 'reader' : 'writer'] },
      ...(at < 3 && { enterprise: { department: 'ARCHIVE', manager: { value: idOf(1) } } }),
    }),
  ),
  ...['Tern', 'Umber', 'Vole', 'Wren'].map((name, at) =>
    write('helpdesk', 'POST /users', { id: idOf(14 + at), userName: name, displayName: `${name} Temporary` }),
  ),
  write('hr', 'POST /groups', {
    ...{ id: idOf(101), displayName: 'Archivists', externalId: 'org-1', description: 'All who file' },
  }),
  write(
    'mainframe',
    'POST /groups',
    xmlOf('group', `<id>${idOf(102)}</id><displayName>Ærø &amp; Straße</displayName>`),
    xml,
  ),
  write('hr', 'POST /groups', { id: idOf(103), displayName: 'Audit' }),
  write(
    'idp',
    'POST /scim/v2/Groups',
    { schemas: [scimGroup], displayName: 'Provisioned', members: [{ value: idOf(3) }, { value: idOf(5) }] },
    scim,
  ),
  write('hr', 'POST /groups', { id: idOf(104), displayName: 'Short-lived' }),
  write('hr', 'POST /groups', { id: idOf(105), displayName: 'Without members' }),
];

const changed: readonly FixtureWrite[] = [
  write('hr', `POST /groups/${idOf(101)}/members`, { add: [1, 2, 4, 5, 6, 7, 14, 15].map(idOf) }),
  write('helpdesk', `DELETE /groups/${idOf(101)}/members/${idOf(6)}`),
  write('hr', `PUT /groups/${idOf(102)}/members/${idOf(4)}`),
  write('hr', `PUT /groups/${idOf(102)}/members/${idOf(8)}`),
  write(
    'mainframe',
    `POST /groups/${idOf(102)}/members`,
    xmlOf('members', `<add><id>${idOf(9)}</id></add><remove><id>${idOf(4)}</id></remove>`),
    xml,
  ),
  write('hr', `POST /groups/${idOf(104)}/members`, { add: [1, 8, 16].map(idOf) }),
  write(
    'idp',
    `PATCH /scim/v2/Groups/${idOf(103)}`,
    {
      schemas: [patchOp],
      Operations: [
        { op: 'add', path: 'members', value: [{ value: idOf(10) }] },
        { op: 'remove', path: `members[value eq "${idOf(5)}"]` },
      ],
    },
    scim,
  ),
  write(
    'idp',
    `PUT /scim/v2/Groups/${idOf(103)}`,
    {
      schemas: [scimGroup],
      displayName: 'Auditors',
      members: [{ value: idOf(11) }, { value: idOf(12) }, { value: idOf(14) }],
    },
    scim,
  ),
  write('helpdesk', `PATCH /users/${idOf(1)}`, {
    title: null,
    attributes: { floor: '3', seat: '12' },
    roles: ['Chief'],
  }),
  write(
    'mainframe',
    `PUT /users/${idOf(2)}`,
    xmlOf('user', '<userName>r.rowan</userName><displayName>Rita Rowan-Ross</displayName>'),
    xml,
  ),
  write(
    'idp',
    `PATCH /scim/v2/Users/${idOf(3)}`,
    { schemas: [patchOp], Operations: [{ op: 'replace', path: 'active', value: false }] },
    scim,
  ),
  write('helpdesk', `PATCH /users/${idOf(5)}`, { displayName: 'Łucja Żółw', userName: 'Łucja' }),
  write('hr', `PATCH /groups/${idOf(101)}`, { description: 'All who file and find' }),
];

const removed: readonly FixtureWrite[] = [
  // A member of two groups, a member of one who is erased, a user without groups, and a group with members.
  write('hr', `DELETE /users/${idOf(14)}`),
  write('hr', `DELETE /users/${idOf(15)}?erase=true`),
  write('idp', `DELETE /scim/v2/Users/${idOf(17)}`),
  write('hr', `DELETE /groups/${idOf(104)}`),
];

export const writes: readonly FixtureWrite[] = [...created, ...changed, ...removed];

/** For the command `import`: two new users. */
export const imported: string = [
  { id: idOf(31), userName: 'import.one', displayName: 'Imogen One', emails: [{ value: 'one@example.org' }] },
  { id: idOf(32), userName: 'import.two', displayName: 'Ingmar ﬁnch', roles: ['reader'] },
]
  .map((user) => `${JSON.stringify(user)}\n`)
  .join('');

/** For the command `copy`, in the store that is copied from. */
export const copied: string = `${JSON.stringify({ id: idOf(41), userName: 'copied', displayName: 'Cora Copied' })}\n`;
