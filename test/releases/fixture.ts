/**
 * Stores that earlier releases wrote, with what they answered. `fixtures/releases/1.0/` has a store of each kind and its reads.
 *
 * `make-release-fixture.ts` lets a release make them, once: it sends `writes.ts`, runs commands, and records `reads.ts`. `releases.test.ts`
 * opens copies with this build and reads again. `mongodb-dump.ts` is MongoDB's side.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FixtureResponse } from '../adapters/contracts/fixtures/fixture.ts';

export const releasesFolder = 'fixtures/releases';

export const storeKinds = ['sqlite', 'mongodb'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** A read as the release answered it. */
export interface RecordedRead {
  readonly target: string;
  readonly accept: string;
  readonly response: FixtureResponse;
}

/** The names of the files of a release, which are compressed with gzip. MongoDB's is a `Dump`. */
export const storeFiles: Readonly<Record<StoreKind, string>> = {
  sqlite: 'users.db.gz',
  mongodb: 'mongodb.json.gz',
};
export const readsFile = (kind: StoreKind): string => `reads-${kind}.json.gz`;

export const readFixture = (release: string, name: string): Buffer =>
  gunzipSync(readFileSync(join(releasesFolder, release, name)));

/** Of a resource of the fixtures. */
export const idOf = (number: number): string => `0d1eec70-5709-4000-8000-${String(number).padStart(12, '0')}`;
