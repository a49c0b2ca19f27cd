/** Lives of users and groups: each from its creation to its end, by one way of writing. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bulkUrn, patchUrn } from '../../../src/adapters/apis/scim/protocol/messages.ts';
import type { Sent } from './ledger.ts';
import type { WritingClient } from './writers.ts';

const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export interface Life {
  readonly client: WritingClient;
  /** Groups whose members all clients change. */
  readonly groups: readonly string[];
}

let titles = 0;
/** No other write has it, so that every write changes something. */
function aTitle(): { title: string } {
  titles += 1;
  return { title: `Title ${titles}` };
}
const aName = () => ({ userName: `user-${randomUUID()}` });
const patch = (...operations: object[]) => ({ schemas: [patchUrn], Operations: operations });
const firstId = ({ effects: [first] }: Sent): string => first?.id ?? expect.fail('no id was answered');
const half = (id: string): boolean => id < '8';

async function ofUser({ client }: Life): Promise<void> {
  const id = randomUUID();
  const name = aName();
  const path = `/users/${id}`;
  await client.write('POST', '/users', { id, ...name, ...aTitle() }, [{ type: 'user.created', id }]);
  const updated = [{ type: 'user.updated', id }];
  await client.write('PUT', path, { ...name, ...aTitle(), roles: ['a'] }, updated);
  await client.write('PATCH', path, { ...aTitle(), name: { familyName: 'B' } }, updated);
  if (half(id)) await client.write('DELETE', path, undefined, [{ type: 'user.deleted', id }]);
}

async function ofScimUser({ client }: Life): Promise<void> {
  const whole = () => ({ schemas: [userUrn], ...aName(), ...aTitle() });
  const id = firstId(await client.write('POST', '/scim/v2/Users', whole(), [{ type: 'user.created' }]));
  const updated = [{ type: 'user.updated', id }];
  await client.write('PATCH', `/scim/v2/Users/${id}`, patch({ op: 'replace', value: aTitle() }), updated);
  await client.write('PUT', `/scim/v2/Users/${id}`, whole(), updated);
  if (half(id))
    await client.write('DELETE', `/scim/v2/Users/${id}`, undefined, [{ type: 'user.deleted', id }]);
}

/** Three users in each request: one is replaced, one changed, one deleted. */
async function ofBulk({ client }: Life): Promise<void> {
  const whole = () => ({ schemas: [userUrn], ...aName(), ...aTitle() });
  const send = (operations: readonly object[], effects: readonly { type: string; id?: string }[]) =>
    client.write('POST', '/scim/v2/Bulk', { schemas: [bulkUrn], Operations: operations }, effects);
  const posts = ['a', 'b', 'c'].map((bulkId) => ({ method: 'POST', path: '/Users', bulkId, data: whole() }));
  const { effects } = await send(
    posts,
    posts.map(() => ({ type: 'user.created' })),
  );
  const ids = effects.flatMap(({ id }) => id ?? []);
  if (ids.length < posts.length) return;
  const types = ['user.updated', 'user.updated', 'user.deleted'];
  const [put, changed, gone] = ids.map((id) => `/Users/${id}`);
  await send(
    [
      { method: 'PUT', path: put, data: whole() },
      { method: 'PATCH', path: changed, data: patch({ op: 'replace', value: aTitle() }) },
      { method: 'DELETE', path: gone },
    ],
    ids.map((id, at) => ({ type: types[at] ?? '', id })),
  );
}

/** A member of a group that all change: added and removed in three ways, and at last deleted as a member. */
async function ofMember({ client, groups }: Life): Promise<void> {
  const user = randomUUID();
  await client.write('POST', '/users', { id: user, ...aName() }, [{ type: 'user.created', id: user }]);
  const id = groups[Math.floor(Math.random() * groups.length)] ?? '';
  const changed = [{ type: 'group.members-changed', id }];
  const one = `/groups/${id}/members/${user}`;
  const scim = `/scim/v2/Groups/${id}`;
  await client.write('PUT', one, undefined, changed);
  await client.write('DELETE', one, undefined, changed);
  await client.write('POST', `/groups/${id}/members`, { add: [user] }, changed);
  const leaving = patch({ op: 'remove', path: `members[value eq "${user}"]` });
  await client.write('PATCH', scim, leaving, changed);
  await client.write('PATCH', scim, patch({ op: 'add', path: 'members', value: [{ value: user }] }), changed);
  await client.write('DELETE', `/users/${user}`, undefined, [{ type: 'user.deleted', id: user }]);
}

/** Its members come with it and are replaced as a whole. */
async function ofGroup({ client }: Life): Promise<void> {
  const users = [randomUUID(), randomUUID()];
  for (const user of users)
    await client.write('POST', '/users', { id: user, ...aName() }, [{ type: 'user.created', id: user }]);
  const whole = (some: readonly string[]) => ({
    schemas: [groupUrn],
    displayName: `Group ${randomUUID()}`,
    members: some.map((value) => ({ value })),
  });
  const made = await client.write('POST', '/scim/v2/Groups', whole(users.slice(0, 1)), [
    { type: 'group.created' },
    { type: 'group.members-changed' },
  ]);
  const id = firstId(made);
  const both = [
    { type: 'group.updated', id },
    { type: 'group.members-changed', id },
  ];
  await client.write('PUT', `/scim/v2/Groups/${id}`, whole(users.slice(1)), both);
  await client.write('PATCH', `/groups/${id}`, { description: 'changed' }, both.slice(0, 1));
  if (half(id)) await client.write('DELETE', `/groups/${id}`, undefined, [{ type: 'group.deleted', id }]);
}

export const lives = [ofUser, ofScimUser, ofBulk, ofMember, ofGroup];
