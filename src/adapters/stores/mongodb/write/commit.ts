/**
 * The one place where writes are applied. The writes of a process wait in a queue, and one transaction at a time takes as many as it may
 * (`connection/transactions.ts` runs it, and runs it again after conflicts). It takes numbers in the change log first, which locks the log
 * for all processes; reads what the writes name; decides each write (`batch.ts`); and sends the statements and the entries. The commit waits
 * for the majority once for all of them.
 */

import type { ClientSession } from 'mongodb';
import { maxIds, maxMemberships } from '../../../../domain/changes/change.ts';
import {
  declaredOtherwise,
  isOutdated,
  printDeclarations,
} from '../../../../domain/kinds/attributes/compare.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Actor, MembersChange, Outcome, Write } from '../../../../domain/store.ts';
import { DomainError } from '../../../../domain/validation/errors.ts';
import type { Database } from '../connection/database.ts';
import { isRefusal, toWriteError, undone } from '../connection/driver-errors.ts';
import type { Operations } from '../connection/operations.ts';
import { documentsOf, toContent } from '../documents/document.ts';
import { appendEntries, assertFilled, logOf, takeNumbers } from '../log/entries.ts';
import { eraseValues } from '../log/erasing.ts';
import { Batch, type PreparedWrite, rankOf } from './batch.ts';
import { endSets } from './left-sets.ts';
import { readMemberships } from './members.ts';
import { decisive, decisiveOfOwner, type Row, Rows } from './rows.ts';

/** The limits of one transaction. A write that names more ids has its own transaction. */
const writesAtOnce = 64;
const idsAtOnce = 1_000;

interface QueuedWrite extends PreparedWrite {
  /** A time of `performance.now()`. */
  readonly end: number;
  /** A program fault is thrown. */
  readonly settle: (outcome: Outcome | Error) => void;
}

const idsOf = ({ members }: PreparedWrite): readonly string[] =>
  members === undefined ? [] : [...members.add, ...members.remove];

/** The groups that a restored user joins, if they still exist. */
const joinedBy = ({ write, members }: PreparedWrite): readonly string[] =>
  (write.op === 'create' && members === undefined && write.restored) || [];

/** An upper bound of the number of entries that the write makes. */
const entriesOf = (one: PreparedWrite): number =>
  2 + Math.floor(idsOf(one).length / maxIds) + joinedBy(one).length;

/** The number of ids that the transaction reads for the write. */
function countIds(one: PreparedWrite): number {
  const { memberCount = 0 } = (one.write.op === 'remove' && one.write.before.membership) || {};
  return idsOf(one).length + joinedBy(one).length + Math.min(memberCount, maxMemberships);
}

function changeOf(write: Write): MembersChange | undefined {
  if (write.op === 'members') return write.change;
  if (write.op === 'replace') return write.members;
  const add = write.op === 'create' ? (write.restored ?? write.members ?? []) : [];
  return add.length > 0 ? { add, remove: [] } : undefined;
}

export class Commits {
  readonly #database: Database;
  readonly #operations: Operations;
  readonly #mayFill: boolean;
  readonly #declared: string;
  #queue: QueuedWrite[] = [];
  #isRunning = false;
  /** Settles with the last transaction. */
  #last: Promise<void> = Promise.resolve();

  /** @param mayFill see `StoreHooks` */
  constructor(database: Database, operations: Operations, mayFill: boolean) {
    this.#database = database;
    this.#operations = operations;
    this.#mayFill = mayFill;
    this.#declared = printDeclarations(database.kinds.source.declarations);
  }

  async commit(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    const prepared = writes.map((write) => this.#prepare(write, by));
    return await this.#operations.write(() => this.#wait(prepared));
  }

  #prepare(write: Write, by: Actor): PreparedWrite {
    const kind = this.#database.kinds.of(write.kind);
    const content = 'next' in write ? toContent(kind, write.next) : undefined;
    return { kind, write, by, content, members: kind.members === undefined ? undefined : changeOf(write) };
  }

  /** A write that no transaction has taken within the time of an operation is not done. */
  async #wait(writes: readonly PreparedWrite[]): Promise<readonly Outcome[]> {
    const { maxTimeMS } = this.#database.limits;
    const end = performance.now() + maxTimeMS;
    const settled = writes.map((one) => {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      const settle = (outcome: Outcome | Error) =>
        outcome instanceof Error && !(outcome instanceof DomainError) ? reject(outcome) : resolve(outcome);
      this.#queue.push({ ...one, end, settle });
      return promise;
    });
    const timer = setTimeout(() => this.#giveUp(end), maxTimeMS);
    void this.#run();
    try {
      return await Promise.all(settled);
    } finally {
      clearTimeout(timer);
    }
  }

  #giveUp(end: number): void {
    const late = new Set(this.#queue.filter((one) => one.end <= end));
    this.#queue = this.#queue.filter((one) => !late.has(one));
    for (const one of late) one.settle(undone());
  }

  /** The next transaction begins once the primary has the previous one; both then wait for the majority together. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      const applied = Promise.withResolvers<void>();
      const batch: QueuedWrite[] = [];
      this.#fill(batch);
      this.#last = this.#settle(batch, this.#last, applied.resolve).finally(applied.resolve);
      await applied.promise;
    }
    this.#isRunning = false;
  }

  /** Adds the oldest waiting writes, as many as fit. */
  #fill(batch: QueuedWrite[]): void {
    let ids = batch.reduce((sum, one) => sum + countIds(one), 0);
    for (const one of this.#queue) {
      ids += countIds(one);
      if (batch.length > 0 && (batch.length === writesAtOnce || ids > idsAtOnce)) break;
      batch.push(one);
    }
    const taken = new Set(batch);
    this.#queue = this.#queue.filter((one) => !taken.has(one));
  }

  /** @param before the earlier transactions: refusals that they cause are answered after them @param isOpen more writes may join */
  async #settle(
    batch: QueuedWrite[],
    before: Promise<void>,
    onApplied: () => void,
    isOpen = true,
  ): Promise<void> {
    const { transactions, limits } = this.#database;
    const end = performance.now() + limits.maxTimeMS;
    const work = (session: ClientSession) => {
      // Repeated at each attempt: while other processes hold the log, more writes arrive.
      if (isOpen) this.#fill(batch);
      return this.#apply(batch, session);
    };
    try {
      const outcomes = await transactions.run(work, end, onApplied);
      await before;
      for (const one of batch) one.settle(outcomes.get(one) ?? undone());
    } catch (cause) {
      // The server refuses one of the writes: the others must not fail with it.
      if (batch.length > 1 && isRefusal(cause))
        for (const one of batch) await this.#settle([one], before, onApplied, false);
      else for (const one of batch) one.settle(toWriteError(cause));
    }
  }

  async #apply(
    batch: readonly PreparedWrite[],
    session: ClientSession,
  ): Promise<ReadonlyMap<PreparedWrite, Outcome>> {
    const { db, kinds, limits } = this.#database;
    const log = logOf(this.#database);
    const options = { session, ...limits };
    const count = batch.reduce((sum, one) => sum + entriesOf(one), 0);
    const end = await takeNumbers(log, count, options);
    if (!this.#mayFill) assertFilled(end.line);
    if (isOutdated(end.declared, this.#declared)) throw new DomainError('unavailable', declaredOtherwise);
    const rows = await this.#read(batch, session);
    const memberships =
      end.line === null ? new Map() : await readMemberships(this.#database, batch, rows, options);
    const decided = new Batch(rows, memberships, kinds.relation);
    const ordered = batch.toSorted((one, other) => rankOf(one) - rankOf(other));
    const outcomes = new Map(ordered.map((one) => [one, decided.decide(one)]));
    if (decided.entries.length === 0) await session.abortTransaction();
    else {
      for (const [kind, { statements }] of rows)
        if (statements.length > 0) await documentsOf(db, kind).bulkWrite(statements, options);
      const first = await appendEntries(log, end, decided.entries, options);
      await endSets(this.#database, decided.ended, decided.removed, first, options);
      for (const one of decided.erased) await eraseValues(log, one, kinds, options);
    }
    return outcomes;
  }

  /** The documents that the writes name, by kind. */
  async #read(batch: readonly PreparedWrite[], session: ClientSession): Promise<Map<Kind, Rows>> {
    const { db, kinds, limits } = this.#database;
    const rows = new Map<Kind, Rows>();
    for (const kind of kinds.all) {
      const own = batch.filter((one) => one.kind === kind);
      const members = kind === kinds.relation.members ? batch.flatMap(idsOf) : [];
      const joined = kind === kinds.relation.owners ? batch.flatMap(joinedBy) : [];
      const ids = [...own.map(({ write }) => write.id), ...members, ...joined];
      const names = own.flatMap(({ content }) => content?.name ?? []);
      const unique = own.flatMap(({ content }) => content?.unique ?? []);
      const filter = {
        $or: [
          { _id: { $in: ids } },
          { name: { $in: names } },
          // Answered by the partial index of unique keys.
          ...(unique.length > 0 ? [{ unique: { $in: unique, $gt: '' } }] : []),
        ],
      };
      const projection = kind.members === undefined ? decisive : decisiveOfOwner;
      const batchSize = ids.length + names.length + unique.length + 1;
      const options = { session, ...limits, projection, batchSize };
      const found = ids.length > 0 ? await documentsOf(db, kind).find<Row>(filter, options).toArray() : [];
      rows.set(kind, new Rows(found));
    }
    return rows;
  }
}
