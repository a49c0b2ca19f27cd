/** Okta's test of a connection, and how it makes users. */
import { core, type Exchange, listAnswer, refusalAnswer, resource, userAnswer } from './exchanges.ts';
import { configAnswer } from './exchanges-config.ts';
import { okta, oktaHeaders, search } from './okta-requests.ts';

export const connection: readonly Exchange[] = [
  okta('tests the connection', { method: 'GET', path: '/Users?startIndex=1&count=2' }, listAnswer([])),
  okta('asks what the service can do', { method: 'GET', path: '/ServiceProviderConfig' }, configAnswer),
  okta(
    'is told that it brought no credentials that are known',
    { ...search('ada%40okta.example'), authorization: 'non-token' },
    refusalAnswer(401, 'Authorization'),
  ),
  okta(
    'is told that its credentials are for users only',
    { method: 'GET', path: '/Groups?startIndex=1&count=100' },
    refusalAnswer(403, 'groups:read'),
  ),
  okta(
    'is told that nobody has an id that is none',
    { method: 'GET', path: '/Users/00919288221112222' },
    refusalAnswer(404, 'no such user'),
  ),
];

/** As its public test sends it; other servers get it in another order of members. */
export const grace = {
  schemas: [core],
  userName: 'grace@okta.example',
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [{ primary: true, value: 'grace@okta.example', type: 'work' }],
  displayName: 'Grace Hopper',
  active: true,
};

export const ada = {
  schemas: [core],
  userName: 'ada@okta.example',
  name: { givenName: 'Ada', familyName: "O'Lovelace & <Söhne>" },
  emails: [{ primary: true, value: 'ada@okta.example', type: 'work' }],
  displayName: "Ada O'Lovelace & <Söhne>",
  locale: 'en-US',
  externalId: '00u7q1k5fzAda0wXy4x7',
  active: true,
};

export const creation: readonly Exchange[] = [
  okta('looks for a user before it makes one', search('ada%40okta.example'), listAnswer([])),
  okta(
    'is told that the name of a language is no language tag',
    { method: 'POST', path: '/Users', body: { ...ada, locale: 'English (US)', groups: [] } },
    refusalAnswer(400, 'locale', 'invalidValue'),
  ),
  okta('finds that nobody was made by that', search('ada%40okta.example'), listAnswer([])),
  okta(
    'makes a user, with a locale in its own writing, and a password of its own making, which nobody keeps',
    { method: 'POST', path: '/Users', body: { ...ada, locale: 'en_US', groups: [], password: 'kG7-vq2Ld' } },
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
