import { describeCount } from '../../../domain/base/describe-count.ts';
import { kindsOf } from '../../../domain/kinds.ts';
import { describeError } from './connection/driver-errors.ts';
import { clientDefaults, defaults, durableWrites, type MongoOptions } from './connection/options.ts';
import { mongoAddress, openClient } from './connection/uri.ts';
import { assertReplicaSet, assertServable, findLoss } from './layout/layout.ts';
import { fromPrimary } from './layout/prepare.ts';

/**
 * Asks the primary, and changes nothing.
 * @returns a line for an operator
 * @throws Error saying why a service could not serve from there; nothing secret is in it
 */
export async function inspectDatabase(options: MongoOptions): Promise<string> {
  const { client, database } = openClient(options.uri, clientDefaults(options), durableWrites);
  const { operationTimeout: maxTimeMS = defaults.operationTimeout, kinds = kindsOf() } = options;
  try {
    await client.connect();
    const db = client.db(database);
    await assertReplicaSet(db);
    await assertServable(db, kinds);
    const loss = await findLoss(db, kinds, maxTimeMS);
    const counts = await Promise.all(
      kinds.all.map(async ({ name, plural }) => {
        const documents = db.collection(plural, fromPrimary);
        return describeCount(await documents.estimatedDocumentCount({ maxTimeMS }), name, plural);
      }),
    );
    const later = loss === undefined ? '' : `; the next start makes its indexes (${loss})`;
    return `some ${counts.join(' and ')} in ${database} at ${mongoAddress(options.uri)}${later}`;
  } catch (cause) {
    throw new Error(`MongoDB at ${mongoAddress(options.uri)}: ${describeError(cause)}`, { cause });
  } finally {
    await client.close();
  }
}
