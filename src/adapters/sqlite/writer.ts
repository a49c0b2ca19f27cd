/** The worker thread through which all writes of a process go, so that its event loop never waits for the disk. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type Connection, described, openConnection } from './connection.ts';
import { GroupCommit } from './group-commit.ts';
import { judgeDocuments } from './judge-documents.ts';
import { maxBatch, type Numbered, type Report, type Request, type WriterData } from './protocol.ts';
import { migrate, refreshKeys } from './schema.ts';

function opened({ file, busyTimeout }: WriterData): Connection {
  const db = openConnection(file, { readonly: false, busyTimeout });
  try {
    migrate(db);
    refreshKeys(db);
    judgeDocuments(db);
    return db;
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
  const { results, reason, fatal } = group.run(batch.map(({ write }) => write));
  const answers = batch.flatMap(({ number }, index) => {
    const result = results[index];
    return result === undefined ? [] : [{ number, result }];
  });
  report({ kind: 'committed', answers, reason, fatal });
  return !fatal;
}

function serve(port: MessagePort, db: Connection): void {
  const group = new GroupCommit(db);
  const report = (message: Report): void => port.postMessage(message);
  const onRequest = (first: Request): void => {
    const { batch, closing } = drained(port, first);
    const isWell = batch.length === 0 || commit(group, batch, report);
    if (isWell && !closing) return;
    // Without a listener the port no longer keeps the thread alive, and whatever is still queued stays undone.
    port.off('message', onRequest);
    // When all is not well the log stays for the next process to recover: closing might copy it into the file.
    if (isWell) db.close();
  };
  port.on('message', onRequest);
  report({ kind: 'ready' });
}

function start(port: MessagePort): void {
  let db: Connection;
  try {
    db = opened(workerData);
  } catch (cause) {
    const refusal: Report = { kind: 'refused', reason: described(cause) };
    port.postMessage(refusal);
    return;
  }
  serve(port, db);
}

if (parentPort) start(parentPort);
