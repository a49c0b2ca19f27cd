/** Each time that the process at work is killed, another one waits for its lease: some seconds for each kill. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import {
  type Counter,
  logCollectionsOf,
  type Migrated,
  subjectOf,
} from '../../../../src/adapters/stores/mongodb/log/entries.ts';
import { usersOf } from '../../../../src/adapters/stores/mongodb/log/users.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { describeOwnMongo, openAt, startSet, withDatabase } from '../../../support/mongodb.ts';
import { FaultySet } from '../../../support/mongodb-faults.ts';
import { runs } from '../../../support/runs.ts';
import { ProcessBefore } from './layout-before.ts';

/** RUNS=1 is thirty. */
const kills = runs(30);
/** Enough that each kill meets the migration at work. */
const entriesForEachKill = 5_000;
const patience = kills * 30_000;

const script = join(import.meta.dirname, 'migrating-process.ts');

describeOwnMongo('The migration of a MongoDB store, by three processes that are killed,', function () {
  this.timeout(patience + 2 * deadline);
  const processes: (ChildProcess | undefined)[] = [];
  let set: FaultySet | undefined;
  let client: MongoClient | undefined;
  let before: ProcessBefore | undefined;

  afterEach(async () => {
    for (const at of processes.keys()) await kill(at);
    await before?.close();
    await client?.close();
    await set?.stop();
  });

  async function start(at: number, uri: string): Promise<void> {
    const child = fork(script, [uri]);
    processes[at] = child;
    for (let line: unknown; line !== 'open'; ) [line] = await once(child, 'message');
  }

  const startAll = (uri: string) => Promise.all([0, 1, 2].map((at) => start(at, uri)));

  async function kill(at: number): Promise<void> {
    const child = processes[at];
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** As the release before left the log. */
  async function fill(uri: string, log: ReturnType<typeof logCollectionsOf>): Promise<void> {
    await (await openAt(uri)).close();
    const counter = (await log.state.findOne({ _id: 'counter' })) as Counter;
    const number = kills * entriesForEachKill;
    const documents = Array.from({ length: number }, (_, at) => {
      const [id, added] = [randomUUID(), [randomUUID(), randomUUID()]];
      const entry = JSON.stringify({
        ...{ type: 'group.members-changed', id, added },
        by: { client: 'before', via: 'users' },
      });
      return { _id: at + 1, mark: counter.mark, at: Date.now(), of: subjectOf('group', id), entry };
    });
    await log.entries.insertMany(documents);
    const update = { $set: { number, layout: 1 }, $unset: { taken: 1 } } as const;
    await log.state.updateOne({ _id: 'counter' }, update);
  }

  it('goes on until each entry is complete, also those of the previous release, which is then refused', async () => {
    const members = await startSet(3);
    const uri = withDatabase(members.getUri(), 'users');
    set = new FaultySet(members, uri);
    client = new MongoClient(uri, { w: 'majority', readPreference: 'primary' });
    const log = logCollectionsOf(client.db());
    await fill(uri, log);
    await startAll(uri);
    const old = new ProcessBefore(uri);
    before = old;
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      while (!isOver && (await old.log(randomUUID(), [randomUUID()])) !== undefined) written += 1;
    })();
    const progress = async () => (await log.state.findOne({ _id: 'migration' })) as Migrated | null;
    for (let killed = 0; killed < kills; killed += 1) {
      const wanted = Math.floor((killed + Math.random()) * entriesForEachKill);
      await until(`${wanted} are complete`, async () => ((await progress())?.done ?? 0) >= wanted);
      for (const at of [0, 1, 2]) await kill(at);
      if (killed === Math.floor(kills / 2)) {
        const primary = await set.primary();
        await set.stepDown();
        await set.letRun(primary);
      }
      await startAll(uri);
    }
    isOver = true;
    await writing;
    const layout = async () => ((await log.state.findOne({ _id: 'counter' })) as Counter | null)?.layout;
    await until('the release before is refused', async () => (await layout()) === 2);
    expect(await old.log(randomUUID(), [randomUUID()])).to.equal(undefined);
    let count = 0;
    for await (const { entry, users } of log.entries.find()) {
      expect(users).to.deep.equal(usersOf(JSON.parse(entry)));
      count += 1;
    }
    expect(count).to.equal(kills * entriesForEachKill + written);
  });
});
