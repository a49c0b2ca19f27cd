import { expect } from 'chai';
import { memoryStore } from '../../../../../src/adapters/stores/memory/store.ts';
import type { Store } from '../../../../../src/domain/store.ts';
import { DomainError } from '../../../../../src/domain/validation/errors.ts';
import { startService, type TestService } from '../../../../support/service.ts';
import { tester } from '../../../../support/store-verbs.ts';
import { overridden } from '../../../../support/stores.ts';
import { type Ask, aUser, client, expectError, type Json, patchOf } from '../scim-client.ts';
import { aGroup, createGroup, createUsers, groupIn, membersOf, valuesOf } from './group-client.ts';

type Reading = 'find' | 'related';

describe('A completed write of a group', () => {
  let port: Store;
  let service: TestService;
  let ask: Ask;
  let users: readonly string[];
  let afterWrite: ((id: string) => unknown) | undefined;
  let failing: Reading | undefined;

  const assertWorks = (reading: Reading): void => {
    if (reading === failing) throw new DomainError('unavailable', 'The store is gone.');
  };

  beforeEach(async () => {
    [afterWrite, failing] = [undefined, undefined];
    port = memoryStore();
    const store = overridden(port, {
      async commit(writes, by) {
        const outcomes = await port.commit(writes, by);
        for (const { id } of writes) await afterWrite?.(id);
        return outcomes;
      },
      async find(...asked) {
        assertWorks('find');
        return port.find(...asked);
      },
      async related(...asked) {
        assertWorks('related');
        return port.related(...asked);
      },
    });
    service = await startService({}, store);
    ask = client(service);
    users = [...(await createUsers(ask, 3))].sort();
  });
  afterEach(() => service.close());

  interface Sent {
    readonly method: string;
    readonly path: string;
    readonly body: Json;
    readonly status: number;
    /** The members of the group after the write. */
    readonly members: readonly string[];
  }

  const add = () => ({ op: 'add', path: 'members', value: valuesOf(users.slice(1, 2)) });
  const describeIt = { op: 'replace', path: 'description', value: 'changed' };
  const patched = (id: string, ...operations: readonly Json[]): Sent => ({
    ...{ method: 'PATCH', path: `/Groups/${id}?excludedAttributes=externalId`, status: 200 },
    ...{ body: patchOf(...operations), members: users.slice(0, 2) },
  });
  /** @param id of a group with the first user as its member */
  const writes: Readonly<Record<string, (id: string) => Sent>> = {
    POST: () => ({
      ...{ method: 'POST', path: '/Groups', status: 201 },
      ...{ body: aGroup({ members: valuesOf(users) }), members: users },
    }),
    PUT: (id) => ({
      ...{ method: 'PUT', path: `/Groups/${id}`, status: 200 },
      ...{ body: aGroup({ members: valuesOf(users.slice(1)) }), members: users.slice(1) },
    }),
    'PATCH of members': (id) => patched(id, add()),
    'PATCH of members and more': (id) => patched(id, add(), describeIt),
  };

  const fail = (reading: Reading) => () => {
    failing = reading;
  };

  /** @param meanwhile what happens between the write and the reads for its response */
  async function perform(name: string, meanwhile: (id: string) => unknown) {
    const { id } = await createGroup(ask, { members: valuesOf(users.slice(0, 1)) });
    const { method, path, body, status, members } = writes[name]?.(id) ?? expect.fail(name);
    afterWrite = meanwhile;
    const answer = await ask(path, { method, body });
    [afterWrite, failing] = [undefined, undefined];
    expect(answer.status, answer.text).to.equal(status);
    return { answer, group: groupIn(answer), members };
  }

  async function expectNoLock(id: string, tag: string | null): Promise<void> {
    const locked = { 'if-match': tag ?? expect.fail('there is no tag') };
    expectError(await ask(`/Groups/${id}`, { method: 'PUT', body: aGroup(), headers: locked }), 412);
    const held = { 'if-none-match': locked['if-match'] };
    expect((await ask(`/Groups/${id}`, { headers: held })).status).to.equal(200);
  }

  for (const name of Object.keys(writes)) {
    it(`succeeds even if the store then fails to read the group: ${name}`, async () => {
      const { answer, group, members } = await perform(name, fail('find'));
      expect(group.members?.map(({ value }) => value)).to.deep.equal(members);
      expect(await membersOf(ask, group.id)).to.deep.equal(members);
      await expectNoLock(group.id, answer.headers.get('etag'));
    });

    it(`succeeds even if another client deletes the group at once: ${name}`, async () => {
      const { group } = await perform(name, async (id) => {
        const before = (await port.find('group', id)) ?? expect.fail('the group is gone');
        expect(await port.commit([{ kind: 'group', id, op: 'remove', before }], tester)).to.deep.equal([
          'done',
        ]);
      });
      expectError(await ask(`/Groups/${group.id}`), 404);
    });

    it(`succeeds without members in the response if the store then fails to list them: ${name}`, async () => {
      const { answer, group, members } = await perform(name, fail('related'));
      expect(group).not.to.have.property('members');
      expect(group.meta.version).to.equal(answer.headers.get('etag'));
      expect(await membersOf(ask, group.id)).to.deep.equal(members);
      await expectNoLock(group.id, answer.headers.get('etag'));
      expect(service.log.join('')).to.include('The store is gone.');
    });
  }

  it('does not hide that a read fails', async () => {
    const { id } = await createGroup(ask);
    failing = 'related';
    expectError(await ask(`/Groups/${id}`), 503);
  });

  it('succeeds without the groups of a user in the response if the store then fails to list them', async () => {
    afterWrite = fail('related');
    const answer = await ask('/Users?attributes=userName,groups', { method: 'POST', body: aUser() });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.json()).to.have.property('userName');
    expect(answer.json()).not.to.have.property('groups');
  });
});
