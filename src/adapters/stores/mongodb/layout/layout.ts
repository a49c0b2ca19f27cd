/** Makes the collection and its indexes, and checks that they are still there while the service runs. */
import { type Db, type IndexDescription, type IndexDescriptionInfo, MongoServerError } from 'mongodb';
import { indexes, userNameIndex } from '../documents/indexes.ts';
import { collectionName } from '../documents/stored-document.ts';

const namespaceNotFound = 26;
const duplicateKey = 11000;

const isCode = (cause: unknown, code: number): boolean =>
  cause instanceof MongoServerError && cause.code === code;

const isThere = (found: readonly IndexDescriptionInfo[]) => (wanted: (typeof indexes)[number]) =>
  found.some(
    ({ name, key, unique = false }) =>
      name === wanted.name &&
      unique === (wanted.unique ?? false) &&
      JSON.stringify(key) === JSON.stringify(wanted.key),
  );

/** Asks the primary. Returns a line for an operator that names the missing collection or indexes; undefined when none is missing. */
export async function findLoss(db: Db, maxTimeMS: number): Promise<string | undefined> {
  try {
    const users = db.collection(collectionName, { readPreference: 'primary' });
    const found = await users.listIndexes({ maxTimeMS }).toArray();
    const missing = indexes.filter((wanted) => !isThere(found)(wanted)).map(({ name }) => name);
    if (missing.length === 0) return undefined;
    return `the index ${missing.join(' and ')} of ${collectionName} is gone, and is made anew`;
  } catch (cause) {
    if (isCode(cause, namespaceNotFound)) return `the collection ${collectionName} is gone`;
    throw cause;
  }
}

/** Or a router's, of a sharded cluster. @throws Error for a server that stands alone, whose writes no majority confirms */
export async function assertReplicaSet(db: Db): Promise<void> {
  const { setName, msg } = await db.admin().command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') throw new Error('it is not a member of a replica set');
}

/**
 * For a database that has been served already: its collection was there, and a new empty one would be served as a directory
 * without users.
 * @throws Error when the collection is gone
 */
export async function assertCollection(db: Db): Promise<void> {
  const [found] = await db.listCollections({ name: collectionName }, { nameOnly: true }).toArray();
  if (found !== undefined) return;
  throw new Error(
    `the collection ${collectionName} is gone: restore it; or start the service anew, to begin with nobody`,
  );
}

/** Idempotent. @throws Error naming two users by id that keep the userName's index from being unique */
export async function makeIndexes(db: Db, wanted: IndexDescription[]): Promise<void> {
  const users = db.collection(collectionName);
  try {
    await users.createIndexes(wanted);
  } catch (cause) {
    if (!isCode(cause, duplicateKey)) throw cause;
    const [same] = await users
      .aggregate<{ ids: unknown[] }>(
        [
          { $group: { _id: '$userNameKey', ids: { $push: '$_id' } } },
          { $match: { 'ids.1': { $exists: true } } },
          { $limit: 1 },
        ],
        { allowDiskUse: true },
      )
      .toArray();
    if (same === undefined) throw cause;
    const ids = same.ids.slice(0, 2).join(' and ');
    throw new Error(
      `${userNameIndex} can't be made: the users ${ids} have the same userName; rename or remove one`,
    );
  }
}
