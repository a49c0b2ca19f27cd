/** The contract of a change log that moves into another store (src/domain/changes/moves.ts). */
import { expect } from 'chai';
import { messageOf } from '../../src/adapters/system/errors.ts';
import type { Entry } from '../../src/domain/changes/change.ts';
import {
  beginCopy,
  finishCopy,
  isBeingFilled,
  isMovable,
  type LogCopy,
  type MovableLog,
} from '../../src/domain/changes/copy-log.ts';
import { type ChangeLog, type Cursor, readHistory } from '../../src/domain/changes/log.ts';
import { beingFilled } from '../../src/domain/changes/moves.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Store, Write } from '../../src/domain/store.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { tester } from '../support/store-verbs.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  type OpenedLog,
  pruneAll,
  removeGroup,
  removeUser,
  replaceUser,
} from './change-log.ts';
import { outcome } from './refusals.ts';
import type { ContractUi } from './user-store.ts';

const logOf = ({ changes }: Store): MovableLog => (isMovable(changes) ? changes : expect.fail('no log'));
const endOf = async (log: ChangeLog): Promise<Cursor> => (await log.read('now', 1)).end;
const failureOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'done', messageOf);

async function commit(store: Store, ...writes: readonly Write[]): Promise<void> {
  for (let from = 0; from < writes.length; from += 250)
    expect(await store.commit(writes.slice(from, from + 250), tester)).to.not.include('stale');
}

/** All entries, and the histories of the resources. */
async function contentOf(log: ChangeLog, kinds: Readonly<Record<string, readonly string[]>>) {
  const all: Entry[] = [];
  for await (const { entries } of readHistory(log)) all.push(...entries);
  const histories = new Map<string, readonly Entry[]>();
  for (const [kind, ids] of Object.entries(kinds))
    for (const id of ids) histories.set(id, (await log.history(1_000, undefined, { kind, id })).entries);
  return { all, histories };
}

const begin = async (from: MovableLog, to: MovableLog): Promise<LogCopy> =>
  (await beginCopy(from, to)) ?? expect.fail('the target has entries');

/** @param open makes a store on new data @param ui gets the cases; mocha's running suite by default */
export function movedLogCases(
  open: () => Promise<OpenedLog>,
  ui: Omit<ContractUi, 'describe' | 'after'> = globalThis,
): void {
  let opened: OpenedLog[];
  let source: Store;
  let target: Store;
  ui.beforeEach(async () => {
    opened = [await open(), await open()];
    [source, target] = opened.map(({ store }) => store) as [Store, Store];
  });
  ui.afterEach(async () => {
    for (const { store, discard } of opened) {
      await store.close();
      await discard?.();
    }
  });

  /** So that what is left does not begin with the first entry. */
  async function removeEntries(store: Store): Promise<void> {
    const soon = Date.now() + 1000;
    await pruneAll(logOf(store), { historyFrom: soon, feedFrom: soon });
  }

  /** Whose oldest entries have left the log, with whole lists, deletions and an erasure. @returns the ids */
  async function fill(store: Store): Promise<{ user: string[]; group: string[] }> {
    const [ann, bob, cy, dan] = Array.from({ length: 4 }, () => aUser()) as [User, User, User, User];
    const [crew, staff, gone] = [aGroup(), aGroup(), aGroup()];
    const all = [ann, bob, cy, dan].map(({ id }) => id);
    await commit(store, ...[ann, bob, cy, dan].map((user) => createUser(user)), createGroup(crew, all));
    await removeEntries(store);
    await commit(store, changeMembers(crew.id, { isWhole: true, add: [ann.id, bob.id] }));
    const titled = changed(ann, { title: 'Countess' });
    await commit(store, replaceUser(ann, titled), createGroup(staff, [ann.id, dan.id]));
    await commit(store, createGroup(gone, all), changeMembers(staff.id, { remove: [dan.id] }));
    await commit(store, removeGroup(gone), removeUser(cy));
    await commit(store, removeUser(dan, true));
    return { user: all, group: [crew.id, staff.id, gone.id] };
  }

  ui.it(
    'has the same entries and histories in another store, whose cursors are new and whose numbers continue',
    async () => {
      const ids = await fill(source);
      const [from, to] = [logOf(source), logOf(target)];
      const copy = await begin(from, to);
      expect([await isBeingFilled(from), await isBeingFilled(to)]).to.deep.equal([false, true]);
      expect(await finishCopy(copy, () => {})).to.be.above(8);
      expect(await isBeingFilled(to)).to.equal(false);
      const content = await contentOf(from, ids);
      expect(await contentOf(to, ids)).to.deep.equal(content);
      expect(content.all.filter(({ id, values }) => id === ids.user[3] && values)).to.deep.equal([]);
      const end = await endOf(from);
      expect(await outcome(to.read(end, 1))).to.equal('cursor-foreign');
      const next = aUser();
      await commit(target, createUser(next));
      const { entries } = await to.read(await endOf(to).then((now) => ({ ...now, ...content.all[0] })), 9);
      expect(entries.map(({ id }) => id)).to.deep.equal([next.id]);
      expect(entries[0]?.number).to.be.above(end.number);
      expect(await beginCopy(from, to), 'it has entries').to.equal(undefined);
    },
  );

  ui.it('keeps its entries, and their sizes, when the store is opened again', async () => {
    const ids = await fill(source);
    await finishCopy(await begin(logOf(source), logOf(target)), () => {});
    const reopened = await opened[1]?.reopen?.();
    if (reopened === undefined) return;
    const log = logOf(reopened);
    expect(await contentOf(log, ids)).to.deep.equal(await contentOf(logOf(source), ids));
    const { bytes = 0 } = await logOf(source).measure();
    expect((await log.measure()).bytes).to.be.within(bytes / 2, bytes * 2);
    await pruneAll(log, { maxBytes: 1 });
    expect((await log.history(9)).entries.length).to.be.below(2);
    await reopened.close();
  });

  ui.it(
    'goes on where it was interrupted, makes no entries meanwhile, and is not opened for others',
    async () => {
      await commit(source, createUser(aUser()));
      await removeEntries(source);
      const users = Array.from({ length: 1_200 }, () => aUser());
      await commit(source, ...users.map((user) => createUser(user)));
      const [from, to] = [logOf(source), logOf(target)];
      const interrupt = () => {
        throw new Error('interrupted');
      };
      expect(await failureOf(finishCopy(await begin(from, to), interrupt))).to.equal('interrupted');
      const own = aUser();
      await target.commit([createUser(own)], tester);
      const refused = opened[1]?.reopen && (await failureOf(opened[1].reopen()));
      if (refused !== undefined) expect(refused).to.include(beingFilled);
      const done: number[] = [];
      const count = await finishCopy(await begin(from, to), (so) => done.push(so));
      expect([count, done.at(-1)]).to.deep.equal([1_200, 700]);
      expect((await to.history(1, undefined, { kind: 'user', id: own.id })).entries).to.deep.equal([]);
    },
  );

  ui.it('is refused once the source has changed since the copy began', async () => {
    await fill(source);
    const [from, to] = [logOf(source), logOf(target)];
    const copy = await begin(from, to);
    await commit(source, createUser(aUser()));
    expect(await failureOf(finishCopy(copy, () => {}))).to.include('changed since');
    expect(await failureOf(beginCopy(from, to))).to.include('changed since');
    expect(await isBeingFilled(to)).to.equal(true);
  });

  ui.it('moves a log without entries: the numbers continue', async () => {
    const ann = aUser();
    await commit(source, createUser(ann), createUser(aUser()));
    await removeEntries(source);
    expect(await finishCopy(await begin(logOf(source), logOf(target)), () => {})).to.equal(0);
    const reopened = (await opened[1]?.reopen?.()) ?? target;
    const since = await endOf(logOf(reopened));
    expect(since.number).to.equal((await endOf(logOf(source))).number);
    await commit(reopened, createUser(ann));
    expect((await logOf(reopened).read(since, 9)).entries.map(({ id }) => id)).to.deep.equal([ann.id]);
    if (reopened !== target) await reopened.close();
  });
}
