import { expect } from 'chai';
import type { Resource } from '../../../../src/domain/resource/resource.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser } from '../../../support/a-user.ts';
import { clientNames, clients } from '../../../support/clients.ts';
import { startService, type TestService } from '../../../support/service.ts';
import { memoryStore } from '../../../support/stores.ts';
import type { ResourceStore, UserStore } from '../../../support/verbs.ts';

/** Runs `before` in front of the n-th batch of the next list. */
function interrupt<T extends Resource>(
  store: ResourceStore<T>,
  batch: number,
  before: () => Promise<unknown>,
): void {
  const list = store.list.bind(store);
  let left = batch;
  store.list = async (query) => {
    left -= 1;
    if (left === 0) await before();
    return list(query);
  };
}

const description = 'x'.repeat(1000);

describe('A list by membership', () => {
  let store: UserStore;
  let service: TestService;
  const group = aGroup();
  const user = aUser();
  const ofGroup = `/users?group=${group.id}`;
  const ofUser = `/groups?member=${user.id}`;

  beforeEach(async () => {
    store = memoryStore();
    const members = Array.from({ length: 2000 }, () => aUser({ attributes: { description } }));
    for (const member of [...members, user]) await store.insert(Stored.of(member));
    await store.groups.insert(
      group,
      members.map(({ id }) => id),
    );
    for (let made = 0; made < 700; made += 1) await store.groups.insert(aGroup({ description }), [user.id]);
    service = await startService({}, store);
  });
  afterEach(() => service.close());

  const deleteGroup = async () => {
    const { version = '' } = (await store.groups.find(group.id)) ?? {};
    expect(await store.groups.remove(group.id, version)).to.equal(true);
  };
  const deleteUser = async () => {
    expect(await store.remove(user.id, user.meta.version)).to.equal(true);
  };
  const end = (doing: Promise<{ status: number }>) =>
    doing.then(
      ({ status }) => String(status),
      () => 'broken off',
    );

  for (const name of clientNames) {
    const headers = { accept: clients[name].type };
    for (const query of ['', '&total=true', '&sort=userName', '&search=user&total=true'])
      it(`ends with an error in ${name} when the group is deleted meanwhile: /users?group=…${query}`, async () => {
        interrupt(store, 20, deleteGroup);
        expect(await end(service.send(ofGroup + query, { headers }))).to.equal('broken off');
        expect(service.log.join('')).to.include('The group was deleted').and.include('"whole":false');
        const next = await service.send(`${ofGroup}&total=true`);
        expect(next.json()).to.deep.equal({ total: 0, users: [] });
      });
    it(`has all users of a long page in ${name} when the group is deleted while it is sent`, async () => {
      const findAll = store.findAll.bind(store);
      let isDeleted = false;
      store.findAll = async (...asked) => {
        if (!isDeleted) await deleteGroup();
        isDeleted = true;
        return findAll(...asked);
      };
      const { status, text } = await service.send(`${ofGroup}&limit=1000&total=true`, { headers });
      expect([
        status,
        isDeleted,
        text.match(/lastModified">|"lastModified":|<lastModified>/g)?.length,
      ]).to.deep.equal([200, true, 1000]);
    });
    it(`ends with an error in ${name} when the user whose groups it lists is deleted meanwhile`, async () => {
      interrupt(store.groups, 4, deleteUser);
      expect(await end(service.send(`${ofUser}&total=true`, { headers }))).to.equal('broken off');
    });
    it(`is refused in ${name} when the group is deleted after its members were counted`, async () => {
      interrupt(store, 1, deleteGroup);
      const answer = await service.send(`${ofGroup}&total=true`, { headers });
      expect(answer.status, answer.text.slice(0, 300)).to.equal(503);
      expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    });
  }
});
