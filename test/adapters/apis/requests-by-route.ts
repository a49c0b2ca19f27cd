/** Requests to every route that takes credentials, each with the scopes that it takes: what a user or a group may be reached by. */
import type { Scope } from '../../../src/domain/scopes.ts';
import { aGroup, valuesOf } from './scim/groups/group-client.ts';
import { aUser, bulkOf, type Json, patchOf } from './scim/scim-client.ts';

/** A user who is the only member of a group; another user and another group that were deleted. */
export interface Scene {
  readonly user: string;
  readonly group: string;
  readonly goneUser: string;
  readonly goneGroup: string;
}

export interface Case {
  readonly path: string;
  readonly body?: Json;
  /** Either of these sets of scopes. */
  readonly takes: readonly (readonly Scope[])[];
  /** How it is refused without them: 403 when left out. */
  readonly refusals?: readonly number[];
}

type MakeCases = (scene: Scene) => readonly Case[];

const searchUrn = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';
const searchOf = (filter: string, more: Json = {}): Json => ({ schemas: [searchUrn], filter, ...more });
const filtered = (path: string, filter: string): string => `${path}?${new URLSearchParams({ filter })}`;

const readUsers: Case['takes'] = [['users:read']];
const writeUsers: Case['takes'] = [['users:write']];
const deleteUsers: Case['takes'] = [['users:delete']];
const readGroups: Case['takes'] = [['groups:read']];
const writeGroups: Case['takes'] = [['groups:write']];
const deleteGroups: Case['takes'] = [['groups:delete']];
const readBoth: Case['takes'] = [['users:read', 'groups:read']];

const plainUser = (): Json => ({ userName: aUser().userName });
const plainGroup = (): Json => ({ displayName: aGroup().displayName });

const ofUsers: Readonly<Record<string, MakeCases>> = {
  'GET /users': ({ group }) => [
    { path: '/users', takes: readUsers },
    { path: `/users?group=${group}`, takes: readBoth },
    { path: `/users?group.in=${group}`, takes: readBoth },
    { path: '/users?group.exists=false', takes: readBoth },
    { path: `/users?group.not=${group}`, takes: readBoth },
    { path: `/users?group=${group}&search=hidden&sort=userName&total=true`, takes: readBoth },
  ],
  'POST /users': () => [{ path: '/users', body: plainUser(), takes: writeUsers }],
  'GET /users/:id': ({ user }) => [{ path: `/users/${user}`, takes: readUsers }],
  'PUT /users/:id': ({ user }) => [{ path: `/users/${user}`, body: plainUser(), takes: writeUsers }],
  'PATCH /users/:id': ({ user }) => [{ path: `/users/${user}`, body: { title: 'x' }, takes: writeUsers }],
  'DELETE /users/:id': ({ user }) => [
    { path: `/users/${user}`, takes: deleteUsers },
    { path: `/users/${user}?erase=true`, takes: deleteUsers },
  ],
  'POST /users/:id/restore': ({ goneUser }) => [
    { path: `/users/${goneUser}/restore`, takes: [['users:delete', 'history:read']] },
  ],
};

const ofGroups: Readonly<Record<string, MakeCases>> = {
  'GET /groups': ({ user }) => [
    { path: '/groups', takes: readGroups },
    { path: `/groups?member=${user}`, takes: readGroups },
    { path: `/groups?member.not=${user}&member.exists=true`, takes: readGroups },
  ],
  'POST /groups': () => [{ path: '/groups', body: plainGroup(), takes: writeGroups }],
  'GET /groups/:id': ({ group }) => [{ path: `/groups/${group}`, takes: readGroups }],
  'PUT /groups/:id': ({ group }) => [{ path: `/groups/${group}`, body: plainGroup(), takes: writeGroups }],
  'PATCH /groups/:id': ({ group }) => [
    { path: `/groups/${group}`, body: { description: 'x' }, takes: writeGroups },
  ],
  'DELETE /groups/:id': ({ group }) => [
    { path: `/groups/${group}`, takes: deleteGroups },
    { path: `/groups/${group}?erase=true`, takes: deleteGroups },
  ],
  'POST /groups/:id/restore': ({ goneGroup }) => [
    { path: `/groups/${goneGroup}/restore`, takes: [['groups:delete', 'history:read']] },
  ],
  'GET /groups/:id/members/:user': ({ group, user }) => [
    { path: `/groups/${group}/members/${user}`, takes: readGroups },
  ],
  'PUT /groups/:id/members/:user': ({ group, user }) => [
    { path: `/groups/${group}/members/${user}`, takes: writeGroups },
  ],
  'DELETE /groups/:id/members/:user': ({ group, user }) => [
    { path: `/groups/${group}/members/${user}`, takes: writeGroups },
  ],
  'POST /groups/:id/members': ({ group, user }) => [
    { path: `/groups/${group}/members`, body: { remove: [user] }, takes: writeGroups },
  ],
};

const ofChanges: Readonly<Record<string, MakeCases>> = {
  'GET /users/:id/history': ({ user }) => [{ path: `/users/${user}/history`, takes: [['history:read']] }],
  'GET /groups/:id/history': ({ group }) => [{ path: `/groups/${group}/history`, takes: [['history:read']] }],
  'GET /history': ({ user }) => [
    { path: '/history', takes: [['history:read']] },
    { path: `/history?id=${user}&type=user.created`, takes: [['history:read']] },
  ],
  'GET /changes': ({ user }) => [
    { path: '/changes?since=now', takes: [['changes:read']] },
    { path: `/changes?since=start&type=user.created&id=${user}`, takes: [['changes:read']] },
  ],
};

const ofAccess: Readonly<Record<string, MakeCases>> = {
  'GET /access': () => [{ path: '/access', takes: [[]] }],
  'GET /webhooks': () => [{ path: '/webhooks', takes: [['changes:read']] }],
};

const ofScimUsers: Readonly<Record<string, MakeCases>> = {
  'GET /scim/v2/Users': ({ group }) => [
    { path: '/scim/v2/Users', takes: readUsers },
    { path: '/scim/v2/Users?attributes=groups', takes: readBoth },
    { path: filtered('/scim/v2/Users', `groups.value eq "${group}"`), takes: readBoth },
    { path: filtered('/scim/v2/Users', `title pr or not (groups eq "${group}")`), takes: readBoth },
  ],
  'POST /scim/v2/Users/.search': ({ group }) => [
    { path: '/scim/v2/Users/.search', body: searchOf('id pr'), takes: readUsers },
    { path: '/scim/v2/Users/.search', body: searchOf(`groups eq "${group}"`), takes: readBoth },
    {
      path: '/scim/v2/Users/.search',
      body: searchOf('id pr', { attributes: ['groups.display'] }),
      takes: readBoth,
    },
  ],
  'POST /scim/v2/Users': () => [
    { path: '/scim/v2/Users', body: aUser(), takes: writeUsers },
    { path: '/scim/v2/Users?attributes=groups', body: aUser(), takes: [['users:write', 'groups:read']] },
  ],
  'GET /scim/v2/Users/:id': ({ user }) => [
    { path: `/scim/v2/Users/${user}`, takes: readUsers },
    { path: `/scim/v2/Users/${user}?attributes=groups`, takes: readBoth },
  ],
  'PUT /scim/v2/Users/:id': ({ user }) => [
    { path: `/scim/v2/Users/${user}`, body: aUser(), takes: writeUsers },
    {
      path: `/scim/v2/Users/${user}?attributes=groups.display`,
      body: aUser(),
      takes: [['users:write', 'groups:read']],
    },
  ],
  'PATCH /scim/v2/Users/:id': ({ user }) => [
    {
      path: `/scim/v2/Users/${user}`,
      body: patchOf({ op: 'add', path: 'title', value: 'x' }),
      takes: writeUsers,
    },
    {
      path: `/scim/v2/Users/${user}?attributes=groups`,
      body: patchOf({ op: 'add', path: 'title', value: 'x' }),
      takes: [['users:write', 'groups:read']],
    },
  ],
  'DELETE /scim/v2/Users/:id': ({ user }) => [
    { path: `/scim/v2/Users/${user}`, takes: deleteUsers },
    { path: `/scim/v2/Users/${user}?erase=true`, takes: deleteUsers },
  ],
};

const ofScimGroups: Readonly<Record<string, MakeCases>> = {
  'GET /scim/v2/Groups': ({ user }) => [
    { path: '/scim/v2/Groups', takes: readGroups },
    { path: '/scim/v2/Groups?attributes=members', takes: readGroups },
    { path: filtered('/scim/v2/Groups', `members.value eq "${user}"`), takes: readGroups },
  ],
  'POST /scim/v2/Groups/.search': ({ user }) => [
    { path: '/scim/v2/Groups/.search', body: searchOf(`members eq "${user}"`), takes: readGroups },
  ],
  'POST /scim/v2/Groups': ({ user }) => [
    { path: '/scim/v2/Groups', body: aGroup({ members: valuesOf([user]) }), takes: writeGroups },
  ],
  'GET /scim/v2/Groups/:id': ({ group }) => [
    { path: `/scim/v2/Groups/${group}`, takes: readGroups },
    { path: `/scim/v2/Groups/${group}?attributes=members.display`, takes: readGroups },
  ],
  'PUT /scim/v2/Groups/:id': ({ group }) => [
    { path: `/scim/v2/Groups/${group}`, body: aGroup({ members: [] }), takes: writeGroups },
  ],
  'PATCH /scim/v2/Groups/:id': ({ group }) => [
    {
      path: `/scim/v2/Groups/${group}?attributes=members`,
      body: patchOf({ op: 'remove', path: 'members' }),
      takes: writeGroups,
    },
  ],
  'DELETE /scim/v2/Groups/:id': ({ group }) => [
    { path: `/scim/v2/Groups/${group}`, takes: deleteGroups },
    { path: `/scim/v2/Groups/${group}?erase=true`, takes: deleteGroups },
  ],
};

const inBulk = (method: string, path: string, takes: Case['takes'], data?: Json): Case => ({
  path: '/scim/v2/Bulk',
  body: bulkOf([{ method, path, ...(data && { data }) }]),
  takes,
});

const me: MakeCases = () => [{ path: '/scim/v2/Me', takes: [[]] }];

const ofScim: Readonly<Record<string, MakeCases>> = {
  // A type that the client may not read is not searched: its attributes are unknown.
  'POST /scim/v2/.search': ({ user, group }) => [
    { path: '/scim/v2/.search', body: searchOf('id pr'), takes: [...readUsers, ...readGroups] },
    {
      path: '/scim/v2/.search',
      body: searchOf('id pr', { attributes: ['groups', 'displayName'] }),
      takes: readGroups,
    },
    {
      path: '/scim/v2/.search',
      body: searchOf(`groups.value eq "${group}"`),
      ...{ takes: readBoth, refusals: [400, 403] },
    },
    {
      path: '/scim/v2/.search',
      body: searchOf(`members.value eq "${user}"`, { attributes: ['members'] }),
      ...{ takes: readGroups, refusals: [400, 403] },
    },
  ],
  'POST /scim/v2/Bulk': ({ user, group }) => [
    inBulk('POST', '/Users', writeUsers, aUser()),
    inBulk('DELETE', `/Users/${user}`, deleteUsers),
    inBulk('DELETE', `/Users/${user}?erase=true`, deleteUsers),
    inBulk('POST', '/Groups', writeGroups, aGroup({ members: valuesOf([user]) })),
    inBulk('PUT', `/Groups/${group}`, writeGroups, aGroup({ members: [] })),
    inBulk('PATCH', `/Groups/${group}`, writeGroups, patchOf({ op: 'remove', path: 'members' })),
    inBulk('DELETE', `/Groups/${group}`, deleteGroups),
  ],
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [`${method} /scim/v2/Me`, me]),
  ),
};

/** By method and path of the route. */
export const casesByRoute: Readonly<Record<string, MakeCases>> = {
  ...ofUsers,
  ...ofGroups,
  ...ofChanges,
  ...ofAccess,
  ...ofScimUsers,
  ...ofScimGroups,
  ...ofScim,
};
