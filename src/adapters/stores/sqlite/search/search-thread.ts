/** A thread that answers queries, one after the other, over a connection of its own that only reads. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { DomainError } from '../../../../domain/base/errors.ts';
import { loadKinds, ofKind } from '../../../../domain/kinds.ts';
import {
  describeError,
  isStorageFault,
  openConnection,
  readBusyTimeout,
  sqliteCode,
} from '../file/connection.ts';
import { tablesOf } from '../layout/tables.ts';
import type { Answer, Question, Request, SearchThreadData } from './client.ts';
import { Searcher } from './searcher.ts';

/** In KiB. */
const cacheSize = 8 * 1024;

function answer(searcher: Searcher, { search }: Question): Answer {
  try {
    return { page: searcher.page(search) };
  } catch (cause) {
    if (cause instanceof DomainError && (cause.code === 'query-too-costly' || cause.code === 'unavailable'))
      return { refused: cause.code, message: cause.message };
    return {
      failed: describeError(cause),
      isStorageFault: isStorageFault(cause),
      isSqlite: sqliteCode(cause) !== undefined,
    };
  }
}

async function start(port: MessagePort, { file, kinds }: SearchThreadData): Promise<void> {
  const all = tablesOf(await loadKinds(kinds));
  const db = openConnection(file, { readonly: true, busyTimeout: readBusyTimeout, cache: cacheSize });
  const searchers = new Map([...all].map(([name, tables]) => [name, new Searcher(db, tables)]));
  port.on('message', (request: Request) => {
    if (request !== 'close') return port.postMessage(answer(ofKind(searchers, request.kind), request));
    db.close();
    port.close();
  });
}

if (parentPort) await start(parentPort, workerData);
