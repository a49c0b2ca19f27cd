/** Opens the store: makes its parts, and reports why it isn't ready. `inspectDatabase` checks whether a service could serve from a database. */

import { type Db, type MongoClient, MongoError, MongoServerError } from 'mongodb';
import { kindsOf } from '../../../domain/kinds.ts';
import type { Store } from '../../../domain/store.ts';
import { describeCount } from '../../../domain/validation/describe-count.ts';
import { DomainError } from '../../../domain/validation/errors.ts';
import type { Readable, StoreReadings } from '../port/store-module.ts';
import { defaults, type MongoOptions, mongoAddress, openClient } from './connection/client.ts';
import { describeError } from './connection/driver-errors.ts';
import { ElectionFence } from './connection/election-fence.ts';
import './connection/driver-sockets.ts';
import { type Database, fromPrimary } from './connection/database.ts';
import { Readiness } from './connection/readiness.ts';
import { Transactions } from './connection/transactions.ts';
import { IndexBuilder } from './layout/building.ts';
import { assertReplicaSet, assertServable, findLoss, prepare, reportNowAndThen } from './layout/layout.ts';
import { layoutNumber } from './layout/layout-number.ts';
import { Rebuild } from './layout/rebuild.ts';
import { assertLayout, logOf } from './log/entries.ts';
import { prepareChangeLog } from './log/prepare-log.ts';
import { membersInHistories as migration } from './migrations/2-members-in-histories.ts';
import { defaultQuiet } from './migrations/run.ts';
import { MongoStore } from './store.ts';

/** Returns when a majority has confirmed the state of the primary. */
async function readLinearizably(db: Db, collection: string, maxTimeMS: number): Promise<void> {
  const options = { readConcern: 'linearizable', readPreference: 'primary', maxTimeMS } as const;
  await db.collection<{ _id: string }>(collection).findOne({ _id: '' }, options);
}

/** How each event changes three numbers: all connections, connections in use, and operations that wait for one. */
const effects = {
  connectionCreated: [1, 0, 0],
  connectionClosed: [-1, 0, 0],
  connectionCheckOutStarted: [0, 0, 1],
  connectionCheckedOut: [0, 1, -1],
  connectionCheckOutFailed: [0, 0, -1],
  connectionCheckedIn: [0, -1, 0],
} as const;

/** Counts the driver's connections by its events (CMAP), the only source of these numbers. To be called before the client connects. @returns the current counts, over all members */
function watchConnections(client: MongoClient): () => StoreReadings {
  let [connections, connectionsInUse, waitingForConnection] = [0, 0, 0];
  for (const [event, [all, inUse, waiting]] of Object.entries(effects))
    client.on(event as keyof typeof effects, () => {
      connections += all;
      connectionsInUse += inUse;
      waitingForConnection += waiting;
    });
  return () => ({ connections, connectionsInUse, waitingForConnection });
}

/** Reports why the store is not ready or takes no writes, each reason once, and a missing privilege. */
function makeReports({ uri, onProblem }: MongoOptions) {
  const told = new Set<string>();
  const onDelay = (cause: unknown): void => {
    const reason = describeError(cause);
    // The driver has many messages for an unreachable server, and some of them count connections.
    const kind = cause instanceof MongoError && !(cause instanceof MongoServerError) ? 'absence' : reason;
    if (told.has(kind)) return;
    told.add(kind);
    onProblem(`MongoDB at ${mongoAddress(uri)} is not ready, trying on: ${reason}`);
  };
  const onLost = (cause: unknown): void => {
    told.clear();
    onDelay(cause);
  };
  const onNewer = ({ message }: DomainError): void => {
    if (!told.has(message)) onProblem(`MongoDB at ${mongoAddress(uri)} is only read from now on: ${message}`);
    told.add(message);
  };
  const onRefused = (cause: unknown): void =>
    onProblem(
      `MongoDB at ${mongoAddress(uri)} does not let the account end transactions of processes that died; all writes wait for them: ${describeError(cause)}`,
    );
  const onStep = ({ message }: Error): void => onProblem(`MongoDB at ${mongoAddress(uri)}: ${message}`);
  const onContract = (): void =>
    onProblem(
      `MongoDB at ${mongoAddress(uri)} has layout ${layoutNumber} from now on: processes of the previous release refuse all writes`,
    );
  return { onDelay, onLost, onNewer, onRefused, onStep, onContract };
}

/**
 * Returns when the server can serve, or turns out not to. Until it can, every method is `unavailable`; the store becomes ready by itself. Later
 * outages recover automatically.
 * @throws Error if the connection string is malformed or asks for less than durable writes; the message doesn't quote it
 */
export async function openMongoStore(options: MongoOptions): Promise<Store & Readable> {
  const { kinds = kindsOf(), isLogged = true, mayFill = false } = options;
  const { onDelay, onLost, onNewer, onRefused, onStep, onContract } = makeReports(options);
  const { client, database: name } = openClient(options);
  const db = client.db(name);
  const limits = { maxTimeMS: options.operationTimeout ?? defaults.operationTimeout };
  const transactions = new Transactions(client, limits.maxTimeMS, onRefused);
  const assertOurLayout = () => assertLayout(logOf({ db }), mayFill, limits);
  const database: Database = { client, db, kinds, limits, transactions, assertLayout: assertOurLayout };
  const connections = watchConnections(client);
  const [first] = kinds.all;
  const fence = new ElectionFence(() => readLinearizably(db, first?.plural ?? '', limits.maxTimeMS));
  client.on('topologyDescriptionChanged', ({ newDescription }) => fence.onTopologyChange(newDescription));
  const onFault = (cause: Error) => readiness.revoke(cause);
  const rebuilds = new Map(kinds.all.map((kind) => [kind, new Rebuild(database, kind, onFault)]));
  const prepareLog = async () => {
    if (isLogged !== 'kept') await prepareChangeLog(database, isLogged);
  };
  const readiness: Readiness = new Readiness({
    prepare: (onDelay, wasReady) => prepare(database, rebuilds, prepareLog, wasReady, onDelay),
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
  const reportLayout = () =>
    assertOurLayout().catch((cause: unknown) => {
      if (cause instanceof DomainError) onNewer(cause);
      throw cause;
    });
  const { quiet = defaultQuiet, buildSteps: steps, onProgress = () => {} } = options;
  const migrating = { migration, quiet, onProgress: reportNowAndThen(onStep, migration.work), onContract };
  const onLine = (line: string): void => onProgress(`MongoDB at ${mongoAddress(options.uri)}: ${line}`);
  const builder = new IndexBuilder({ database, rebuilds, steps, onProgress: onLine });
  const parts = { database, rebuilds, readiness, fence, migrating, builder };
  return new MongoStore({ ...parts, isLogged: isLogged !== false, mayFill, readings, reportLayout });
}

/**
 * Asks the primary, and changes nothing.
 * @returns a line for an operator
 * @throws Error saying why a service could not serve from there; nothing secret is in it
 */
export async function inspectDatabase(options: MongoOptions): Promise<string> {
  const { client, database } = openClient(options);
  const { operationTimeout: maxTimeMS = defaults.operationTimeout, kinds = kindsOf() } = options;
  const limits = { maxTimeMS };
  try {
    await client.connect();
    const db = client.db(database);
    await assertReplicaSet(db);
    await assertLayout(logOf({ db }), false, limits);
    await assertServable({ db, kinds });
    const loss = await findLoss({ db, kinds, limits });
    const counts = await Promise.all(
      kinds.all.map(async ({ name, plural }) => {
        const documents = db.collection(plural, fromPrimary);
        return describeCount(await documents.estimatedDocumentCount(limits), name, plural);
      }),
    );
    const later = loss === undefined ? '' : '; the next start makes its indexes';
    return `some ${counts.join(' and ')} in ${database} at ${mongoAddress(options.uri)}${later}`;
  } catch (cause) {
    throw new Error(`MongoDB at ${mongoAddress(options.uri)}: ${describeError(cause)}`, { cause });
  } finally {
    await client.close();
  }
}
