import type { Collection, Db, MongoClient } from 'mongodb';
import { type AnyUser, renewKeys } from './reindex.ts';
import { collectionName, indexes } from './stored-document.ts';

/** What is decided by has to be the newest, wherever the operator has reads go. */
const fromPrimary = { readPreference: 'primary', readConcern: { level: 'majority' } } as const;

/**
 * Brings the database up to what this release needs. Idempotent, also when several processes do it at once: the server
 * builds each index once.
 * @param onDelay called when it will take long, with the reason
 */
export async function prepare(client: MongoClient, db: Db, onDelay: (cause: Error) => void): Promise<void> {
  // Operations connect by themselves, but not again after a first time that failed.
  await client.connect();
  const { setName, msg } = await db.admin().command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') throw new Error('it is not a member of a replica set');
  await db.collection(collectionName).createIndexes(indexes);
  const users: Collection<AnyUser> = db.collection(collectionName, fromPrimary);
  await renewKeys(users, () =>
    onDelay(new Error('names and filters changed with this release, and keys are made anew')),
  );
}
