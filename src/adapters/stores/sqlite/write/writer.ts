/** The worker thread for all writes of a process, so that its event loop never waits for the disk. */
import { realpathSync } from 'node:fs';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { loadKinds } from '../../../../domain/kinds.ts';
import { switchLog } from '../changes/tables.ts';
import { describeError, openConnection } from '../file/connection.ts';
import { FileWatch, isStale } from '../file/database-files.ts';
import { Gaps } from '../file/gaps.ts';
import { createLayout } from '../layout/layout.ts';
import { rebuildIfOutdated } from '../layout/rebuild.ts';
import { tablesOf } from '../layout/tables.ts';
import { Checkpoints } from '../wal/checkpoints.ts';
import { attemptTimeout, Erasures } from './erasures.ts';
import { type Committed, GroupCommit } from './group-commit.ts';
import { Sweeper, shareBesideClient } from './sweeper.ts';
import {
  type Answer,
  maxBatch,
  type NumberedWrite,
  type Report,
  type Request,
  type WriterData,
  type WriterWrite,
} from './writer-messages.ts';

/** In milliseconds, while there are no writes. */
const fileCheckInterval = 1000;

interface WriterParts {
  readonly group: GroupCommit;
  readonly checkpoints: Checkpoints;
  readonly gaps: Gaps;
  readonly watch: FileWatch;
}

type Post = (message: Report) => void;

async function openDatabase(
  { file, kinds, busyTimeout, cache, isLogged }: WriterData,
  post: Post,
): Promise<WriterParts> {
  const all = tablesOf(await loadKinds(kinds));
  // Of a link, the file itself: the log lies beside that, and the space is on its disk.
  const db = openConnection(realpathSync(file), { readonly: false, busyTimeout, cache });
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
    const group = new GroupCommit(db, all, () => watch.assertInPlace());
    return { group, checkpoints, gaps: new Gaps(db), watch };
  } catch (cause) {
    db.close();
    throw cause;
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

const isErasure = (write: WriterWrite): boolean =>
  write.op === 'erase' || (write.op === 'remove' && write.erase === true);

/** After a fatal one the writer must end. @throws SqliteError when the storage fails; nothing is committed then */
function commit(
  { group, checkpoints }: WriterParts,
  batch: readonly NumberedWrite[],
  erasures: Erasures,
  report: Post,
): Committed {
  const writes = batch.map(({ write }) => write);
  const committed = group.runInSpace(writes, () => checkpoints.makeRoom());
  const { results, reason, fatal, stale, othersWrote } = committed;
  const all = batch.flatMap(({ number }, index) => {
    const result = results[index];
    return result === undefined || number === 0 ? [] : [{ number, result }];
  });
  const erased = new Set(batch.flatMap(({ number, write }) => (isErasure(write) ? [number] : [])));
  const isHeld = ({ number, result }: Answer) => result === 'done' && erased.has(number);
  erasures.add(all.filter(isHeld));
  const answers = all.filter((answer) => !isHeld(answer));
  report({ kind: 'committed', answers, reason: reason && nameFile(reason), fatal, stale, othersWrote });
  return committed;
}

function serve(port: MessagePort, parts: WriterParts, post: Post): void {
  const { group, checkpoints, gaps, watch } = parts;
  let begun = 0;
  const report: Post = (message) => {
    if (message.kind !== 'committed' || !message.fatal) {
      post(message);
      return;
    }
    // First, because the main thread ends this thread as soon as it learns of a failure.
    if (watch.lostOnlyTheLog()) checkpoints.rescue();
    post({ ...message, begun });
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
    // A write of the writer's own has no number.
    begun = batch.at(-1)?.number || begun;
    const isWell = succeeds(() => {
      committed = commit(parts, batch, erasures, report);
      return !committed.fatal && checkpoints.afterCommit();
    });
    return isWell ? committed : undefined;
  };
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
    for (const one of [sweeper, eraser]) one.stop();
    // Without a listener the port no longer keeps the thread alive; requests that are still queued are not begun.
    port.off('message', onRequest);
    clearInterval(fileCheck);
  };
  /** A step of the writer's own. @returns whether there is more to do; undefined when it wasn't done */
  const runOwn = (write: WriterWrite): boolean | undefined => {
    const committed = run([{ number: 0, write }]);
    if (committed === undefined) end();
    const result = committed?.results[0];
    return result === 'done' || result === 'stale' ? result === 'done' : undefined;
  };
  /** @param step false when it wasn't done */
  const planned = (hasWork: () => boolean, step: () => boolean, share?: number) => {
    const run = () => {
      let isDone = false;
      const isWell = succeeds(() => {
        isDone = step();
      });
      if (!isWell) end();
      return hasEnded ? undefined : isDone;
    };
    return new Sweeper(hasWork, run, share);
  };
  const sweeper = planned(
    () => group.hasDropped,
    () => runOwn({ op: 'sweep' }) !== undefined,
  );
  const erasures = new Erasures(
    {
      merge: (isFirst) => runOwn({ op: 'merge', isFirst }),
      cutWal: () => (checkpoints.purge(attemptTimeout) ? false : undefined),
      look: () => gaps.look(),
      clear: () => {
        if (!gaps.hasFound) return runOwn({ op: 'settle' });
        if (!checkpoints.purge(attemptTimeout, () => gaps.clear())) return undefined;
        gaps.next();
        return true;
      },
      answer: (answers, late) => {
        const reason = late && nameFile(late);
        report({ kind: 'committed', answers, reason, fatal: false });
        if (reason !== undefined) report({ kind: 'problem', message: reason });
      },
    },
    group.hasErased,
  );
  const eraser = planned(
    () => erasures.isPending,
    () => erasures.step(),
    shareBesideClient,
  );
  const planAll = (): void => {
    for (const one of [sweeper, eraser]) one.plan();
  };
  const onRequest = (first: Request): void => {
    const { batch, closing } = drainQueue(port, first);
    const isWell = batch.length === 0 || run(batch) !== undefined;
    if (isWell && !closing) {
      planAll();
      return;
    }
    const canClose = isWell && succeeds(() => erasures.finish()) && !hasEnded;
    end();
    // After a failure the log stays for the next process to recover: closing might copy it into the file.
    if (canClose) succeeds(() => checkpoints.close());
  };
  const checkFile = (): void => {
    if (!succeeds(() => watch.assertInPlace())) end();
  };
  const fileCheck = setInterval(checkFile, fileCheckInterval).unref();
  port.on('message', onRequest);
  report({ kind: 'ready' });
  planAll();
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
