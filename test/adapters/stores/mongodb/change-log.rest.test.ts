import { expect } from 'chai';
import { Collection, MongoClient } from 'mongodb';
import type { MongoOptions } from '../../../../src/adapters/stores/mongodb/connection/client.ts';
import { type Counter, logCollectionsOf } from '../../../../src/adapters/stores/mongodb/log/entries.ts';
import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import type { ChangeLog, Cursor } from '../../../../src/domain/changes/log.ts';
import { beingFilled, fillingLine } from '../../../../src/domain/changes/moves.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { changeLogCases, createUser, pruneAll } from '../../../contract/change-log.ts';
import { findFailures } from '../../../contract/find-failures.ts';
import { memberHistoryCases } from '../../../contract/member-histories.ts';
import { movedLogCases } from '../../../contract/moved-logs.ts';
import { outcome } from '../../../contract/refusals.ts';
import { restorationCases } from '../../../contract/restored.ts';
import { aUser } from '../../../support/a-user.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { follow } from '../../../support/logged-writes.ts';
import { aDatabase, describeMongo, inADatabase, type TestDatabase } from '../../../support/mongodb.ts';
import { tester } from '../../../support/store-verbs.ts';

const onProblem = (message: string): never => {
  throw new Error(message);
};
const opener =
  ({ uri }: TestDatabase) =>
  (options: Partial<MongoOptions> = {}) =>
    openMongoStore({ uri, onProblem, operationTimeout: deadline, ...options });

async function openLog() {
  const database = await aDatabase();
  const reopen = opener(database);
  return { store: await reopen(), reopen, discard: () => database.drop() };
}

const write = async (store: Store, count = 1): Promise<readonly unknown[]> =>
  await store.commit(
    Array.from({ length: count }, () => createUser(aUser())),
    tester,
  );
const changesOf = ({ changes }: Store): ChangeLog => changes ?? expect.fail('no log');
const endOf = async (store: Store): Promise<Cursor> => (await changesOf(store).read('now', 1)).end;

// Each opens a store before each of its tests.
for (const cases of [changeLogCases, memberHistoryCases, restorationCases, movedLogCases])
  describeMongo('The change log in MongoDB', () => cases(openLog));

describeMongo('The change log in MongoDB', () => {
  it('refuses writes of a process that was open when another one began to fill it, until it is filled', () =>
    inADatabase(async (database) => {
      const open = opener(database);
      const [problems, target] = [[] as string[], await open({ mayFill: true })];
      const other = await open({ onProblem: (message) => problems.push(message) });
      const moves = changesOf(target).moves ?? expect.fail();
      expect(await moves.begin(fillingLine('a source'))).to.equal(true);
      const [refused] = await write(other);
      expect(refused).to.be.instanceOf(DomainError).with.property('message', beingFilled);
      await until('it is told', () => problems.some((problem) => problem.includes(beingFilled)));
      await moves.end({ number: 7, mark: 'last' });
      expect(await write(other)).to.deep.equal(['done']);
      expect((await endOf(other)).number).to.be.above(7);
      await Promise.all([other.close(), target.close()]);
    }));

  it('ends for all processes when one of them switches it off, and begins a new line when it is switched on again', () =>
    inADatabase(async (database) => {
      const open = opener(database);
      const first = await open();
      await write(first);
      const old = await endOf(first);
      const second = await open({ isLogged: false });
      expect(second.changes).to.equal(undefined);
      expect(await write(first)).to.deep.equal(['done']);
      expect(await outcome(changesOf(first).read(old, 1))).to.equal('unavailable');
      expect(await logCollectionsOf(database.client.db()).entries.countDocuments()).to.equal(0);
      const third = await open();
      expect(await outcome(changesOf(first).read(old, 1))).to.equal('cursor-foreign');
      const now = await endOf(third);
      await write(second);
      expect(await follow(changesOf(third), now)).to.have.length(1);
      await Promise.all([first, second, third].map((store) => store.close()));
    }));

  it('expires the entries behind an import that was made by a clock that was ahead', () =>
    inADatabase(async (database) => {
      const { state, entries } = logCollectionsOf(database.client.db());
      const store = await opener(database)();
      await write(store);
      const first = (await entries.findOne()) ?? expect.fail('no entry');
      const later = { ...first, at: first.at + 365 * 24 * 60 * 60 * 1000 };
      // Numbers may be missing.
      const [count, step] = [250_000, 100];
      const numbers = Array.from({ length: count / step }, (_, at) => first._id + (at + 1) * step);
      await entries.insertMany(numbers.map((_id) => ({ ...later, _id })));
      await state.updateOne({ _id: 'counter' }, { $inc: { number: count } });
      await write(store);
      const soon = Date.now() + 60_000;
      await pruneAll(changesOf(store), { now: soon, feedFrom: soon });
      expect(await follow(changesOf(store), 'start')).to.deep.equal([]);
      expect((await changesOf(store).history(1)).entries).to.have.length(1);
      await store.close();
    }));

  it('is empty when it is switched on again after a process died deleting it, and keeps what follows', () =>
    inADatabase(async (database) => {
      const { state, entries } = logCollectionsOf(database.client.db());
      const open = opener(database);
      const first = await open();
      await write(first, 3);
      await state.updateOne({ _id: 'counter' }, { $set: { line: null } });
      const second = await open();
      expect((await changesOf(second).history(10)).entries).to.have.length(0);
      await write(second);
      expect(await entries.countDocuments()).to.equal(1);
      await Promise.all([first, second].map((store) => store.close()));
    }));

  it('keeps its entries when it is switched on while the earlier log is still being deleted', () =>
    inADatabase(async (database) => {
      const open = opener(database);
      const first = await open();
      await write(first);
      const { deleteMany } = Collection.prototype;
      let next: Store | undefined;
      Collection.prototype.deleteMany = async function (this: Collection, ...asked) {
        Collection.prototype.deleteMany = deleteMany;
        next = await open();
        await write(next);
        return await deleteMany.apply(this, asked);
      };
      const off = await open({ isLogged: false }).finally(() => {
        Collection.prototype.deleteMany = deleteMany;
      });
      const after = next ?? expect.fail('nothing was deleted');
      expect((await changesOf(after).history(10)).entries).to.have.length(1);
      await Promise.all([first, off, after].map((store) => store.close()));
    }));

  it('begins a new line when the database was restored from parts of different times', () =>
    inADatabase(async (database) => {
      const { state } = logCollectionsOf(database.client.db());
      const open = opener(database);
      const before = await open();
      await write(before);
      const earlier = (await state.findOne({ _id: 'counter' })) as Counter;
      await write(before, 3);
      const end = await endOf(before);
      await before.close();
      await state.replaceOne({ _id: 'counter' }, earlier);
      const after = await open();
      expect(await outcome(changesOf(after).read(end, 1))).to.equal('cursor-foreign');
      const now = await endOf(after);
      expect(now.number).to.be.at.least(end.number);
      expect(await write(after, 3)).to.deep.equal(['done', 'done', 'done']);
      expect(await follow(changesOf(after), now)).to.have.length(3);
      await after.close();
    }));

  it('is written even though a process died between taking numbers and committing', () =>
    inADatabase(async (database) => {
      const { databaseName } = database.client.db();
      const store = await opener(database)();
      const dead = new MongoClient(database.uri, { appName: `users ${databaseName}` });
      const session = dead.startSession();
      session.startTransaction();
      const { state } = logCollectionsOf(dead.db());
      await state.updateOne({ _id: 'counter' }, { $inc: { number: 2 } }, { session });
      expect(await write(store)).to.deep.equal(['done']);
      await session.endSession();
      await Promise.all([store.close(), dead.close()]);
    }));

  it('fails this test if it takes its numbers outside of transactions', async () => {
    const { findOneAndUpdate } = Collection.prototype;
    type Arguments = [filter: object, update: object, options?: object];
    const inTransaction = findOneAndUpdate as (this: Collection, ...asked: Arguments) => Promise<unknown>;
    // Writes have no other use for it.
    Collection.prototype.findOneAndUpdate = function (this: Collection, ...asked: Arguments) {
      const [filter, update, options] = asked;
      return inTransaction.call(this, filter, update, { ...options, session: undefined });
    } as typeof findOneAndUpdate;
    try {
      await until('a follower misses an entry', async () => (await countFailures()) > 0);
    } finally {
      Collection.prototype.findOneAndUpdate = findOneAndUpdate;
    }
  });
});

/** Of the case about the order, in a run of its own. */
const countFailures = async (): Promise<number> =>
  (await findFailures((ui) => changeLogCases(openLog, ui), /in the order of the commits/)).length;
