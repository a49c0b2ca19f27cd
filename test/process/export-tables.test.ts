import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { exportResources } from '../../src/commands/files/export-resources.ts';
import { openTarget } from '../../src/commands/files/target.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Store } from '../../src/domain/store.ts';
import { printFile } from '../contract/file-format.ts';
import { parseListQuery, userDefinition } from '../support/kinds.ts';
import { memoryStore, overridden, portOf } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';
import { insertAll } from './directories.ts';
import { codec, late, longUsers, many } from './long-users.ts';

async function exportTo(
  path: string,
  store: UserStore,
  signal = new AbortController().signal,
): Promise<Exported> {
  let given = 0;
  const [damaged, reads]: [string[], number[]] = [[], []];
  const port = portOf(store);
  const counted: Store = overridden(port, {
    page: async (...asked: Parameters<Store['page']>) => {
      const page = await port.page(...asked);
      given += page.items.length;
      return page;
    },
  });
  const target = openTarget(path);
  try {
    const written = await exportResources(counted, target, {
      kind: userDefinition.kind,
      codec,
      selection: parseListQuery(''),
      signal,
      onProgress: (_, read) => reads.push(read),
      onDamaged: (id) => damaged.push(id),
    });
    await target.finish();
    return { written, given, damaged, reads };
  } finally {
    target.discard();
  }
}

async function storeOf(users: readonly User[]): Promise<UserStore> {
  const store = memoryStore();
  await insertAll(store, users);
  return store;
}

/** A store with unreadable users. @param isDamaged given the place of a user */
const damaging = (store: UserStore, isDamaged: (at: number) => boolean): UserStore => ({
  ...store,
  list: async (query) =>
    (await store.list(query)).map((user) =>
      isDamaged(Number(user.id.slice(-12))) ? new Stored<User>(`{"id":"${user.id}"`) : user,
    ),
});

interface Exported {
  readonly written: number;
  /** How many users the store gave. */
  readonly given: number;
  readonly damaged: readonly string[];
  readonly reads: readonly number[];
}

describe('An export of a table', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'users-tables-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const name of ['users.csv', 'users.csv.gz'])
    it(`reads each user twice, first for the columns and then for the rows, in ${name}`, async () => {
      const users = longUsers(many, (at) =>
        at >= late ? { attributes: { [`late${at}`]: 'x' }, ...(at % 2 === 0 && { title: `${at}` }) } : {},
      );
      const { written, given, reads } = await exportTo(join(folder, name), await storeOf(users));
      expect([written, given, reads.at(-1)]).to.deep.equal([many, 2 * many, many]);
      for (const read of reads) expect(read).to.be.within(0, many);
      const file = readFileSync(join(folder, name));
      expect(String(name.endsWith('.gz') ? gunzipSync(file) : file)).to.equal(printFile(codec, users));
      expect(readdirSync(folder)).to.deep.equal([name]);
    });

  it('has columns for values that only the first users have, and no columns without values', async () => {
    const users = longUsers(many, (at) => (at === 0 ? { nickName: 'x' } : {}));
    await exportTo(join(folder, 'users.csv'), await storeOf(users));
    const [header] = readFileSync(join(folder, 'users.csv'), 'utf8').split('\r\n');
    expect(header?.split(',')).to.include('nickName').and.not.include('title');
  });

  it('has the columns of required fields when there are no users', async () => {
    await exportTo(join(folder, 'users.csv'), memoryStore());
    expect(readFileSync(join(folder, 'users.csv'), 'utf8')).to.equal(printFile(codec, []));
  });

  it('names each damaged user once', async () => {
    const users = longUsers(many);
    const [odd, whole] = [users.filter((_, at) => at % 2 === 1), users.filter((_, at) => at % 2 === 0)];
    const store = damaging(await storeOf(users), (at) => at % 2 === 1);
    const { written, damaged } = await exportTo(join(folder, 'users.csv'), store);
    expect(damaged).to.deep.equal(odd.map(({ id }) => id));
    expect(written).to.equal(whole.length);
    expect(readFileSync(join(folder, 'users.csv'), 'utf8')).to.equal(printFile(codec, whole));
  });

  it('fails without a file when a user gets another field between the two reads', async () => {
    const users = longUsers(many, (at) => (at === late ? { title: 'x' } : {}));
    const store = await storeOf(users);
    let lists = 0;
    const changing: UserStore = {
      ...store,
      list: async (query) => {
        lists += 1;
        const batch = await store.list(query);
        // In the second reading.
        return lists < 10 ? batch : batch.map(({ value: user }) => Stored.of({ ...user, nickName: 'x' }));
      },
    };
    const failure = await exportTo(join(folder, 'users.csv'), changing).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(failure).to.contain('users got members meanwhile');
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('ends on request, also while it collects the columns', async () => {
    const [first, second] = [{}, { title: 'x' }].map((more) =>
      // More than a batch, so that another always follows.
      longUsers(65, () => more).map((user) => Stored.of(user)),
    );
    const controller = new AbortController();
    const [atOther, atSignal, atEnd] = [10, 20, 3000];
    let lists = 0;
    const endless: UserStore = {
      ...memoryStore(),
      list: async () => {
        lists += 1;
        if (lists === atSignal) setImmediate(() => controller.abort(new Error('told to end')));
        if (lists > atEnd) return [];
        return (lists < atOther ? first : second) ?? [];
      },
    };
    const failure = await exportTo(join(folder, 'users.csv'), endless, controller.signal).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(failure).to.equal('told to end');
    expect(lists).to.be.below(atEnd);
    expect(readdirSync(folder)).to.deep.equal([]);
  });
});
