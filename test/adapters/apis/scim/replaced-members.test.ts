import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import Type from 'typebox';
import { replaceFrom } from '../../../../src/adapters/apis/scim/endpoint/writes.ts';
import { ScimError } from '../../../../src/adapters/apis/scim/resource/errors.ts';
import { resourceType } from '../../../../src/adapters/apis/scim/resource/resource-type.ts';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { asIs, oneKey } from '../../../../src/domain/find/filters.ts';
import { defineKind, type Kind } from '../../../../src/domain/kinds/kind.ts';
import { userKind } from '../../../../src/domain/kinds/user/kind.ts';
import { makeKinds } from '../../../../src/domain/kinds.ts';
import { text } from '../../../../src/domain/resource/annotations.ts';
import { idType, Meta } from '../../../../src/domain/resource/resource.ts';
import { noMembers, Stored } from '../../../../src/domain/resource/stored.ts';
import type { Scope } from '../../../../src/domain/scopes.ts';
import { resources } from '../../../../src/domain/use-cases/resources.ts';
import { aUser } from '../../../support/a-user.ts';
import { tester } from '../../../support/store-verbs.ts';
import { nobody } from './scim-client.ts';

const clubUrn = 'urn:example:scim:Club';
const id = idType('A UUID.');
const writable = {
  name: text(256, 'What it is called.'),
  badges: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), text(64))),
};
const Club = Type.Object({ id, ...writable, meta: Meta }, { additionalProperties: false });
const ClubInput = Type.Object({ id: Type.Optional(id), ...writable }, { additionalProperties: false });
type Club = Type.Static<typeof Club>;

/** It has members, and a map with names of clients, which a PUT without it keeps. */
const clubKind = defineKind<Club, Type.Static<typeof ClubInput>>({
  name: 'club',
  schema: Club,
  input: ClubInput,
  readOnly: ['meta'],
  maxBytes: 16 * 1024,
  unique: { member: 'name', map: asIs, version: 1, taken: 'name-taken', findFault: () => undefined },
  filters: { name: { keys: ({ name }) => oneKey(name), key: asIs } },
  membership: noMembers,
  members: 'user',
});

const clubType = resourceType({
  kind: clubKind as unknown as Kind,
  name: 'Club',
  endpoint: '/Clubs',
  description: 'A club.',
  schema: { id: clubUrn, name: 'Club', description: 'Club' },
  filters: { name: 'name' },
  relation: {
    name: 'members',
    description: 'The members.',
    to: { kind: userKind as unknown as Kind, name: 'User', endpoint: '/Users' },
    type: 'User',
    scope: 'clubs:read',
    isWritable: true,
  },
});

describe('A PUT of a kind that has members and a map with names of clients', () => {
  const store = memoryStore(makeKinds([userKind as unknown as Kind, clubKind as unknown as Kind]));
  const ids = { id: randomUUID, version: randomUUID };
  const clubs = resources({ kind: clubKind, storeFor: () => store, clock: { now: () => new Date() }, ids });
  const principal = { id: 'tester', via: 'test', scopes: new Set<Scope>(['clubs:write', 'clubs:read']) };
  const put = (club: string, members: readonly string[]) =>
    replaceFrom(
      { type: clubType, resources: clubs },
      { principal, id: club, body: { schemas: [clubUrn], name: 'Chess', members }, lock: undefined },
    );

  it('replaces the members even if it omits the map, and names those that are unknown', async () => {
    const [one, other] = [aUser(), aUser()];
    const users = [one, other].map(
      (user) => ({ kind: 'user', id: user.id, op: 'create', next: Stored.of(user) }) as const,
    );
    expect(await store.commit(users, tester)).to.deep.equal(['done', 'done']);
    const club = await clubs.create(principal, { name: 'Go', badges: { gold: 'x' } }, undefined, [one.id]);
    const { value } = await put(club.id, [other.id]);
    expect(value).to.deep.include({ name: 'Chess', badges: { gold: 'x' } });
    const members = await store.findMembers(club.id, [one.id, other.id]);
    expect([...members]).to.deep.equal([other.id]);
    const refusal = await put(club.id, [nobody]).catch((error) => error);
    expect(refusal).to.be.instanceOf(ScimError);
    expect(refusal.message).to.include(nobody);
  });
});
