/** A thread whose two connections read in turns: there is always a reader, and none reads for long. */
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { deadline } from '../../../support/deadlines.ts';

const connections = [1, 2].map(() =>
  openConnection(String(workerData), { readonly: true, busyTimeout: deadline }),
);
const readers = connections.map((db) => ({
  begin: () => {
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM filling').get();
  },
  end: () => {
    if (db.inTransaction) db.exec('COMMIT');
  },
}));

let turn = 0;
function takeTurn(): void {
  readers[turn % 2]?.begin();
  readers[(turn + 1) % 2]?.end();
  if (turn === 0) parentPort?.postMessage('reading');
  turn += 1;
  setImmediate(takeTurn);
}
takeTurn();
