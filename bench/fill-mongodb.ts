/** Fills MongoDB with the benchmarks' users. */
import type { Collection } from 'mongodb';
import { type ResourceDocument, toDocument } from '../src/adapters/stores/mongodb/documents/document.ts';
import { kindsOf } from '../src/domain/kinds.ts';
import { Stored } from '../src/domain/resource/stored.ts';
import { userAt } from './directory.ts';

const atOnce = 5_000;

const userKind = kindsOf().of('user');

/** In bulk, without the store: filling isn't measured. */
export async function fillMongo(users: Collection<ResourceDocument>, total: number): Promise<void> {
  for (let from = 0; from < total; from += atOnce) {
    const documents = Array.from({ length: Math.min(atOnce, total - from) }, (_, at) =>
      toDocument(userKind, Stored.of(userAt(from + at))),
    );
    await users.insertMany(documents, { ordered: false });
  }
}
