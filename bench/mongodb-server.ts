/** MongoDB for benchmarks: the server at MONGODB_URI, or one that mongodb-memory-server starts. */
import { randomUUID } from 'node:crypto';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { type ResourceDocument, toContent } from '../src/adapters/stores/mongodb/documents/document.ts';
import { kindsOf } from '../src/domain/kinds.ts';
import { Stored } from '../src/domain/resource/stored.ts';
import { openMongoStore } from '../test/support/stores.ts';
import { userAt } from './directory.ts';

/** Documents in one command. */
const atOnce = 5_000;

const userKind = kindsOf().of('user');

/** In bulk, without the store: filling isn't measured. */
async function fillMongo(users: Collection<ResourceDocument>, total: number): Promise<void> {
  for (let from = 0; from < total; from += atOnce) {
    const documents = Array.from({ length: Math.min(atOnce, total - from) }, (_, at) => {
      const stored = Stored.of(userAt(from + at));
      return { _id: stored.id, ...toContent(userKind, stored) };
    });
    await users.insertMany(documents, { ordered: false });
  }
}

export async function withMongo(use: (uri: string) => Promise<void>): Promise<void> {
  const given = process.env.MONGODB_URI;
  if (given !== undefined) return await use(given);
  const started = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } });
  try {
    await use(started.getUri());
  } finally {
    await started.stop();
  }
}

/** With a database of the store that has so many users. Drops it afterwards. */
export async function withFilledMongo(
  users: number,
  use: (uri: string, db: Db) => Promise<void>,
): Promise<void> {
  await withMongo(async (server) => {
    const url = new URL(server);
    url.pathname = `/users-bench-${randomUUID()}`;
    const client = await MongoClient.connect(url.href);
    const db = client.db();
    try {
      // The store makes the indexes. That is cheaper before there are documents to index.
      await (await openMongoStore({ uri: url.href, onProblem: console.error })).close();
      await fillMongo(db.collection('users'), users);
      // Documents that aren't on the disk yet wouldn't count in its sizes.
      await client.db('admin').command({ fsync: 1 });
      await use(url.href, db);
    } finally {
      await db.dropDatabase();
      await client.close();
    }
  });
}
