/** A thread that answers queries, one after the other, over a connection of its own that only reads. */
import { parentPort, workerData } from 'node:worker_threads';
import { DomainError } from '../../../../domain/base/errors.ts';
import {
  describeError,
  isStorageFault,
  openConnection,
  readBusyTimeout,
  sqliteCode,
} from '../file/connection.ts';
import { groupRows, userRows } from '../index/row-type.ts';
import type { Answer, Question, Request, SearchThreadData } from './messages.ts';
import { Searcher } from './searcher.ts';

/** In KiB. */
const cacheSize = 8 * 1024;

function answer(searcher: Searcher, question: Question): Answer {
  try {
    return question.kind === 'list'
      ? { kind: 'documents', documents: searcher.list(question.search) }
      : { kind: 'count', count: searcher.count(question) };
  } catch (cause) {
    if (cause instanceof DomainError && (cause.code === 'query-too-costly' || cause.code === 'unavailable'))
      return { kind: 'refused', code: cause.code, message: cause.message };
    return {
      kind: 'failed',
      reason: describeError(cause),
      isStorageFault: isStorageFault(cause),
      isSqlite: sqliteCode(cause) !== undefined,
    };
  }
}

if (parentPort) {
  const port = parentPort;
  const { file }: SearchThreadData = workerData;
  const db = openConnection(file, { readonly: true, busyTimeout: readBusyTimeout, cache: cacheSize });
  const searchers = new Map<string, Searcher>([
    ['user', new Searcher(db, userRows)],
    ['group', new Searcher(db, groupRows)],
  ]);
  port.on('message', (request: Request) => {
    if (request.kind !== 'close')
      return port.postMessage(answer(searchers.get(request.of) as Searcher, request));
    db.close();
    port.close();
  });
}
