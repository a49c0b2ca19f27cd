import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import type { Entry } from '../../../../src/domain/changes/change.ts';
import type { ChangeLog } from '../../../../src/domain/changes/log.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { pruneAll } from '../../../contract/change-log.ts';
import type { Answer } from '../../../support/service.ts';
import { overridden } from '../../../support/stores.ts';
import { type Directory, openDirectory } from './directory.ts';

const ada = {
  ...{ userName: 'ada', active: false, name: { familyName: 'Lovelace' }, attributes: { desk: '7' } },
  photos: [{ value: 'https://example.org/ada.png' }],
};

/** The store, with a log whose histories have other values. */
function withValues(store: Store, change: (values: NonNullable<Entry['values']>) => Entry['values']): Store {
  const log = store.changes as ChangeLog;
  const history: ChangeLog['history'] = async (...asked) => {
    const page = await log.history(...asked);
    const entries = page.entries.map(({ values, ...entry }) => {
      const changed = values && change(values);
      return { ...entry, ...(changed && { values: changed }) };
    });
    return { ...page, entries };
  };
  const bound = new Proxy(log, {
    get: (it, name) => (name === 'history' ? history : Reflect.get(it, name).bind(it)),
  });
  return overridden(store, { changes: bound });
}

describe('A restoration', () => {
  let store: Store;
  let directory: Directory;
  const open = async (next: Store = memoryStore()) => {
    await directory?.close();
    store = next;
    directory = await openDirectory(store);
  };
  beforeEach(() => open());
  afterEach(() => directory.close());

  const restore = (path: string, query = '', headers = {}): Promise<Answer> =>
    directory.send(`${path}/restore${query}`, { method: 'POST', headers });
  const get = async (path: string) => (await directory.send(path)).json();
  const idsIn = async (path: string, many: string): Promise<string[]> =>
    ((await get(path))[many] as readonly { readonly id: string }[]).map(({ id }) => id);
  const types = async (path = '/history') => (await directory.read(path)).changes.map(({ type }) => type);
  async function expectProblem(answer: Promise<Answer>, status: number, type: string, detail: RegExp) {
    const { status: found, text } = await answer;
    expect(found, text).to.equal(status);
    const problem = JSON.parse(text);
    expect(problem.type).to.match(new RegExp(`/problems/${type}$`));
    expect(problem.detail).to.match(detail);
    return problem;
  }
  const group = async (displayName: string, ...members: string[]): Promise<string> => {
    const id = await directory.write('POST', '/groups', { displayName, description: 'All' });
    for (const user of members) await directory.write('PUT', `/groups/${id}/members/${user}`);
    return id;
  };
  /** @returns its path, and the user before the deletion */
  async function deletedUser(...groups: readonly string[]) {
    const path = `/users/${await directory.write('POST', '/users', ada)}`;
    const id = path.split('/')[2] ?? '';
    for (const one of groups) await directory.write('PUT', `/groups/${one}/members/${id}`);
    const user = await get(path);
    await directory.write('DELETE', path);
    return { path, id, user };
  }

  it('brings a user back unchanged, under its id, into the groups that still exist', async () => {
    const [crew, gone, left] = [await group('Crew'), await group('Gone'), await group('Left')];
    const { path, id, user } = await deletedUser(crew, gone);
    await directory.write('DELETE', `/groups/${gone}`);
    const answer = await restore(path);
    expect(answer.status, answer.text).to.equal(200);
    const { meta, ...content } = answer.json();
    const { meta: old, ...expected } = user;
    expect(content).to.deep.equal(expected);
    expect(meta.created).to.equal(old.created);
    expect(meta.version).to.not.equal(old.version);
    expect(meta.lastModified > old.lastModified).to.equal(true);
    expect(answer.headers.get('content-location')).to.match(new RegExp(`/users/${id}$`));
    const read = await directory.send(path);
    expect([read.headers.get('etag'), read.json()]).to.deep.equal([
      ...[answer.headers.get('etag'), answer.json()],
    ]);
    expect(await idsIn(`/groups?member=${id}`, 'groups')).to.deep.equal([crew]);
    expect(await idsIn(`/users?group=${left}`, 'users')).to.deep.equal([]);
    const { changes } = await directory.read(`/users/${id}/history?limit=2`);
    expect(changes.map(({ type, id, added, after }) => [type, id, added, after])).to.deep.equal([
      ['group.members-changed', crew, [id], undefined],
      ['user.restored', id, undefined, { ...(changes[1]?.after as object) }],
    ]);
    const feed = await directory.read('/changes?since=start&type=user.restored');
    expect(feed.changes.map(({ version }) => version)).to.deep.equal([meta.version]);
  });

  it('leaves nothing of a user who is erased while the restoration is under way', async () => {
    const inner = memoryStore();
    let meanwhile = async (): Promise<unknown> => undefined;
    const commit: Store['commit'] = async (writes, by) => {
      if (writes.some((write) => write.op === 'create' && write.restored !== undefined)) await meanwhile();
      return inner.commit(writes, by);
    };
    await open(overridden(inner, { commit, changes: inner.changes }));
    const { path } = await deletedUser(await group('Crew'));
    meanwhile = () => directory.write('DELETE', `${path}?erase=true`);
    await expectProblem(restore(path), 404, 'not-restorable', /erased meanwhile/);
    expect((await directory.send(path)).status).to.equal(404);
    expect((await directory.send('/history')).text).to.not.include('Lovelace');
  });

  it('brings a group back with the users that still exist', async () => {
    const [one = '', other = ''] = await directory.addUsers(2);
    const id = await group('Crew', one, other);
    const before = await get(`/groups/${id}`);
    await directory.write('DELETE', `/groups/${id}`);
    await directory.write('DELETE', `/users/${one}`);
    const answer = await restore(`/groups/${id}`);
    expect(answer.status, answer.text).to.equal(200);
    const { displayName, description, memberCount, meta } = answer.json();
    expect([displayName, description, memberCount]).to.deep.equal(['Crew', 'All', 1]);
    expect(meta.created).to.equal(before.meta.created);
    expect((await directory.send(`/groups/${id}`)).headers.get('etag')).to.equal(answer.headers.get('etag'));
    expect(await idsIn(`/users?group=${id}`, 'users')).to.deep.equal([other]);
    expect((await types()).slice(0, 2)).to.deep.equal(['group.members-changed', 'group.restored']);
    expect((await restore(`/users/${one}`)).status).to.equal(200);
    expect(await idsIn(`/users?group=${id}`, 'users'), 'the group was gone before').to.deep.equal([other]);
  });

  it('is answered in XML, or with no body', async () => {
    const { path } = await deletedUser();
    const { status, text } = await restore(path, '', { accept: 'application/xml' });
    expect(status, text).to.equal(200);
    expect(text).to.match(/<user .*<userName>ada<\/userName>.*<\/user>$/);
    await directory.write('DELETE', path);
    const answer = await restore(path, '', { prefer: 'return=minimal' });
    expect([answer.status, answer.text]).to.deep.equal([204, '']);
    expect(answer.headers.get('etag')).to.be.a('string');
  });

  it('leaves the memberships out when it is asked to', async () => {
    const { path, id } = await deletedUser(await group('Crew'));
    await expectProblem(restore(path, '?memberships=all'), 400, 'invalid-parameter', /must be none/);
    expect((await restore(path, '?memberships=none')).status).to.equal(200);
    expect(await idsIn(`/groups?member=${id}`, 'groups')).to.deep.equal([]);
  });

  it('is refused for a user who exists, also when it is repeated', async () => {
    const { path } = await deletedUser();
    expect((await restore(path)).status).to.equal(200);
    const { errors } = await expectProblem(restore(path), 409, 'id-taken', /taken/);
    expect(errors[0].pointer).to.equal('/id');
    const [other] = await directory.addUsers(1);
    await expectProblem(restore(`/users/${other}`), 409, 'id-taken', /taken/);
  });

  it('changes nothing when another user or group has the name', async () => {
    const { path } = await deletedUser(await group('Crew'));
    await directory.write('POST', '/users', { userName: 'ADA' });
    const gone = `/groups/${await group('Gone')}`;
    await directory.write('DELETE', gone);
    await group('GONE');
    const before = await types();
    const user = await expectProblem(restore(path), 409, 'user-name-taken', /userName is taken/);
    expect(user.errors[0].pointer).to.equal('/userName');
    const other = await expectProblem(restore(gone), 409, 'display-name-taken', /displayName is taken/);
    expect(other.errors[0].pointer).to.equal('/displayName');
    expect(await types()).to.deep.equal(before);
    expect((await directory.send(path)).status).to.equal(404);
  });

  it('that is impossible says why', async () => {
    const refused = (path: string, detail: RegExp) =>
      expectProblem(restore(path), 404, 'not-restorable', detail);
    await refused(`/users/${randomUUID()}`, /no deletion of this user/);
    await expectProblem(restore('/users/7'), 404, 'user-not-found', /not a UUID/);
    const { path } = await deletedUser();
    await refused(path.replace('users', 'groups'), /no deletion of this group/);
    await directory.write('DELETE', `${path}?erase=true`);
    await refused(path, /values of this user were erased/);
    const soon = Date.now() + 60_000;
    const { path: old } = await deletedUser();
    await pruneAll(store.changes as ChangeLog, { feedFrom: soon, historyFrom: soon });
    await refused(old, /no deletion of this user/);
  });

  it('has nothing to restore from without a change log', async () => {
    await open(memoryStore(kindsOf(), false));
    await expectProblem(restore(`/users/${randomUUID()}`), 404, 'not-logged', /no change log/);
  });

  it('can leave out the memberships if there were too many to keep', async () => {
    await open(withValues(memoryStore(), ({ memberships, ...values }) => values));
    const { path, user } = await deletedUser();
    await expectProblem(restore(path), 404, 'not-restorable', /more memberships .* memberships=none/);
    const { meta, ...content } = (await restore(path, '?memberships=none')).json();
    expect({ ...content, meta: user.meta }).to.deep.equal(user);
  });

  it('is possible from the log of a release that recorded no memberships', async () => {
    await open(withValues(memoryStore(), ({ memberships, kept, ...values }) => values));
    const { path, user } = await deletedUser();
    await expectProblem(
      restore(path),
      404,
      'not-restorable',
      /imported, or written by an earlier release, .* memberships=none/,
    );
    const { meta, ...content } = (await restore(path, '?memberships=none')).json();
    const { meta: _, photos, ...logged } = user;
    expect(content).to.deep.equal(logged);
  });

  it('is impossible if the document could not be read', async () => {
    await open(withValues(memoryStore(), ({ label }) => ({ label })));
    const { path } = await deletedUser();
    await expectProblem(restore(path, '?memberships=none'), 404, 'not-restorable', /could not be read/);
  });
});

describe('The history of a deletion', () => {
  it('shows the memberships at that time until an erasure; a user sees no other members of a deleted group', async () => {
    const directory = await openDirectory(memoryStore(), { contractClients: 'old=1.12' });
    const [one = '', other = ''] = await directory.addUsers(2);
    const id = await directory.write('POST', '/groups', { displayName: 'Crew' });
    for (const user of [one, other]) await directory.write('PUT', `/groups/${id}/members/${user}`);
    await directory.write('DELETE', `/users/${one}`);
    await directory.write('DELETE', `/groups/${id}`);
    const newest = async (path: string) => (await directory.read(path)).changes[0];
    expect(await newest(`/users/${one}/history`)).to.deep.include({ memberships: [id] });
    for (const path of ['/history', `/groups/${id}/history`])
      expect(await newest(path)).to.deep.include({ type: 'group.deleted', memberships: [other] });
    const ofOther = await newest(`/users/${other}/history`);
    expect(ofOther).to.include({ type: 'group.deleted', label: 'Crew' });
    expect(ofOther).to.not.have.any.keys('memberships', 'kept');
    const inXml = await directory.send('/history?limit=1', { headers: { accept: 'application/xml' } });
    expect(inXml.text).to.include(`<memberships><id>${other}</id></memberships>`);
    expect((await directory.read('/changes?since=start')).changes.at(-1)).to.not.have.property('memberships');
    await directory.write('DELETE', `/users/${one}?erase=true`);
    expect(await newest(`/users/${one}/history`)).to.not.have.any.keys('memberships', 'before', 'label');
    await directory.close();
  });
});
