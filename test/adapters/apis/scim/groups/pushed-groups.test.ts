import { entra } from '../entra-requests.ts';
import {
  core,
  deletedAnswer,
  type Exchange,
  listAnswer,
  patchBody,
  refusalAnswer,
  userAnswer,
} from '../exchanges.ts';
import { type OpenedService, onEachStore } from '../exchanges-services.ts';
import { okta } from '../okta-requests.ts';
import { groupUrn } from './group-client.ts';
import { changedAnswer, group, groupAnswer, member } from './group-exchanges.ts';

const user = (name: string) => ({
  schemas: [core],
  userName: `${name}@push.example`,
  displayName: name,
  active: true,
});

const makeUsers = (send: typeof okta): readonly Exchange[] =>
  ['Ada', 'Grace'].map((name) =>
    send(
      `makes ${name}, who becomes a member`,
      { method: 'POST', path: '/Users', body: user(name) },
      userAnswer(201, name, 1, user(name)),
    ),
  );

const one = (who: string) => `/Groups/{{id ${who}}}`;
const ada = member('Ada', 'Ada');
const grace = member('Grace', 'Grace');

/** Ids are in no known order: the names are. */
const bothIn = (who: string): [Pick<Exchange, 'method' | 'path'>, Exchange['answer']] => [
  {
    method: 'GET',
    path: `/Users?filter=groups.value+eq+%22{{id ${who}}}%22&sortBy=displayName&attributes=displayName`,
  },
  listAnswer(['Ada', 'Grace'].map((name) => ({ schemas: [core], id: `{{id ${name}}}`, displayName: name }))),
];

/** Entra ID makes a group empty, looks for it without members, and changes them one by one. */
const entraGroup = { displayName: 'Engineering', externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159' };
const entraSearch = `/Groups?excludedAttributes=members&filter=displayName+eq+%22Engineering%22`;
const entraPushes: readonly Exchange[] = [
  ...makeUsers(entra),
  entra('tests the connection by a random group', { method: 'GET', path: entraSearch }, listAnswer([])),
  entra(
    'makes a group without members',
    {
      ...{ method: 'POST', path: '/Groups' },
      body: {
        schemas: [groupUrn, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
        ...entraGroup,
        members: [],
        meta: { resourceType: 'Group' },
      },
    },
    groupAnswer(201, 'eng.1', { ...entraGroup, members: [] }),
  ),
  entra(
    'finds it, without members',
    { method: 'GET', path: entraSearch },
    listAnswer([group('eng.1', entraGroup)]),
  ),
  entra(
    'reads it, without members',
    { method: 'GET', path: `${one('eng')}?excludedAttributes=members` },
    groupAnswer(200, 'eng.1', entraGroup),
  ),
  entra(
    'adds a member',
    {
      ...{ method: 'PATCH', path: one('eng') },
      body: patchBody({ op: 'Add', path: 'members', value: [{ value: '{{id Ada}}' }] }),
    },
    changedAnswer,
  ),
  entra(
    'adds another one, in its old form, and one that is there',
    {
      ...{ method: 'PATCH', path: one('eng') },
      body: patchBody(
        { op: 'Add', path: 'members', value: [{ $ref: null, value: '{{id Grace}}' }] },
        { op: 'Add', path: 'members', value: [{ value: '{{id Ada}}' }] },
      ),
    },
    changedAnswer,
  ),
  entra(
    'reads the group with both',
    { method: 'GET', path: one('eng') },
    { ...groupAnswer(200, 'eng.2', entraGroup, 'eng.1'), apart: ['members'] },
  ),
  entra('has added both', ...bothIn('eng')),
  entra(
    'removes a member by the value of the operation',
    {
      ...{ method: 'PATCH', path: one('eng') },
      body: patchBody({ op: 'Remove', path: 'members', value: [{ value: '{{id Ada}}' }] }),
    },
    changedAnswer,
  ),
  entra(
    'has removed this one alone',
    { method: 'GET', path: one('eng') },
    groupAnswer(200, 'eng.3', { ...entraGroup, members: [grace] }, 'eng.1'),
  ),
  entra(
    'removes a member by a filter, with the flag aadOptscim062020',
    {
      ...{ method: 'PATCH', path: one('eng') },
      body: patchBody({ op: 'remove', path: 'members[value eq "{{id Grace}}"]' }),
    },
    changedAnswer,
  ),
  entra(
    'renames the group',
    {
      ...{ method: 'PATCH', path: one('eng') },
      body: patchBody({ op: 'Replace', path: 'displayName', value: 'Engines' }),
    },
    changedAnswer,
  ),
  entra(
    'has renamed the group, which is empty',
    { method: 'GET', path: one('eng') },
    groupAnswer(200, 'eng.4', { ...entraGroup, displayName: 'Engines', members: [] }),
  ),
  entra('deletes the group', { method: 'DELETE', path: one('eng') }, deletedAnswer),
  entra('finds it no more', { method: 'GET', path: one('eng') }, refusalAnswer(404, 'no such group')),
];

/** Okta's applications from its catalogue change groups in part; custom ones replace them. */
const oktaGroup = { displayName: 'Sales' };
const oktaPushes: readonly Exchange[] = [
  ...makeUsers(okta),
  okta('imports groups', { method: 'GET', path: '/Groups?startIndex=1&count=100' }, listAnswer([])),
  okta(
    'makes a group with its members',
    {
      ...{ method: 'POST', path: '/Groups' },
      body: {
        schemas: [groupUrn],
        ...oktaGroup,
        members: [{ value: '{{id Ada}}', display: 'ada@push.example' }],
      },
    },
    groupAnswer(201, 'sales.1', { ...oktaGroup, members: [ada] }),
  ),
  okta(
    'is told that the name is taken',
    { method: 'POST', path: '/Groups', body: { schemas: [groupUrn], displayName: 'SALES', members: [] } },
    refusalAnswer(409, 'taken', 'uniqueness'),
  ),
  okta(
    'adds a member, with the name and the id of the group beside it',
    {
      ...{ method: 'PATCH', path: one('sales') },
      body: patchBody(
        { op: 'replace', value: { id: '{{id sales}}', displayName: 'Sales' } },
        { op: 'add', path: 'members', value: [{ value: '{{id Grace}}', display: 'grace@push.example' }] },
      ),
    },
    changedAnswer,
  ),
  okta(
    'reads the group',
    { method: 'GET', path: one('sales') },
    { ...groupAnswer(200, 'sales.2', oktaGroup, 'sales.1'), apart: ['members'] },
  ),
  okta('has added a member', ...bothIn('sales')),
  okta(
    'removes a member by a filter',
    {
      ...{ method: 'PATCH', path: one('sales') },
      body: patchBody({ op: 'remove', path: 'members[value eq "{{id Ada}}"]' }),
    },
    changedAnswer,
  ),
  okta(
    'replaces the group with all members, as a custom application',
    {
      ...{ method: 'PUT', path: one('sales') },
      body: {
        ...{ schemas: [groupUrn], id: '{{id sales}}', displayName: 'Sales & Co' },
        members: [{ value: '{{id Ada}}', display: 'ada@push.example' }],
      },
    },
    groupAnswer(200, 'sales.3', { displayName: 'Sales & Co', members: [ada] }),
  ),
  okta(
    'imports it, without members',
    { method: 'GET', path: '/Groups?startIndex=1&count=100' },
    listAnswer([group('sales.3', { displayName: 'Sales & Co' })]),
  ),
  okta('deletes the group', { method: 'DELETE', path: one('sales') }, deletedAnswer),
];

for (const [provider, exchanges] of [
  ['Okta', oktaPushes],
  ['Microsoft Entra ID', entraPushes],
] as const)
  describe(`${provider}, pushing groups,`, () => {
    onEachStore((open) => {
      let opened: OpenedService;
      before(async () => {
        opened = await open(['users:read', 'users:write', 'groups:read', 'groups:write', 'groups:delete']);
      });
      after(() => opened.close());

      for (const exchange of exchanges) it(exchange.title, () => opened.conversation.play(exchange));
    });
  });
