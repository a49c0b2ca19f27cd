/** The worker thread through which all writes of a process go, so that its event loop never waits for the disk. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Checkpoints } from './checkpoints.ts';
import { type Connection, described, openConnection } from './connection.ts';
import { FileWatch, isStale } from './file-watch.ts';
import { GroupCommit } from './group-commit.ts';
import { judgeDocuments } from './judge-documents.ts';
import { maxBatch, type Numbered, type Report, type Request, type WriterData } from './protocol.ts';
import { migrate, refreshKeys } from './schema.ts';

/** How often it looks after the file while nobody writes, in milliseconds. */
const lookEvery = 1000;

interface Opened {
  readonly group: GroupCommit;
  readonly checkpoints: Checkpoints;
  readonly watch: FileWatch;
}

function prepared(db: Connection, file: string, onProblem: (message: string) => void): Opened {
  migrate(db);
  refreshKeys(db);
  judgeDocuments(db);
  const checkpoints = new Checkpoints(db, onProblem);
  checkpoints.start();
  const watch = new FileWatch(file);
  return { group: new GroupCommit(db, () => watch.assertInPlace()), checkpoints, watch };
}

function opened({ file, busyTimeout }: WriterData, onProblem: (message: string) => void): Opened {
  const db = openConnection(file, { readonly: false, busyTimeout });
  try {
    return prepared(db, file, onProblem);
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** What has queued up behind the first request, as far as one transaction takes it; each request has at most as much. */
function drained(port: MessagePort, first: Request): { batch: Numbered[]; closing: boolean } {
  const batch: Numbered[] = [];
  let next: Request | undefined = first;
  while (next !== undefined) {
    if (next.kind === 'close') return { batch, closing: true };
    batch.push(...next.writes);
    next = batch.length < maxBatch ? receiveMessageOnPort(port)?.message : undefined;
  }
  return { batch, closing: false };
}

/** True when all is well afterwards. */
function commit(group: GroupCommit, batch: readonly Numbered[], report: (message: Report) => void): boolean {
  const { results, reason, fatal, stale } = group.run(batch.map(({ write }) => write));
  const answers = batch.flatMap(({ number }, index) => {
    const result = results[index];
    return result === undefined ? [] : [{ number, result }];
  });
  report({ kind: 'committed', answers, reason, fatal, stale });
  return !fatal;
}

function serve(
  port: MessagePort,
  { group, checkpoints, watch }: Opened,
  report: (message: Report) => void,
): void {
  /** True when it went well. */
  const tended = (tend: () => void): boolean => {
    try {
      tend();
      return true;
    } catch (cause) {
      report({ kind: 'failed', reason: described(cause), stale: isStale(cause) });
      return false;
    }
  };
  const end = (): void => {
    // Without a listener the port no longer keeps the thread alive, and whatever is still queued stays undone.
    port.off('message', onRequest);
    clearInterval(looking);
  };
  const onRequest = (first: Request): void => {
    const { batch, closing } = drained(port, first);
    const isWell =
      batch.length === 0 || (commit(group, batch, report) && tended(() => checkpoints.afterCommit()));
    if (isWell && !closing) return;
    end();
    if (!isWell && watch.lostOnlyTheLog()) checkpoints.rescue();
    // When all is not well the log stays for the next process to recover: closing might copy it into the file.
    if (isWell) tended(() => checkpoints.close());
  };
  const look = (): void => {
    if (tended(() => watch.assertInPlace())) return;
    end();
    if (watch.lostOnlyTheLog()) checkpoints.rescue();
  };
  const looking = setInterval(look, lookEvery).unref();
  port.on('message', onRequest);
  report({ kind: 'ready' });
}

function start(port: MessagePort): void {
  const report = (message: Report): void => port.postMessage(message);
  let all: Opened;
  try {
    all = opened(workerData, (message) => report({ kind: 'problem', message }));
  } catch (cause) {
    report({ kind: 'refused', reason: described(cause) });
    return;
  }
  serve(port, all, report);
}

if (parentPort) start(parentPort);
