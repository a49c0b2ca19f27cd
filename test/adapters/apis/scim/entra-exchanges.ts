/**
 * What Microsoft Entra ID sends, as its documentation and what its validator was seen to send show it: from the test of the connection
 * to the deletion that comes a month after somebody has left. In the order in which it is sent, to a directory without users.
 */
import {
  core,
  deletedAnswer,
  type Exchange,
  enterprise,
  listAnswer,
  patchBody,
  refusalAnswer,
  resource,
  userAnswer,
} from './exchanges.ts';
import { configAnswer, typesAnswer } from './exchanges-config.ts';

type Sent = Pick<Exchange, 'method' | 'path' | 'body'>;

/** Of the requests that bring one: it says nothing of what it accepts. */
const bodyHeaders = { 'Content-Type': 'application/scim+json; charset=utf-8' };

export const entra = (
  title: string,
  sent: Sent,
  answer: Exchange['answer'],
  headers: Exchange['headers'] = sent.body === undefined ? {} : bodyHeaders,
): Exchange => ({ title, headers, ...sent, answer });

/** @param attribute and value as they stand in the address */
const search = (attribute: string, value: string): Sent => ({
  method: 'GET',
  path: `/Users?filter=${attribute}+eq+%22${value}%22`,
});

const workEmail = 'emails%5Btype+eq+%22work%22%5D.value';

const connection: readonly Exchange[] = [
  entra(
    'tests the connection by looking for somebody who is nowhere',
    search('userName', '7d420df3-9995-4831-a406-ecf8166f5f6a'),
    listAnswer([]),
  ),
  entra(
    'looks for a name that nobody can have, with a space',
    search('userName', 'non-existent+user'),
    listAnswer([]),
  ),
  entra('asks what the service can do', { method: 'GET', path: '/ServiceProviderConfig' }, configAnswer, {
    Accept: 'application/scim+json',
  }),
  entra('asks what there is', { method: 'GET', path: '/ResourceTypes' }, typesAnswer),
  entra(
    'is told that there are no groups',
    { method: 'GET', path: '/Groups?excludedAttributes=members&filter=displayName+eq+%22x%22' },
    refusalAnswer(404, 'nothing'),
  ),
  entra(
    'is told that nobody has an id that is none',
    { method: 'GET', path: '/Users/5171a35d82074e068ce2' },
    refusalAnswer(404, 'no such user'),
  ),
];

/** As the documentation of a creation has it. */
const carol = {
  externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
  userName: 'Carol_00aa00aa-bb11-cc22-dd33-44ee44ee44ee',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'Carol_11bb11bb@entra.example' }],
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
};
const carolSent = { schemas: [core, enterprise], ...carol, meta: { resourceType: 'User' }, roles: [] };

const creation: readonly Exchange[] = [
  entra(
    'looks for the user by externalId before it makes one',
    search('externalId', carol.externalId),
    listAnswer([]),
  ),
  entra('looks for the user by userName', search('userName', carol.userName), listAnswer([])),
  entra(
    'looks for the user by the address for work',
    search(workEmail, 'Carol_11bb11bb%40entra.example'),
    listAnswer([]),
  ),
  entra(
    'makes a user',
    { method: 'POST', path: '/Users', body: carolSent },
    userAnswer(201, 'carol', 1, carol),
  ),
  entra(
    'reads the user, without the members that only a group has',
    { method: 'GET', path: '/Users/{{id carol}}?excludedAttributes=members' },
    userAnswer(200, 'carol', 1, carol),
  ),
  entra(
    'finds the user by externalId',
    search('externalId', carol.externalId),
    listAnswer([resource('carol', 1, carol)]),
  ),
  entra(
    'finds the user by the address for work, in other letters',
    search(workEmail, 'carol_11bb11bb%40ENTRA.example'),
    listAnswer([resource('carol', 1, carol)]),
  ),
  entra(
    'finds the user by an address with quotation marks as its validator sends them, not encoded',
    { method: 'GET', path: `/Users?filter=userName+eq+"${carol.userName}"` },
    listAnswer([resource('carol', 1, carol)]),
    { Accept: 'application/scim+json' },
  ),
  entra(
    'finds the user by two attributes',
    { method: 'GET', path: `/Users?filter=userName+eq+%22${carol.userName}%22+and+active+eq+true` },
    listAnswer([resource('carol', 1, carol)]),
  ),
  entra(
    'is told that the name is taken',
    { method: 'POST', path: '/Users', body: carolSent },
    refusalAnswer(409, 'taken', 'uniqueness'),
  ),
];

const carolRenamed = {
  ...carol,
  userName: '5b50642d-79fc-4410-9e90-4c077cdd1a59@entra.example',
  emails: [{ primary: true, type: 'work', value: 'updatedEmail@entra.example' }],
  name: { ...carol.name, familyName: 'updatedFamilyName' },
};

const documentedUpdates: readonly Exchange[] = [
  entra(
    'replaces a value in a list and a part of the name',
    {
      method: 'PATCH',
      path: '/Users/{{id carol}}',
      body: patchBody(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@entra.example' },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      ),
    },
    userAnswer(200, 'carol', 2, { ...carolRenamed, userName: carol.userName }),
  ),
  entra(
    'replaces the userName',
    {
      method: 'PATCH',
      path: '/Users/{{id carol}}',
      body: patchBody({ op: 'Replace', path: 'userName', value: carolRenamed.userName }),
    },
    userAnswer(200, 'carol', 3, carolRenamed),
  ),
  entra('no longer finds the user by the name before', search('userName', carol.userName), listAnswer([])),
  entra(
    'finds the user by the new name',
    search('userName', '5b50642d-79fc-4410-9e90-4c077cdd1a59%40entra.example'),
    listAnswer([resource('carol', 3, carolRenamed)]),
  ),
];

const danaSent = {
  externalId: '58342554-38d6-4ec8-948c-50044d0a33fd',
  userName: 'dana@entra.example',
  displayName: 'Dana Müller & Söhne <GmbH>',
  nickName: 'D.',
  profileUrl: 'https://people.entra.example/dana?tab=1&x=y',
  title: 'Senior Engineer',
  userType: 'Member',
  preferredLanguage: 'de-DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  name: {
    formatted: 'Dr. Dana Maria Müller III',
    familyName: 'Müller',
    givenName: 'Dana',
    middleName: 'Maria',
    honorificPrefix: 'Dr.',
    honorificSuffix: 'III',
  },
  ims: [{ type: 'skype', value: 'dana.müller' }],
  photos: [
    { type: 'photo', value: 'https://photos.entra.example/dana.jpg' },
    { type: 'thumbnail', value: 'https://photos.entra.example/dana-t.jpg' },
  ],
  entitlements: [{ value: 'vpn', display: 'Remote access', type: 'network' }],
  x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAw', type: 'signing' }],
};
const danaLists = {
  emails: [
    { primary: true, type: 'work', value: 'dana@entra.example', display: 'Dana' },
    { primary: false, type: 'home', value: 'dana@home.example' },
    { primary: false, type: 'other', value: 'dana@other.example' },
  ],
  phoneNumbers: [
    { type: 'work', value: '+49 30 901820', primary: true },
    { type: 'mobile', value: '+49 170 0000000', primary: false },
    { type: 'fax', value: '+49 30 901821', primary: false },
  ],
  addresses: [
    {
      type: 'work',
      primary: true,
      formatted: 'Straße 1\n10115 Berlin',
      streetAddress: 'Straße 1',
      locality: 'Berlin',
      region: 'BE',
      postalCode: '10115',
      country: 'DE',
    },
    { type: 'home', primary: false, locality: 'Potsdam', country: 'DE' },
    { type: 'other', primary: false, formatted: 'Postfach 12' },
  ],
};
const danaWork = {
  employeeNumber: '701984',
  costCenter: '4130',
  organization: 'Entra Example AG',
  division: 'Theme Park',
  department: 'Tour Operations',
};
/** As somebody writes it who knows no other kind of value: each boolean as a text. */
const withTextBooleans = (items: readonly { readonly primary?: boolean }[]) =>
  items.map((item) =>
    item.primary === undefined ? item : { ...item, primary: item.primary ? 'True' : 'False' },
  );

const dana = {
  ...danaSent,
  ...danaLists,
  active: true,
  roles: [{ value: 'Admin' }, { value: 'User' }],
  [enterprise]: {
    ...danaWork,
    manager: { value: '{{id carol}}', $ref: '{{url}}/scim/v2/Users/{{id carol}}' },
  },
};

const wholeCreation: readonly Exchange[] = [
  entra(
    'makes a user with all attributes, booleans as texts and the manager as a bare id',
    {
      method: 'POST',
      path: '/Users',
      body: {
        schemas: [core, enterprise],
        ...danaSent,
        active: 'True',
        emails: withTextBooleans(danaLists.emails),
        phoneNumbers: withTextBooleans(danaLists.phoneNumbers),
        addresses: withTextBooleans(danaLists.addresses),
        roles: ['Admin', 'User'].map((value) => ({
          primary: 'False',
          type: 'WindowsAzureActiveDirectoryRole',
          display: value,
          value,
        })),
        groups: [],
        meta: { resourceType: 'User' },
        [enterprise]: { ...danaWork, manager: '{{id carol}}' },
      },
    },
    userAnswer(201, 'dana', 1, dana),
  ),
  entra(
    'reads all attributes as they were sent',
    { method: 'GET', path: '/Users/{{id dana}}' },
    userAnswer(200, 'dana', 1, dana),
  ),
  entra(
    'asks whether somebody is the manager of the user',
    {
      method: 'GET',
      path: '/Users?attributes=id&filter=id+eq+%22{{id dana}}%22+and+manager+eq+%22{{id carol}}%22',
    },
    listAnswer([{ schemas: [core, enterprise], id: '{{id dana}}' }]),
  ),
  entra(
    'asks the same of somebody who is not',
    {
      method: 'GET',
      path: '/Users?attributes=id&filter=id+eq+%22{{id dana}}%22+and+manager+eq+%22{{id dana}}%22',
    },
    listAnswer([]),
  ),
];

const leaving = (who: string, count: number, title: string, value: unknown, op: string): Exchange =>
  entra(
    title,
    { method: 'PATCH', path: `/Users/{{id ${who}}}`, body: patchBody({ op, path: 'active', value }) },
    userAnswer(200, who, count, { ...carolRenamed, active: /true/i.test(String(value)) }),
  );

const lifecycle: readonly Exchange[] = [
  leaving('carol', 4, 'disables a user by a text', 'False', 'Replace'),
  entra(
    'finds the disabled user as it finds others',
    search('userName', '5b50642d-79fc-4410-9e90-4c077cdd1a59%40entra.example'),
    listAnswer([resource('carol', 4, { ...carolRenamed, active: false })]),
  ),
  leaving('carol', 5, 'restores the user by a text', 'True', 'Add'),
  leaving('carol', 6, 'disables the user by a boolean, as it does with its flag', false, 'replace'),
  entra('deletes the user a month later', { method: 'DELETE', path: '/Users/{{id carol}}' }, deletedAnswer),
  entra(
    'is told that the user is gone',
    { method: 'GET', path: '/Users/{{id carol}}' },
    refusalAnswer(404, 'no such user'),
  ),
  entra(
    'finds nobody under the name of who is gone',
    search('userName', '5b50642d-79fc-4410-9e90-4c077cdd1a59%40entra.example'),
    listAnswer([]),
  ),
  entra(
    'is told that who is gone cannot be deleted again',
    { method: 'DELETE', path: '/Users/{{id carol}}' },
    refusalAnswer(404, 'no such user'),
  ),
];

export const entraExchanges: readonly Exchange[] = [
  ...connection,
  ...creation,
  ...documentedUpdates,
  ...wholeCreation,
  ...lifecycle,
];
