import type { Collection, Db, MongoClient } from 'mongodb';
import { collectionName } from './documents.ts';
import { assertCollection, makeIndexes } from './layout.ts';
import { type AnyUser, renewKeys } from './rekey.ts';

/** What is decided by has to be the newest, wherever the operator has reads go. */
const fromPrimary = { readPreference: 'primary', readConcern: { level: 'majority' } } as const;

export interface Preparation {
  readonly client: MongoClient;
  readonly db: Db;
  /** Whether users were served from it already, by this process. */
  readonly wasReady: boolean;
  /** Called when it will take long, with the reason. */
  readonly onDelay: (cause: Error) => void;
}

/**
 * Brings the database up to what this release needs. Idempotent, also when several processes do it at once: the server
 * builds each index once.
 */
export async function prepare({ client, db, wasReady, onDelay }: Preparation): Promise<void> {
  // Operations connect by themselves, but not again after a first time that failed.
  await client.connect();
  const { setName, msg } = await db.admin().command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid') throw new Error('it is not a member of a replica set');
  if (wasReady) await assertCollection(db);
  await makeIndexes(db);
  const users: Collection<AnyUser> = db.collection(collectionName, fromPrimary);
  await renewKeys(users, () =>
    onDelay(new Error('names and filters changed with this release, and keys are made anew')),
  );
}
