/**
 * What Okta sends, as its documentation of SCIM 2.0 and its public test of SCIM servers show it: a connection that is tested, users who
 * are made, changed, deactivated and made active again. In the order in which it is sent, to a directory without users.
 */
import {
  core,
  type Exchange,
  enterprise,
  listAnswer,
  patchBody,
  refusalAnswer,
  resource,
  userAnswer,
  userXml,
} from './exchanges.ts';
import { configAnswer } from './exchanges-config.ts';

/** With each request, a GET too. */
export const oktaHeaders = {
  Accept: 'application/scim+json',
  'Accept-Charset': 'utf-8',
  'Content-Type': 'application/scim+json; charset=utf-8',
  'User-Agent': 'Okta SCIM Client 1.0.0',
  'Accept-Encoding': 'gzip,deflate',
};

type Sent = Pick<Exchange, 'method' | 'path' | 'body' | 'authorization'>;

const okta = (title: string, sent: Sent, answer: Exchange['answer'], headers = oktaHeaders): Exchange => ({
  title,
  headers,
  ...sent,
  answer,
});

/** @param name as it stands in the address */
const search = (name: string): Sent => ({
  method: 'GET',
  path: `/Users?filter=userName%20eq%20%22${name}%22&startIndex=1&count=100`,
});

const connection: readonly Exchange[] = [
  okta('tests the connection', { method: 'GET', path: '/Users?startIndex=1&count=2' }, listAnswer([])),
  okta('asks what the service can do', { method: 'GET', path: '/ServiceProviderConfig' }, configAnswer),
  okta(
    'is told that it brought no credentials that are known',
    { ...search('ada%40okta.example'), authorization: 'non-token' },
    refusalAnswer(401, 'Authorization'),
  ),
  okta(
    'is told that there are no groups',
    { method: 'GET', path: '/Groups?startIndex=1&count=100' },
    refusalAnswer(404, 'nothing'),
  ),
  okta(
    'is told that nobody has an id that is none',
    { method: 'GET', path: '/Users/00919288221112222' },
    refusalAnswer(404, 'no such user'),
  ),
];

/** As its public test sends it; other servers get it in another order of members. */
const grace = {
  schemas: [core],
  userName: 'grace@okta.example',
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [{ primary: true, value: 'grace@okta.example', type: 'work' }],
  displayName: 'Grace Hopper',
  active: true,
};

const ada = {
  schemas: [core],
  userName: 'ada@okta.example',
  name: { givenName: 'Ada', familyName: "O'Lovelace & <Söhne>" },
  emails: [{ primary: true, value: 'ada@okta.example', type: 'work' }],
  displayName: "Ada O'Lovelace & <Söhne>",
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  active: true,
};

const creation: readonly Exchange[] = [
  okta('looks for a user before it makes one', search('ada%40okta.example'), listAnswer([])),
  okta(
    'is told that passwords have no place here',
    { method: 'POST', path: '/Users', body: { ...ada, groups: [], password: '1mz050nq' } },
    refusalAnswer(400, 'passwords', 'invalidValue'),
  ),
  okta(
    'is told that a locale of its own is no language tag',
    { method: 'POST', path: '/Users', body: { ...ada, locale: 'en_US', groups: [] } },
    refusalAnswer(400, 'locale', 'invalidValue'),
  ),
  okta('finds that nobody was made by either', search('ada%40okta.example'), listAnswer([])),
  okta(
    'makes a user',
    { method: 'POST', path: '/Users', body: { ...ada, groups: [] } },
    userAnswer(201, 'ada', 1, ada),
  ),
  okta(
    'reads the user that it made',
    { method: 'GET', path: '/Users/{{id ada}}' },
    userAnswer(200, 'ada', 1, ada),
  ),
  okta('finds the user', search('ada%40okta.example'), listAnswer([resource('ada', 1, ada)])),
  okta(
    'finds the user by a name in capitals',
    search('ADA%40OKTA.EXAMPLE'),
    listAnswer([resource('ada', 1, ada)]),
  ),
  okta(
    'is told that the name is taken',
    { method: 'POST', path: '/Users', body: { ...ada, groups: [] } },
    refusalAnswer(409, 'taken', 'uniqueness'),
  ),
  okta(
    'makes a user by a request that says less of itself',
    { method: 'POST', path: '/Users', body: grace },
    userAnswer(201, 'grace', 1, grace),
    { ...oktaHeaders, 'Content-Type': 'application/json', Accept: 'application/scim+json; charset=utf-8' },
  ),
  okta(
    'counts users, without looking at more than one',
    { method: 'GET', path: '/Users?count=1&startIndex=3' },
    listAnswer([], { startIndex: 3, totalResults: 2 }),
  ),
];

const renamed = {
  ...ada,
  name: { givenName: 'Augusta', middleName: 'Ada', familyName: 'King' },
  displayName: 'Augusta “Ada” King & <Söhne> ]]> 𝄞',
  emails: [{ primary: true, value: 'ada@okta.example', type: 'work', display: 'ada@okta.example' }],
};
const department = { employeeNumber: '00042', department: 'Analytical Engines', costCenter: '4130' };
const manager = { value: '{{id grace}}', displayName: 'Grace Hopper' };
const placed = {
  ...renamed,
  schemas: [core, enterprise],
  nickName: 'Enchantress of Number',
  title: 'Countess',
  preferredLanguage: 'en',
  phoneNumbers: [{ value: '+44 20 7946 0958', type: 'work', primary: true }],
  addresses: [
    {
      streetAddress: '12 St James’s Square',
      locality: 'London',
      region: 'England',
      postalCode: 'SW1Y 4JH',
      country: 'GB',
      type: 'work',
      primary: true,
    },
  ],
};
const shownManager = {
  [enterprise]: { ...department, manager: { ...manager, $ref: '{{url}}/scim/v2/Users/{{id grace}}' } },
};

/** What comes with a resource and is Okta's to send back. */
const echoed = { id: '{{id ada}}', groups: [], meta: { resourceType: 'User' } };

const update: readonly Exchange[] = [
  okta(
    'reads the user before it changes it',
    { method: 'GET', path: '/Users/{{id ada}}' },
    userAnswer(200, 'ada', 1, ada),
  ),
  okta(
    'replaces the user by what it read, changed',
    { method: 'PUT', path: '/Users/{{id ada}}', body: { ...renamed, ...echoed } },
    userAnswer(200, 'ada', 2, renamed),
  ),
  okta(
    'replaces the user by one with a department and a manager, and with empty texts for what there is none of',
    {
      method: 'PUT',
      path: '/Users/{{id ada}}',
      body: {
        ...placed,
        ...echoed,
        userType: '',
        profileUrl: '',
        [enterprise]: { ...department, division: '', manager },
      },
    },
    userAnswer(200, 'ada', 3, { ...placed, ...shownManager }),
  ),
  okta(
    'is told that nothing was changed where one attribute does not fit',
    {
      method: 'PUT',
      path: '/Users/{{id ada}}',
      body: { ...renamed, ...echoed, emails: [{ primary: true, value: 'nowhere', type: 'work' }] },
    },
    refusalAnswer(400, 'emails[0].value', 'invalidValue'),
  ),
  okta(
    'reads the user unchanged after that',
    { method: 'GET', path: '/Users/{{id ada}}' },
    userAnswer(200, 'ada', 3, { ...placed, ...shownManager }),
  ),
];

const shown = { ...placed, ...shownManager };
const graceWith = { ...grace, externalId: '00uhr1815' };

const lifecycle: readonly Exchange[] = [
  okta(
    'deactivates a user by a PATCH without a path',
    {
      method: 'PATCH',
      path: '/Users/{{id ada}}',
      body: patchBody({ op: 'replace', value: { active: false } }),
    },
    userAnswer(200, 'ada', 4, { ...shown, active: false }),
  ),
  okta(
    'finds the user whom it deactivated',
    search('ada%40okta.example'),
    listAnswer([resource('ada', 4, { ...shown, active: false })]),
  ),
  okta(
    'is told that a password has no place in a PATCH either',
    {
      method: 'PATCH',
      path: '/Users/{{id ada}}',
      body: patchBody({ op: 'replace', value: { active: true, password: 'Aa1$rt6zP' } }),
    },
    refusalAnswer(400, 'passwords', 'invalidValue'),
  ),
  okta(
    'reads that the user stayed inactive',
    { method: 'GET', path: '/Users/{{id ada}}' },
    userAnswer(200, 'ada', 4, { ...shown, active: false }),
  ),
  okta(
    'makes the user active again',
    {
      method: 'PATCH',
      path: '/Users/{{id ada}}',
      body: patchBody({ op: 'replace', value: { active: true } }),
    },
    userAnswer(200, 'ada', 5, shown),
  ),
  okta(
    'links itself to a user that was there, by a PUT',
    { method: 'PUT', path: '/Users/{{id grace}}', body: { ...graceWith, id: '{{id grace}}', groups: [] } },
    userAnswer(200, 'grace', 2, graceWith),
  ),
  okta(
    "deactivates a user by a PUT, as an application of one's own does",
    {
      method: 'PUT',
      path: '/Users/{{id grace}}',
      body: { ...graceWith, id: '{{id grace}}', groups: [], active: false },
    },
    userAnswer(200, 'grace', 3, { ...graceWith, active: false }),
  ),
  okta(
    'makes the user active again by a PUT',
    { method: 'PUT', path: '/Users/{{id grace}}', body: { ...graceWith, id: '{{id grace}}', groups: [] } },
    userAnswer(200, 'grace', 4, graceWith),
  ),
  okta(
    'deactivates the user for good: it never deletes',
    {
      method: 'PATCH',
      path: '/Users/{{id grace}}',
      body: patchBody({ op: 'replace', value: { active: false } }),
    },
    userAnswer(200, 'grace', 5, { ...graceWith, active: false }),
  ),
];

export const oktaExchanges: readonly Exchange[] = [...connection, ...creation, ...update, ...lifecycle];

/** What the old XML client reads in the end, by the name of the user. */
export const oktaUsersInXml: Readonly<Record<string, string>> = {
  ada: userXml('ada', 5, [
    '<userName>ada@okta.example</userName><externalId>00ujl29u0le5T6Aj10h7</externalId>',
    '<name><familyName>King</familyName><givenName>Augusta</givenName><middleName>Ada</middleName></name>',
    '<displayName>Augusta “Ada” King &amp; &lt;Söhne&gt; ]]&gt; 𝄞</displayName><nickName>Enchantress of Number</nickName><title>Countess</title>',
    '<preferredLanguage>en</preferredLanguage><locale>en-US</locale><active>true</active>',
    '<emails><email><value>ada@okta.example</value><display>ada@okta.example</display><type>work</type>',
    '<primary>true</primary></email></emails><phoneNumbers><phoneNumber><value>+44 20 7946 0958</value>',
    '<type>work</type><primary>true</primary></phoneNumber></phoneNumbers><addresses><address>',
    '<streetAddress>12 St James’s Square</streetAddress><locality>London</locality><region>England</region>',
    '<postalCode>SW1Y 4JH</postalCode><country>GB</country><type>work</type><primary>true</primary></address>',
    '</addresses><enterprise><employeeNumber>00042</employeeNumber><costCenter>4130</costCenter>',
    '<department>Analytical Engines</department><manager><value>{{id grace}}</value>',
    '<displayName>Grace Hopper</displayName></manager></enterprise>',
  ]),
  grace: userXml('grace', 5, [
    '<userName>grace@okta.example</userName><externalId>00uhr1815</externalId>',
    '<name><familyName>Hopper</familyName><givenName>Grace</givenName></name>',
    '<displayName>Grace Hopper</displayName><active>false</active><emails><email>',
    '<value>grace@okta.example</value><type>work</type><primary>true</primary></email></emails>',
  ]),
};
