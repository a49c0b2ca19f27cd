/** Opens the store: makes its parts, and reports why it isn't ready. */
import { type Db, MongoError, MongoServerError } from 'mongodb';
import { kindsOf } from '../../../domain/kinds.ts';
import type { Store } from '../../../domain/store.ts';
import type { Readable } from '../base/store-module.ts';
import { watchConnections } from './connection/connection-counts.ts';
import { describeError } from './connection/driver-errors.ts';
import { ElectionFence } from './connection/election-fence.ts';
import './connection/driver-sockets.ts';
import { clientDefaults, defaults, durableWrites, type MongoOptions } from './connection/options.ts';
import { Readiness } from './connection/readiness.ts';
import { mongoAddress, openClient } from './connection/uri.ts';
import type { ResourceDocument } from './documents/document.ts';
import { fromPrimary, prepare } from './layout/prepare.ts';
import { Rebuild } from './layout/rebuild.ts';
import { MongoStore } from './store.ts';
import { Transactions } from './write/transactions.ts';

/** Returns when a majority has confirmed the state of the primary. */
async function readLinearizably(db: Db, collection: string, maxTimeMS: number): Promise<void> {
  const options = { readConcern: 'linearizable', readPreference: 'primary', maxTimeMS } as const;
  await db.collection<{ _id: string }>(collection).findOne({ _id: '' }, options);
}

/** Reports why the store is not ready, each reason once, and what it can't do for lack of a privilege. */
function makeReports({ uri, onProblem }: MongoOptions) {
  const told = new Set<string>();
  const onDelay = (cause: unknown): void => {
    const reason = describeError(cause);
    // The driver has many messages for a server that is away, and some count connections.
    const kind = cause instanceof MongoError && !(cause instanceof MongoServerError) ? 'absence' : reason;
    if (told.has(kind)) return;
    told.add(kind);
    onProblem(`MongoDB at ${mongoAddress(uri)} is not ready, trying on: ${reason}`);
  };
  const onLost = (cause: unknown): void => {
    told.clear();
    onDelay(cause);
  };
  const onRefused = (cause: unknown): void =>
    onProblem(
      `MongoDB at ${mongoAddress(uri)} does not let the account end transactions of processes that died; changes of members wait for them: ${describeError(cause)}`,
    );
  return { onDelay, onLost, onRefused };
}

/**
 * Returns when the server can serve, or was found not to: until it can, every method is `unavailable`, and it
 * becomes ready by itself. Later outages recover automatically.
 * @throws Error when the connection string is malformed or asks for less than durable writes; without what it holds
 */
export async function openMongoStore(options: MongoOptions): Promise<Store & Readable> {
  const { uri, operationTimeout: maxTimeMS = defaults.operationTimeout, kinds = kindsOf() } = options;
  const { client, database } = openClient(uri, clientDefaults(options), durableWrites);
  const db = client.db(database);
  const connections = options.isWatched ? watchConnections(client) : () => ({});
  const [first] = kinds.all;
  const fence = new ElectionFence(() => readLinearizably(db, first?.plural ?? '', maxTimeMS));
  client.on('topologyDescriptionChanged', ({ newDescription }) => fence.onTopologyChange(newDescription));
  const rebuilds = new Map(
    kinds.all.map((kind) => {
      const documents = db.collection<ResourceDocument>(kind.plural, fromPrimary);
      return [kind, new Rebuild({ kind, documents, maxTimeMS, onFault: (cause) => readiness.revoke(cause) })];
    }),
  );
  const { onDelay, onLost, onRefused } = makeReports(options);
  const transactions = new Transactions(client, maxTimeMS, onRefused);
  const readiness: Readiness = new Readiness({
    prepare: (onDelay, wasReady) => prepare({ client, db, kinds, rebuilds }, wasReady, onDelay),
    onDelay,
    onLost,
  });
  try {
    await readiness.start();
  } catch (cause) {
    await client.close();
    throw cause;
  }
  const readings = () => ({ ...connections(), elections: fence.elections });
  return new MongoStore({ client, db, kinds, rebuilds, readiness, fence, transactions, maxTimeMS, readings });
}
