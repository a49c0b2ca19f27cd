import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { createUser } from '../../../contract/change-log.ts';
import { aUser } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { runs } from '../../../support/runs.ts';
import { aToken } from '../../../support/service.ts';
import { tester } from '../../../support/store-verbs.ts';
import { type Change, changesIn, type Directory, openDirectory } from '../changes/directory.ts';
import { openStream } from '../changes/stream.ts';

const profiles = {
  sales: {
    users: { where: { department: 'Sales', active: true }, read: '*', except: ['title'] },
    groups: { read: '*' },
  },
  phonebook: { users: { read: ['userName'] } },
  auditor: { users: { read: ['userName'] }, groups: { read: '*' } },
};
type Profile = keyof typeof profiles;

describe('Changes for clients with an access profile', () => {
  let store: Store;
  let directory: Directory;
  beforeEach(async () => {
    store = memoryStore();
    directory = await openDirectory(store, { profiles });
  });
  afterEach(() => directory.close());

  const ask = (path: string, as?: Profile) => directory.send(path, as ? { as } : {});
  const read = async (path: string, as?: Profile) => changesIn(await ask(path, as));
  const streamOf = async (query: string, as: Profile, headers = {}) =>
    openStream(`${directory.url}/changes${query}`, {
      authorization: `Bearer ${await aToken({ profile: as })}`,
      ...headers,
    });
  const addUser = (userName: string, department = 'Sales') =>
    directory.write('POST', '/users', { userName, enterprise: { department } });

  /** What a list shows without `meta`, which changes with what is hidden. */
  const shownOf = ({ meta, ...shown }: Record<string, unknown>): object => shown;

  /** Users as a follower has them, who reads what it is told of. */
  class Copy {
    readonly users = new Map<string, object>();
    readonly told: string[] = [];

    async take(changes: readonly Change[]): Promise<void> {
      for (const change of changes) {
        this.told.push(JSON.stringify(change));
        if (!change.type.startsWith('user.')) continue;
        const { status, json } = await ask(`/users/${change.id}`, 'sales');
        if (status === 404) this.users.delete(change.id);
        else this.users.set(change.id, shownOf(json()));
      }
    }

    /** Whether the follower was told of the user that is created last. */
    has(last: string): boolean {
      return this.told.some((text) => text.includes(last));
    }
  }

  async function followPages(copy: Copy, since: string, last: () => string, wait: string): Promise<void> {
    for (let next = since; !copy.has(last()); ) {
      const page = await read(`/changes?since=${next}&limit=5${wait}`, 'sales');
      await copy.take(page.changes);
      next = page.next;
    }
  }

  it('keep a copy equal to the list, and reveal nothing else, however the client follows', async () => {
    const [outside, club] = [
      await addUser('outside', 'Research'),
      await directory.write('POST', '/groups', { displayName: 'Club' }),
    ];
    const { next: since } = await read('/changes?since=now', 'sales');
    let last = 'none yet';
    const [paging, waiting, streaming] = [new Copy(), new Copy(), new Copy()];
    const stream = await streamOf(`?since=${since}`, 'sales');
    const followers = [
      followPages(paging, since, () => last, ''),
      followPages(waiting, since, () => last, '&wait=50'),
    ];
    const ids = [await addUser('ann'), await addUser('ben', 'Research'), await addUser('cam')];
    for (let round = 0; round < runs(200); round += 1) {
      const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;
      const id = pick([...ids, outside]);
      const changed = pick([
        { title: `secret ${round}` },
        { active: id !== outside && round % 2 === 0 },
        { enterprise: { department: id === outside ? 'Research' : pick(['Sales', 'Research']) } },
        { nickName: `Nick ${round}` },
      ]);
      await directory.write('PATCH', `/users/${id}`, changed);
      await directory.write('POST', `/groups/${club}/members`, { [pick(['add', 'remove'])]: [id] });
    }
    last = await addUser('last');
    await Promise.all(followers);
    await until('the stream has the last', () => stream.ids().includes(last));
    await streaming.take(stream.events.flatMap(({ data }) => (data ? [JSON.parse(data)] : [])));
    const list = (await ask('/users?limit=100', 'sales')).json().users;
    const shown = new Map(list.map((user) => [user.id, shownOf({ ...user })]));
    for (const copy of [paging, waiting, streaming]) {
      expect(copy.users).to.deep.equal(shown);
      expect(copy.told.join()).to.not.match(new RegExp(`${outside}|secret|inside|"/title"`));
    }
    const users = ({ told }: Copy) => told.filter((text) => text.includes('"user.'));
    expect(users(streaming)).to.deep.equal(users(paging)).and.to.deep.equal(users(waiting));
    const history = await ask('/history?limit=100', 'sales');
    expect(history.text).to.not.match(new RegExp(`${outside}|secret|inside|"/title"`));
    stream.close();
  });

  it('continue after the last event; a change without the mark of the filter ends streams and waiting pages', async () => {
    const ann = await addUser('ann');
    const first = await streamOf('?since=start', 'sales');
    await first.changes(1);
    first.close();
    const [{ id: lastEvent = '' } = {}] = first.events;
    const next = await addUser('ben');
    const stream = await streamOf('?since=start', 'sales', { 'last-event-id': lastEvent });
    await stream.changes(1);
    expect([first.ids(), stream.ids()]).to.deep.equal([[ann], [next]]);
    const { next: since } = await read('/changes?since=now', 'sales');
    const waiting = ask(`/changes?since=${since}&wait=50`, 'sales');
    const others = read(`/changes?since=${(await read('/changes?since=now')).next}&wait=50`);
    // As a process that knows no profiles.
    expect(await store.commit([createUser(aUser())], tester)).to.deep.equal(['done']);
    await stream.ended();
    expect(stream.events.at(-1)).to.include({ event: 'problem' });
    expect(JSON.parse(stream.events.at(-1)?.data ?? '').type).to.match(/cursor-expired$/);
    const { status, json } = await waiting;
    expect([status, json().type]).to.deep.equal([410, '/problems/cursor-expired']);
    expect((await others).changes).to.have.length(1);
  });

  it('have the memberships of a deleted user, unless a filter may have left the user out', async () => {
    const user = await addUser('ada');
    const group = await directory.write('POST', '/groups', { displayName: 'Crew' });
    await directory.write('PUT', `/groups/${group}/members/${user}`);
    await directory.write('DELETE', `/users/${user}`);
    const typesFor = async (as: Profile) =>
      (await read(`/users/${user}/history`, as)).changes.map(({ type }) => type);
    expect(await typesFor('auditor')).to.deep.equal([
      ...['user.deleted', 'group.members-changed', 'user.created'],
    ]);
    expect(await typesFor('sales')).to.deep.equal(['user.deleted', 'user.created']);
    expect((await ask(`/users/${group}/history`, 'auditor')).status).to.equal(404);
  });

  it('do not reveal, by a filter, which entry of a map has changed; nor do changes for other clients', async () => {
    const id = await addUser('ada');
    await directory.write('PATCH', `/users/${id}`, { attributes: { desk: '12' } });
    for (const as of [undefined, 'sales'] as const)
      for (const pointer of ['/attributes', '/attributes/desk', '/attributes/room', '/title']) {
        const { changes } = await read(`/changes?since=start&changed=${pointer}`, as);
        const found = pointer === '/title' ? [] : [['/attributes']];
        expect(
          changes.map(({ changed }) => changed),
          `${as} ${pointer}`,
        ).to.deep.equal(found);
      }
  });

  it('have cursors that other credentials cannot use, not even to wait for new changes', async () => {
    await addUser('ann');
    // Keeps the end of the log at hand for who waits there.
    const stream = await streamOf('?since=now', 'sales');
    await until('the stream has begun', () => stream.events.length > 0);
    const callers = [undefined, 'sales', 'phonebook'] as const;
    for (const one of callers) {
      const { next, changes } = await read('/changes?since=start', one);
      for (const other of callers.filter((caller) => caller !== one))
        for (const since of [next, changes[0]?.cursor]) {
          const refused = await ask(`/changes?since=${since}&wait=1`, other);
          expect([refused.status, refused.json().type]).to.deep.equal([410, '/problems/cursor-foreign']);
        }
    }
    stream.close();
  });
});
