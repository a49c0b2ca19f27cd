import type { Collection, Db, MongoClient } from 'mongodb';
import { firstIndexes, indexesOf } from '../documents/indexes.ts';
import { assertCollection, assertReplicaSet, documentTypes, makeIndexes } from './layout.ts';
import { reindex } from './reindex.ts';
import type { AnyDocument, OnBatch } from './reindexing.ts';

/** Decisions need the newest state, also when the operator's read preference is a secondary. */
export const fromPrimary = { readPreference: 'primary', readConcern: { level: 'majority' } } as const;

export interface Preparation {
  readonly client: MongoClient;
  readonly db: Db;
  /** True when this process has served users from it already. */
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
  await assertReplicaSet(db);
  if (wasReady) await assertCollection(db);
  for (const type of documentTypes) {
    await makeIndexes(db, type, firstIndexes);
    const documents: Collection<AnyDocument> = db.collection(type.collection, fromPrimary);
    const work = `what ${type.kind.name}s are found by changed with this release, and keys are made anew`;
    await reindex(documents, type, () => onDelay(new Error(work)), reportNowAndThen(onDelay, work));
    await makeIndexes(db, type, indexesOf(type));
  }
}

/** In milliseconds. */
const reportInterval = 10_000;

/** Keeps the log short: a line at most each `interval`. */
export function reportNowAndThen(
  onDelay: Preparation['onDelay'],
  work: string,
  interval = reportInterval,
): OnBatch {
  let last = performance.now();
  return async (done, count) => {
    if (performance.now() - last < interval) return;
    last = performance.now();
    onDelay(new Error(`${work}: ${done} done, ${await count()} to go`));
  };
}
