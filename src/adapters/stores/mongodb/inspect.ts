import { describeCount } from '../../../domain/base/describe-count.ts';
import { describeError } from './connection/driver-errors.ts';
import { clientDefaults, defaults, durableWrites, type MongoOptions } from './connection/options.ts';
import { mongoAddress, openClient } from './connection/uri.ts';
import { collectionName } from './documents/stored-document.ts';
import { assertReplicaSet, findLoss } from './layout/layout.ts';
import { fromPrimary } from './layout/prepare.ts';

/**
 * Asks the primary, and changes nothing.
 * @returns a line for an operator
 * @throws Error saying why a service could not serve from there; nothing secret is in it
 */
export async function inspectDatabase(options: MongoOptions): Promise<string> {
  const { client, database } = openClient(options.uri, clientDefaults(options), durableWrites);
  const { operationTimeout: maxTimeMS = defaults.operationTimeout } = options;
  try {
    await client.connect();
    const db = client.db(database);
    await assertReplicaSet(db);
    const loss = await findLoss(db, maxTimeMS);
    const users = await db.collection(collectionName, fromPrimary).estimatedDocumentCount({ maxTimeMS });
    const later = loss === undefined ? '' : `; the next start makes its indexes (${loss})`;
    return `some ${describeCount(users, 'user', 'users')} in ${database} at ${mongoAddress(options.uri)}${later}`;
  } catch (cause) {
    throw new Error(`MongoDB at ${mongoAddress(options.uri)}: ${describeError(cause)}`, { cause });
  } finally {
    await client.close();
  }
}
