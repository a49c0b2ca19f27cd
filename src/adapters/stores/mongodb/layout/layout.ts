/** Makes the collection and its indexes, and checks that they are still there while the service runs. */
import { type Db, type IndexDescription, type IndexDescriptionInfo, MongoServerError } from 'mongodb';
import { indexesOf, nameIndex } from '../documents/indexes.ts';
import {
  type AnyDocumentType,
  collectionName,
  groupDocuments,
  userDocuments,
} from '../documents/stored-document.ts';

export const documentTypes: readonly AnyDocumentType[] = [userDocuments, groupDocuments];

const namespaceNotFound = 26;
const duplicateKey = 11000;

const isCode = (cause: unknown, code: number): boolean =>
  cause instanceof MongoServerError && cause.code === code;

const isThere = (found: readonly IndexDescriptionInfo[]) => (wanted: IndexDescription) =>
  found.some(
    ({ name, key, unique = false }) =>
      name === wanted.name &&
      unique === (wanted.unique ?? false) &&
      JSON.stringify(key) === JSON.stringify(wanted.key),
  );

/** Asks the primary. Returns a line for an operator that names the missing collection or indexes; undefined when none is missing. */
export async function findLoss(db: Db, maxTimeMS: number): Promise<string | undefined> {
  const losses = await Promise.all(documentTypes.map((type) => findLossOf(type, db, maxTimeMS)));
  return losses.find((loss) => loss !== undefined);
}

async function findLossOf(type: AnyDocumentType, db: Db, maxTimeMS: number): Promise<string | undefined> {
  const { collection } = type;
  try {
    const found = await db
      .collection(collection, { readPreference: 'primary' })
      .listIndexes({ maxTimeMS })
      .toArray();
    const missing = indexesOf(type).filter((wanted) => !isThere(found)(wanted));
    if (missing.length === 0) return undefined;
    return `the index ${missing.map(({ name }) => name).join(' and ')} of ${collection} is gone, and is made anew`;
  } catch (cause) {
    if (isCode(cause, namespaceNotFound)) return `the collection ${collection} is gone`;
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

/** Idempotent. @throws Error naming two documents by id that keep the name's index from being unique */
export async function makeIndexes(
  db: Db,
  { collection, kind }: AnyDocumentType,
  wanted: IndexDescription[],
): Promise<void> {
  const documents = db.collection(collection);
  try {
    await documents.createIndexes(wanted);
  } catch (cause) {
    if (!isCode(cause, duplicateKey)) throw cause;
    const [same] = await documents
      .aggregate<{ ids: unknown[] }>(
        [
          { $group: { _id: '$nameKey', ids: { $push: '$_id' } } },
          { $match: { 'ids.1': { $exists: true } } },
          { $limit: 1 },
        ],
        { allowDiskUse: true },
      )
      .toArray();
    if (same === undefined) throw cause;
    const ids = same.ids.slice(0, 2).join(' and ');
    throw new Error(
      `${nameIndex} can't be made: the ${kind.name}s ${ids} have the same name; rename or remove one`,
    );
  }
}
