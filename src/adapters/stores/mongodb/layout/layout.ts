/** Makes the collections and their indexes at the start (`prepare`), and checks that they still exist while the service runs (`findLoss`). */
import type { Db, IndexDescription, IndexDescriptionInfo } from 'mongodb';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { wordsOf } from '../../../system/program.ts';
import type { Database } from '../connection/database.ts';
import { duplicateKey, hasCode } from '../connection/driver-errors.ts';
import { indexBefore, indexesOf, nameIndex } from '../documents/indexes.ts';
import type { OnBatch, Rebuilds } from './rebuild.ts';

const namespaceNotFound = 26;

const isThere = (wanted: IndexDescription, found: readonly IndexDescriptionInfo[]): boolean =>
  found.some(
    ({ name, key, unique = false }) =>
      name === wanted.name &&
      unique === (wanted.unique ?? false) &&
      JSON.stringify(key) === JSON.stringify(wanted.key),
  );

/** Asks the primary. A collection that doesn't exist has none. */
async function findIndexes(
  db: Db,
  { plural }: Kind,
  maxTimeMS = 0,
): Promise<readonly IndexDescriptionInfo[]> {
  const documents = db.collection(plural, { readPreference: 'primary' });
  try {
    return await documents.listIndexes({ maxTimeMS }).toArray();
  } catch (cause) {
    if (hasCode(cause, namespaceNotFound)) return [];
    throw cause;
  }
}

/**
 * Asks the primary. Returns a line for an operator that names the missing collection or indexes; undefined when none is missing.
 * @param rebuilds whose background may still make indexes
 */
export async function findLoss(
  { db, kinds, limits }: Pick<Database, 'db' | 'kinds' | 'limits'>,
  rebuilds?: Rebuilds,
): Promise<string | undefined> {
  for (const kind of kinds.all) {
    const found = await findIndexes(db, kind, limits.maxTimeMS);
    if (found.length === 0) return `the collection ${kind.plural} is gone`;
    const missing = indexesOf(kind, !rebuilds?.get(kind)?.isBuilding).filter(
      (wanted) => !isThere(wanted, found),
    );
    if (missing.length > 0)
      return `the index ${missing.map(({ name }) => name).join(' and ')} of ${kind.plural} is gone, and is made anew`;
  }
  return undefined;
}

/** MongoDB 5.0: the first with reads from a snapshot outside transactions. */
const oldestWireVersion = 13;

/** Accepts the router of a sharded cluster, too. @throws Error for a server that is too old, or stands alone, so that no majority confirms its writes */
export async function assertReplicaSet(db: Db): Promise<void> {
  const { setName, msg, maxWireVersion } = await db.admin().command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') throw new Error('it is not a member of a replica set');
  if (maxWireVersion < oldestWireVersion) throw new Error('it is older than MongoDB 5.0');
}

/**
 * @param wasServed its collections existed: new empty ones would be served as a directory without users
 * @throws Error for a database that a build before the first release has written, or if a collection is missing
 */
export async function assertServable(
  { db, kinds }: Pick<Database, 'db' | 'kinds'>,
  wasServed = false,
): Promise<void> {
  for (const kind of kinds.all) {
    const found = await findIndexes(db, kind);
    if (found.some(({ name }) => name === indexBefore))
      throw new Error(
        `a build before the first release has written it, which this one can't read: export its users with that build (${wordsOf('export')} users.jsonl), and import them into a new database (${wordsOf('import')} users.jsonl --keep-meta); it was left as it is`,
      );
    if (wasServed && found.length === 0)
      throw new Error(
        `the collection ${kind.plural} is gone: restore it, or restart the service to begin with an empty one`,
      );
  }
}

/** Idempotent. @throws Error naming two documents by id that keep the name's index from being unique */
export async function makeIndexes(db: Db, kind: Kind, areAll = true): Promise<void> {
  const documents = db.collection(kind.plural);
  try {
    await documents.createIndexes(indexesOf(kind, areAll));
  } catch (cause) {
    if (!hasCode(cause, duplicateKey)) throw cause;
    const [same] = await documents
      .aggregate<{ ids: unknown[] }>(
        [
          { $group: { _id: '$name', ids: { $push: '$_id' } } },
          { $match: { 'ids.1': { $exists: true } } },
          { $limit: 1 },
        ],
        { allowDiskUse: true },
      )
      .toArray();
    if (same === undefined) throw cause;
    const ids = same.ids.slice(0, 2).join(' and ');
    throw new Error(
      `${nameIndex} can't be made: the ${kind.plural} ${ids} have the same name; rename or remove one`,
    );
  }
}

/** Called with the reason if it takes long. */
type OnDelay = (cause: Error) => void;

/**
 * Brings the database up to what this release needs. Idempotent, also when several processes do it at once: the server
 * builds each index once.
 * @param wasReady true when this process has served from it already
 */
export async function prepare(
  database: Database,
  rebuilds: Rebuilds,
  prepareLog: () => Promise<void>,
  wasReady: boolean,
  onDelay: OnDelay,
): Promise<void> {
  const { client, db, assertLayout } = database;
  // The driver connects by itself for each operation, but not again after its first connection has failed.
  await client.connect();
  await assertReplicaSet(db);
  await assertLayout();
  await assertServable(database, wasReady);
  for (const [kind, rebuild] of rebuilds) {
    const outdated = await rebuild.findOutdated({ isStart: true });
    await makeIndexes(db, kind, !rebuild.isBuilding);
    if (outdated.length === 0) continue;
    await rebuild.assertUnique(outdated);
    const work = `what ${kind.plural} are found by changed with this release, and keys are made anew`;
    onDelay(new Error(work));
    await rebuild.run(outdated, reportNowAndThen(onDelay, work));
  }
  // Another process may have switched it on or off meanwhile.
  if (!wasReady) await prepareLog();
}

/** The number of documents between two lines of the log. */
const reportEach = 20_000;

export function reportNowAndThen(onDelay: OnDelay, work: string): OnBatch {
  let told = 0;
  return (done, all) => {
    if (done < told + reportEach) return;
    told = done;
    onDelay(new Error(`${work}: ${done} of ${all} done`));
  };
}
