/**
 * Brings the database to this release's layout while processes of the previous release continue to write. The file with the number of the layout
 * has what this layout needs; it can be removed when upgrades from the previous layout end.
 *
 * 1. Expand. The start makes the new indexes. Every transaction of this release writes the new layout, and counts the numbers that it takes from the
 *    counter twice, in `number` and in `taken`. An older release counts only in `number`. So `number - taken` (`untakenOf`) grows with each of
 *    its transactions, and with nothing else.
 * 2. Complete. Whenever that difference is not the one noted with the progress, older releases have written. A process reads the counter, completes
 *    all entries up to its number, in steps, and then notes the number and the difference as they were in the counter. Nothing is missed:
 *    transactions lock the counter, so an entry behind that number came after that reading, and if an older release made it, the difference has
 *    changed again.
 * 3. Contract. When the difference has stood still for a while, one update raises the number of the layout. Its filter has the noted difference: if
 *    an older transaction commits first, the update finds nothing, and step 2 follows. If the update comes first, the older transaction
 *    conflicts with it on the counter, begins again and refuses. So no entry of an older release comes after it.
 * 4. Release 1.0 doesn't compare the number. If a process of it should still write, step 2 goes on completing its entries.
 *
 * A lease makes one process do the steps, to save the others the work. Two would do no harm: a step changes only what is incomplete. The lease and
 * the progress are in one document; when a process dies, another one goes on from there as soon as the lease has ended.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../connection/database.ts';
import type { Operations } from '../connection/operations.ts';
import type { OnBatch } from '../layout/rebuild.ts';
import {
  type Counter,
  type LogCollections,
  logOf,
  type Migrated,
  readState,
  untakenOf,
} from '../log/entries.ts';

export interface Migration {
  readonly layout: number;
  /** For the log. */
  readonly work: string;
  /**
   * Completes some of the entries that older releases have written. Idempotent.
   * @param range the number before the first entry, and that of the last one
   * @returns the number up to which they are complete
   */
  step(database: Database, range: readonly [number, number]): Promise<number>;
}

/** Unless told otherwise, in milliseconds: how long older releases must not have written before they are refused. */
export const defaultQuiet = 10 * 60_000;

/** In milliseconds: how long the steps of a process that has died are left alone. */
const leaseTime = 10_000;

/** In milliseconds: after this time other regular work has its turn. */
const turn = 1000;

/** On the clock of the server, which all processes share. */
const leaseEnd = { $add: ['$$NOW', leaseTime] };
const isExpired = { $expr: { $lt: ['$until', '$$NOW'] } };

export interface Migrating {
  readonly migration: Migration;
  readonly quiet: number;
  readonly onProgress: OnBatch;
  /** Called by the process that has refused older releases. */
  readonly onContract: () => void;
}

export class MigrationRunner {
  readonly #database: Database;
  readonly #log: LogCollections;
  readonly #operations: Operations;
  readonly #migrating: Migrating;
  readonly #holder = randomUUID();
  /** Since when, as of `performance.now()`, the numbers of older releases have stood still. */
  #still = { untaken: -1, since: 0 };

  constructor(database: Database, operations: Operations, migrating: Migrating) {
    this.#database = database;
    this.#log = logOf(database);
    this.#operations = operations;
    this.#migrating = migrating;
  }

  /** Does what is due, for about a second. To be called again and again. */
  async look(): Promise<void> {
    const { migration, quiet } = this.#migrating;
    const state = () => readState(this.#log, this.#database.limits);
    const { counter, migrated } = await this.#operations.readLatest(state);
    if (counter === undefined) return;
    const untaken = untakenOf(counter);
    if (untaken !== this.#still.untaken) this.#still = { untaken, since: performance.now() };
    if (untaken !== (migrated?.untaken ?? 0)) await this.#complete(counter);
    else if ((counter.layout ?? 1) < migration.layout && performance.now() - this.#still.since >= quiet)
      await this.#contract(untaken);
  }

  async #complete(counter: Counter): Promise<void> {
    const { migration, onProgress } = this.#migrating;
    const end = performance.now() + turn;
    let done = await this.#claim();
    while (done !== undefined && done < counter.number) {
      if (performance.now() > end) return;
      const range = [done, counter.number] as const;
      const next = await this.#operations.readLatest(() => migration.step(this.#database, range));
      onProgress(next, counter.number);
      done = await this.#note({ done: next, until: leaseEnd });
    }
    if (done === undefined) return;
    await this.#note({ untaken: untakenOf(counter), holder: '$$REMOVE', until: '$$REMOVE' });
  }

  /** @returns the number up to which entries are complete; undefined while another process is at work */
  async #claim(): Promise<number | undefined> {
    const _id = 'migration';
    const options = { ...this.#database.limits, upsert: true };
    await this.#log.state.updateOne({ _id }, { $setOnInsert: { done: 0 } }, options);
    const isFree = { $or: [{ holder: this.#holder }, { holder: { $exists: false } }, isExpired] };
    return await this.#change(isFree, { holder: this.#holder, until: leaseEnd });
  }

  /** @returns undefined if another process has taken over */
  #note(fields: object): Promise<number | undefined> {
    return this.#change({ holder: this.#holder }, fields);
  }

  async #change(filter: object, $set: object): Promise<number | undefined> {
    const options = { ...this.#database.limits, returnDocument: 'after' } as const;
    const found = await this.#log.state.findOneAndUpdate(
      { _id: 'migration', ...filter },
      [{ $set }],
      options,
    );
    return (found as Migrated | null)?.done;
  }

  async #contract(untaken: number): Promise<void> {
    const { limits } = this.#database;
    const { migration, onContract } = this.#migrating;
    const { layout } = migration;
    const isSame = { $eq: [{ $subtract: ['$number', { $ifNull: ['$taken', 0] }] }, untaken] };
    const filter = { _id: 'counter', layout: { $not: { $gte: layout } }, $expr: isSame } as const;
    const { modifiedCount } = await this.#log.state.updateOne(filter, { $set: { layout } }, limits);
    if (modifiedCount > 0) onContract();
  }
}
