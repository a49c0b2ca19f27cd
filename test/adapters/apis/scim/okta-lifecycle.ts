/** How Okta changes users, and how it lets them go and come back. */
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
import { ada, grace } from './okta-creation.ts';
import { okta, search } from './okta-requests.ts';

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
const shownManager = { [enterprise]: { ...department, manager } };

/** What comes with a resource and is Okta's to send back. */
const echoed = { id: '{{id ada}}', groups: [], meta: { resourceType: 'User' } };

export const update: readonly Exchange[] = [
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
    'is told that a password has no place in a PUT',
    { method: 'PUT', path: '/Users/{{id ada}}', body: { ...renamed, ...echoed, password: 'wT4-mm8Rs' } },
    refusalAnswer(400, 'passwords', 'invalidValue'),
  ),
  okta(
    'reads the user unchanged after that',
    { method: 'GET', path: '/Users/{{id ada}}' },
    userAnswer(200, 'ada', 3, { ...placed, ...shownManager }),
  ),
];

const shown = { ...placed, ...shownManager };
const graceWith = { ...grace, externalId: '00uhr1815' };

export const lifecycle: readonly Exchange[] = [
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
    'is told that a password has no place in a PATCH',
    {
      method: 'PATCH',
      path: '/Users/{{id ada}}',
      body: patchBody({ op: 'replace', value: { active: true, password: 'wT4-mm8Rs' } }),
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

/** What the old XML client reads in the end, by the name of the user. */
export const oktaUsersInXml: Readonly<Record<string, string>> = {
  ada: userXml('ada', 5, [
    '<userName>ada@okta.example</userName><externalId>00u7q1k5fzAda0wXy4x7</externalId>',
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
