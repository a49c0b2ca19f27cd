/** The worker thread for all writes of a process, so that its event loop never waits for the disk. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { loadKinds } from '../../../../domain/kinds.ts';
import { switchLog } from '../changes/tables.ts';
import { describeError, openConnection } from '../file/connection.ts';
import { FileWatch, isStale } from '../file/file-watch.ts';
import { createLayout } from '../layout/layout.ts';
import { rebuildIfOutdated } from '../layout/rebuild.ts';
import { tablesOf } from '../layout/tables.ts';
import { Checkpoints } from '../wal/checkpoints.ts';
import { type Committed, GroupCommit } from './group-commit.ts';
import {
  maxBatch,
  type NumberedWrite,
  type Report,
  type Request,
  type WriterData,
} from './writer-messages.ts';

/** In milliseconds, while there are no writes. */
const fileCheckInterval = 1000;

interface WriterParts {
  readonly group: GroupCommit;
  readonly checkpoints: Checkpoints;
  readonly watch: FileWatch;
}

type Post = (message: Report) => void;

async function openDatabase(
  { file, kinds, busyTimeout, cache, isLogged }: WriterData,
  post: Post,
): Promise<WriterParts> {
  const all = tablesOf(await loadKinds(kinds));
  const db = openConnection(file, { readonly: false, busyTimeout, cache });
  try {
    createLayout(db, all);
    switchLog(db, isLogged);
    const checkpoints = new Checkpoints(db, (message) => post({ kind: 'problem', message }));
    checkpoints.start();
    rebuildIfOutdated(
      db,
      all,
      () => checkpoints.afterCommit(),
      (message) => post({ kind: 'progress', message }),
      () => checkpoints.makeRoom(),
    );
    const watch = new FileWatch(file);
    return { group: new GroupCommit(db, all, () => watch.assertInPlace()), checkpoints, watch };
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** In ms. SQLite has no queue for the write lock: a process that waits polls it, at first every few milliseconds, later every 100. */
const shortestPause = 10;

/** In ms: after a step that failed because the disk is full or the file busy. */
const pauseAfterFailure = 1000;

/** A pause is so many times as long as the step before it took. */
const shareOfOthers = 4;

/** In ms. @param took the step before */
const pauseAfter = (took: number, hasFailed: boolean): number =>
  hasFailed ? pauseAfterFailure : Math.max(shortestPause, shareOfOthers * took);

/** Removes the rows of dropped sets of members in steps, between which the writer and the file are left to others. */
export class Sweeper {
  readonly #hasWork: () => boolean;
  readonly #step: () => boolean | undefined;
  #next: NodeJS.Timeout | undefined;

  /** @param step false when it has removed nothing, and the next one may do better; undefined when there must be no further one */
  constructor(hasWork: () => boolean, step: () => boolean | undefined) {
    this.#hasWork = hasWork;
    this.#step = step;
  }

  /** Plans the next step, if there is work and none is planned. @param pause in ms */
  plan(pause = 0): void {
    if (this.#hasWork()) this.#next ??= setTimeout(() => this.#run(), pause);
  }

  stop(): void {
    clearTimeout(this.#next);
  }

  #run(): void {
    const start = performance.now();
    const isDone = this.#step();
    this.#next = undefined;
    if (isDone !== undefined) this.plan(pauseAfter(performance.now() - start, !isDone));
  }
}

/** Takes the queued requests for one transaction, until it has at least `maxBatch` writes. */
function drainQueue(port: MessagePort, first: Request): { batch: NumberedWrite[]; closing: boolean } {
  const batch: NumberedWrite[] = [];
  let next: Request | undefined = first;
  while (next !== undefined) {
    if (next.kind === 'close') return { batch, closing: true };
    batch.push(...next.writes);
    next = batch.length < maxBatch ? receiveMessageOnPort(port)?.message : undefined;
  }
  return { batch, closing: false };
}

/** For operators, who may have several stores. Clients see nothing of it. */
const nameFile = (reason: string): string => `the SQLite file ${workerData.file}: ${reason}`;

/** After a fatal one the writer must end. @throws SqliteError when the storage fails; nothing is committed then */
function commit(
  { group, checkpoints }: WriterParts,
  batch: readonly NumberedWrite[],
  report: Post,
): Committed {
  const writes = batch.map(({ write }) => write);
  const committed = group.runInSpace(writes, () => checkpoints.makeRoom());
  const { results, reason, fatal, stale, othersWrote } = committed;
  const answers = batch.flatMap(({ number }, index) => {
    const result = results[index];
    return result === undefined || number === 0 ? [] : [{ number, result }];
  });
  report({ kind: 'committed', answers, reason: reason && nameFile(reason), fatal, stale, othersWrote });
  return committed;
}

function serve(port: MessagePort, parts: WriterParts, post: Post): void {
  const { group, checkpoints, watch } = parts;
  const report: Post = (message) => {
    // First, because the main thread ends this thread as soon as it learns of a failure.
    if (message.kind === 'committed' && message.fatal && watch.lostOnlyTheLog()) checkpoints.rescue();
    post(message);
  };
  /** False when the task returns that, or fails, which is reported. */
  const succeeds = (task: () => unknown): boolean => {
    try {
      return task() !== false;
    } catch (cause) {
      const reason = nameFile(describeError(cause));
      report({ kind: 'committed', answers: [], reason, fatal: true, stale: isStale(cause) });
      return false;
    }
  };
  /** Undefined when the writer must end. */
  const run = (batch: readonly NumberedWrite[]): Committed | undefined => {
    let committed: Committed | undefined;
    const isWell = succeeds(() => {
      committed = commit(parts, batch, report);
      return !committed.fatal && checkpoints.afterCommit();
    });
    return isWell ? committed : undefined;
  };
  const sweeper = new Sweeper(
    () => group.hasDropped,
    () => {
      const committed = run([{ number: 0, write: { op: 'sweep' } }]);
      if (committed === undefined) end();
      return committed && committed.results[0] !== 'unavailable';
    },
  );
  const end = (): void => {
    sweeper.stop();
    // Without a listener the port no longer keeps the thread alive; requests that are still queued are not begun.
    port.off('message', onRequest);
    clearInterval(fileCheck);
  };
  const onRequest = (first: Request): void => {
    const { batch, closing } = drainQueue(port, first);
    const isWell = batch.length === 0 || run(batch) !== undefined;
    if (isWell && !closing) {
      sweeper.plan();
      return;
    }
    end();
    // After a failure the log stays for the next process to recover: closing might copy it into the file.
    if (isWell) succeeds(() => checkpoints.close());
  };
  const checkFile = (): void => {
    if (!succeeds(() => watch.assertInPlace())) end();
  };
  const fileCheck = setInterval(checkFile, fileCheckInterval).unref();
  port.on('message', onRequest);
  report({ kind: 'ready' });
  sweeper.plan();
}

async function start(port: MessagePort): Promise<void> {
  const post: Post = (message) => port.postMessage(message);
  try {
    serve(port, await openDatabase(workerData, post), post);
  } catch (cause) {
    post({ kind: 'refused', reason: describeError(cause) });
  }
}

if (parentPort) void start(parentPort);
