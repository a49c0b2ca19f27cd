/** Makes the collections and their indexes, and checks that they are still there while the service runs. */
import { type Db, type IndexDescription, type IndexDescriptionInfo, MongoServerError } from 'mongodb';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import { wordsOf } from '../../../system/program.ts';
import { indexBefore, indexesOf, nameIndex } from '../documents/indexes.ts';

const namespaceNotFound = 26;
const duplicateKey = 11000;

const isCode = (cause: unknown, code: number): boolean =>
  cause instanceof MongoServerError && cause.code === code;

const isThere = (wanted: IndexDescription, found: readonly IndexDescriptionInfo[]): boolean =>
  found.some(
    ({ name, key, unique = false }) =>
      name === wanted.name &&
      unique === (wanted.unique ?? false) &&
      JSON.stringify(key) === JSON.stringify(wanted.key),
  );

/** Asks the primary. Of a collection that isn't there: none. */
async function findIndexes(
  db: Db,
  { plural }: Kind,
  maxTimeMS = 0,
): Promise<readonly IndexDescriptionInfo[]> {
  const documents = db.collection(plural, { readPreference: 'primary' });
  try {
    return await documents.listIndexes({ maxTimeMS }).toArray();
  } catch (cause) {
    if (isCode(cause, namespaceNotFound)) return [];
    throw cause;
  }
}

/** Asks the primary. Returns a line for an operator that names the missing collection or indexes; undefined when none is missing. */
export async function findLoss(db: Db, kinds: Kinds, maxTimeMS: number): Promise<string | undefined> {
  for (const kind of kinds.all) {
    const found = await findIndexes(db, kind, maxTimeMS);
    if (found.length === 0) return `the collection ${kind.plural} is gone`;
    const missing = indexesOf(kind).filter((wanted) => !isThere(wanted, found));
    if (missing.length > 0)
      return `the index ${missing.map(({ name }) => name).join(' and ')} of ${kind.plural} is gone, and is made anew`;
  }
  return undefined;
}

/** MongoDB 5.0: the first with reads from a snapshot outside transactions. */
const oldestWireVersion = 13;

/** Or a router's, of a sharded cluster. @throws Error for a server that stands alone, whose writes no majority confirms, or is too old */
export async function assertReplicaSet(db: Db): Promise<void> {
  const { setName, msg, maxWireVersion } = await db.admin().command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') throw new Error('it is not a member of a replica set');
  if (maxWireVersion < oldestWireVersion) throw new Error('it is older than MongoDB 5.0');
}

/**
 * @param wasServed its collections were there: new empty ones would be served as a directory without users
 * @throws Error for a database that a build before the first release has written, or when a collection is gone
 */
export async function assertServable(db: Db, kinds: Kinds, wasServed = false): Promise<void> {
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
export async function makeIndexes(db: Db, kind: Kind): Promise<void> {
  const documents = db.collection(kind.plural);
  try {
    await documents.createIndexes(indexesOf(kind));
  } catch (cause) {
    if (!isCode(cause, duplicateKey)) throw cause;
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
