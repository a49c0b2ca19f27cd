/**
 * The worker thread that makes all writes of a process, so that its event loop never waits for the disk.
 *
 * The thread opens the file (open-database.ts). Requests come in and reports go out (writer-messages.ts). All writes that have queued up are one
 * transaction (group-commit.ts), in which each is applied by writes.ts. When their answers are on their way, the WAL is copied into the file if it
 * has grown (wal/checkpoints.ts). Between requests the thread works for itself, in steps (background-work.ts): it removes what deletions leave
 * behind, completes erasures (erasures.ts), and builds indexes of declared attributes (layout/building.ts).
 *
 * A busy file (SQLITE_BUSY) or a full disk (SQLITE_FULL) fails a transaction, and the thread goes on (file/sqlite-errors.ts). After any other
 * failure of the storage no one knows what the file holds: the thread reports that as fatal, and ends.
 */

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { takeStep } from '../../port/store-module.ts';
import { isStale } from '../file/database-files.ts';
import { describeError, reasonOf } from '../file/sqlite-errors.ts';
import { BackgroundWork, shareBesideClient } from './background-work.ts';
import { attemptTimeout, type ErasureSteps, Erasures } from './erasures.ts';
import type { Committed } from './group-commit.ts';
import { openDatabase, type WriterParts } from './open-database.ts';
import {
  maxBatch,
  type NumberedWrite,
  type WriteAnswer,
  type WriterReport,
  type WriterRequest,
  type WriterWrite,
} from './writer-messages.ts';

/** In ms. */
const fileCheckInterval = 1000;

/** Takes the queued requests for one transaction, until it has at least `maxBatch` writes. */
function drainQueue(port: MessagePort, first: WriterRequest): { batch: NumberedWrite[]; closing: boolean } {
  const batch: NumberedWrite[] = [];
  let next: WriterRequest | undefined = first;
  while (next !== undefined) {
    if (next.kind === 'close') return { batch, closing: true };
    batch.push(...next.writes);
    next = batch.length < maxBatch ? receiveMessageOnPort(port)?.message : undefined;
  }
  return { batch, closing: false };
}

/** For operators, who may have several stores. Clients don't see it. */
const nameFile = (reason: string): string => `the SQLite file ${workerData.file}: ${reason}`;

const isErasure = (write: WriterWrite): boolean =>
  write.op === 'erase' || (write.op === 'remove' && write.erase === true);

class Writer {
  readonly #port: MessagePort;
  readonly #parts: WriterParts;
  readonly #erasures: Erasures;
  /** Between requests. */
  readonly #ownWork: readonly BackgroundWork[];
  readonly #fileCheck: NodeJS.Timeout;
  readonly #onRequest = (first: WriterRequest): void => this.#handle(first);
  /** The number of the last write that was begun. */
  #begun = 0;
  #hasEnded = false;

  constructor(port: MessagePort, parts: WriterParts) {
    const { group, watch } = parts;
    this.#port = port;
    this.#parts = parts;
    const erasures = new Erasures(this.#erasureSteps(), group.writes.hasErased);
    this.#erasures = erasures;
    const sweep = () => this.#runOwn({ op: 'sweep' }) !== undefined;
    this.#ownWork = [
      new BackgroundWork(() => group.writes.hasDropped, this.#asStep(sweep)),
      new BackgroundWork(
        () => erasures.isPending,
        this.#asStep(() => erasures.step()),
        shareBesideClient,
      ),
      new BackgroundWork(
        () => group.writes.builder.hasWork,
        this.#asStep(() => this.#build()),
      ),
    ];
    const checkFile = () => this.#attempt(() => watch.assertInPlace());
    this.#fileCheck = setInterval(checkFile, fileCheckInterval).unref();
    port.on('message', this.#onRequest);
    this.#report({ kind: 'ready' });
    this.#planOwnWork();
  }

  #handle(first: WriterRequest): void {
    const { batch, closing } = drainQueue(this.#port, first);
    if (batch.length > 0) this.#commit(batch);
    if (closing) this.#close();
    else if (!this.#hasEnded) this.#planOwnWork();
  }

  /** @returns undefined when the writer has ended */
  #commit(batch: readonly NumberedWrite[]): Committed | undefined {
    const { group, checkpoints } = this.#parts;
    // A write of the writer's own has no number.
    this.#begun = batch.at(-1)?.number || this.#begun;
    return this.#attempt(() => {
      const writes = batch.map(({ write }) => write);
      const committed = group.runInSpace(writes, () => checkpoints.makeRoom());
      this.#answer(batch, committed);
      if (committed.fatal) return this.#end();
      checkpoints.afterCommit();
      return committed;
    });
  }

  /** An erasure that was committed is answered when nothing is left of what it erased. */
  #answer(batch: readonly NumberedWrite[], { results, reason, fatal, stale, othersWrote }: Committed): void {
    const answers: WriteAnswer[] = [];
    for (const [at, { number, write }] of batch.entries()) {
      const result = results[at];
      if (result === undefined || number === 0) continue;
      if (result === 'done' && isErasure(write)) this.#erasures.add([{ number, result }]);
      else answers.push({ number, result });
    }
    const named = reason && nameFile(reason);
    this.#report({ kind: 'committed', answers, reason: named, fatal, stale, othersWrote });
  }

  #report(report: WriterReport): void {
    const isFatal = report.kind === 'committed' && report.fatal;
    // First, because the main thread ends this thread as soon as it learns of a failure.
    if (isFatal && this.#parts.watch.lostOnlyTheLog()) this.#parts.checkpoints.rescue();
    this.#port.postMessage(isFatal ? { ...report, begun: this.#begun } : report);
  }

  /** @returns undefined when the task has failed: that is reported, and the writer has ended */
  #attempt<T>(task: () => T): T | undefined {
    try {
      return task();
    } catch (cause) {
      const reason = nameFile(describeError(cause));
      this.#report({ kind: 'committed', answers: [], reason, fatal: true, stale: isStale(cause) });
      this.#end();
      return undefined;
    }
  }

  #end(): undefined {
    this.#hasEnded = true;
    for (const work of this.#ownWork) work.stop();
    // Without a listener the port no longer keeps the thread alive; requests that are still queued are not begun.
    this.#port.off('message', this.#onRequest);
    clearInterval(this.#fileCheck);
  }

  /** After a failure the WAL stays for the next process to recover: closing might copy it into the file. */
  #close(): void {
    if (!this.#hasEnded) this.#attempt(() => this.#erasures.finish());
    if (this.#hasEnded) return;
    this.#end();
    this.#attempt(() => this.#parts.checkpoints.close());
  }

  #planOwnWork(): void {
    for (const work of this.#ownWork) work.plan();
  }

  /** For `BackgroundWork`. @param step false when it wasn't done */
  #asStep(step: () => boolean): () => boolean | undefined {
    return () => {
      const isDone = this.#attempt(step);
      return this.#hasEnded ? undefined : isDone;
    };
  }

  /** A write of the writer's own. @returns whether there is more to do; undefined when it wasn't done */
  #runOwn(write: WriterWrite): boolean | undefined {
    const result = this.#commit([{ number: 0, write }])?.results[0];
    return result === 'done' || result === 'stale' ? result === 'done' : undefined;
  }

  /** @returns false when it wasn't done */
  #build(): boolean {
    if (!takeStep(workerData.buildSteps)) return false;
    const isDone = this.#runOwn({ op: 'build' }) !== undefined;
    const message = this.#parts.group.writes.builder.takeLine();
    if (isDone && message !== undefined) this.#report({ kind: 'progress', message });
    return isDone;
  }

  #erasureSteps(): ErasureSteps {
    const { checkpoints, gaps } = this.#parts;
    return {
      merge: (isFirst) => this.#runOwn({ op: 'merge', isFirst }),
      cutWal: () => (checkpoints.purge(attemptTimeout) ? false : undefined),
      look: () => gaps.look(),
      clear: () => {
        if (!gaps.hasFound) return this.#runOwn({ op: 'settle' });
        if (!checkpoints.purge(attemptTimeout, () => gaps.clear())) return undefined;
        gaps.next();
        return true;
      },
      answer: (answers, late) => {
        const reason = late && nameFile(late);
        this.#report({ kind: 'committed', answers, reason, fatal: false });
        if (reason !== undefined) this.#report({ kind: 'problem', message: reason });
      },
    };
  }
}

async function start(port: MessagePort): Promise<void> {
  const post = (report: WriterReport) => port.postMessage(report);
  try {
    new Writer(port, await openDatabase(workerData, post));
  } catch (cause) {
    post({ kind: 'refused', reason: reasonOf(cause) });
  }
}

if (parentPort) void start(parentPort);
