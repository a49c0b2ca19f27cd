/**
 * What Microsoft Entra ID sends, as its documentation and what its validator was seen to send show it: from the test of the connection
 * to the deletion that comes a month after somebody has left. In the order in which it is sent, to a directory without users.
 */

import { entra, search, workEmail } from './entra-requests.ts';
import { wholeUserExchanges } from './entra-whole-user.ts';
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

const connection: readonly Exchange[] = [
  entra(
    'tests the connection by looking for somebody who is nowhere',
    search('userName', 'e0b7f1c4-6a2d-4b8e-9f10-2c3d4e5f6a7b'),
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
    'is told that its credentials are for users only',
    { method: 'GET', path: '/Groups?excludedAttributes=members&filter=displayName+eq+%22x%22' },
    refusalAnswer(403, 'groups:read'),
  ),
  entra(
    'is told that nobody has an id that is none',
    { method: 'GET', path: '/Users/9f31c07e2ab64d5e8c10' },
    refusalAnswer(404, 'no such user'),
  ),
];

/** As the documentation of a creation has it. */
const carol = {
  externalId: '2b9e3f60-1f5c-4a77-9d3e-8c4a51d0e7b2',
  userName: 'Carol_7e2f@entra.example',
  active: true,
  emails: [{ primary: true, type: 'work', value: 'Carol.Work@entra.example' }],
  name: { formatted: 'Carol Danvers', familyName: 'Danvers', givenName: 'Carol' },
};
const carolSent = { schemas: [core, enterprise], ...carol, meta: { resourceType: 'User' }, roles: [] };

/** As an administrator may think one up. */
const customUrn = 'urn:ietf:params:scim:schemas:extension:custom:2.0:User';

const creation: readonly Exchange[] = [
  entra(
    'looks for the user by externalId before it makes one',
    search('externalId', carol.externalId),
    listAnswer([]),
  ),
  entra(
    'looks for the user by userName',
    search('userName', encodeURIComponent(carol.userName)),
    listAnswer([]),
  ),
  entra(
    'looks for the user by the address for work',
    search(workEmail, 'Carol.Work%40entra.example'),
    listAnswer([]),
  ),
  entra(
    'is told that there is no attribute by which it was set up to look',
    search('extensionAttribute7', '4711'),
    refusalAnswer(400, 'no attribute "extensionAttribute7"', 'invalidFilter'),
  ),
  entra(
    'is told that a schema of its own is not known here',
    {
      method: 'POST',
      path: '/Users',
      body: { ...carolSent, [customUrn]: { worksiteId: '180' } },
    },
    refusalAnswer(400, customUrn, 'invalidSyntax'),
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
    search(workEmail, 'carol.work%40ENTRA.example'),
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
  userName: 'carol.rambeau@entra.example',
  emails: [{ primary: true, type: 'work', value: 'carol.rambeau@entra.example' }],
  name: { ...carol.name, familyName: 'Rambeau' },
};

const documentedUpdates: readonly Exchange[] = [
  entra(
    'replaces a value in a list and a part of the name',
    {
      method: 'PATCH',
      path: '/Users/{{id carol}}',
      body: patchBody(
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'carol.rambeau@entra.example' },
        { op: 'Replace', path: 'name.familyName', value: 'Rambeau' },
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
  entra(
    'no longer finds the user by the name before',
    search('userName', encodeURIComponent(carol.userName)),
    listAnswer([]),
  ),
  entra(
    'finds the user by the new name',
    search('userName', 'carol.rambeau%40entra.example'),
    listAnswer([resource('carol', 3, carolRenamed)]),
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
    search('userName', 'carol.rambeau%40entra.example'),
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
    search('userName', 'carol.rambeau%40entra.example'),
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
  ...wholeUserExchanges,
  ...lifecycle,
];
