/** The published contract as the tests know it: made for a service at the root, and read by a validator that isn't the service's. */

import { existsSync } from 'node:fs';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { apisOf } from '../../src/adapters/apis/index.ts';
import { ChangeWatcher } from '../../src/adapters/change-watcher/change-watcher.ts';
import type { Api, DescribedApi, DescribedRoute } from '../../src/adapters/http/pipeline/api.ts';
import { type DescribedProblemTypes, problemTypes } from '../../src/adapters/http/problems/problem-types.ts';
import { randomIds } from '../../src/adapters/system/clock-and-ids.ts';
import { changes } from '../../src/domain/use-cases/feed.ts';
import { groups } from '../../src/domain/use-cases/groups.ts';
import { users } from '../../src/domain/use-cases/users.ts';
import { frozenFolder, frozenVersions } from '../adapters/contracts/frozen.ts';
import { kinds } from './kinds.ts';
import { noConsole, noCredentials, startService } from './service.ts';
import { memoryStore, portOf } from './stores.ts';

const store = memoryStore();
const clock = { now: () => new Date() };

const feed = changes(portOf(store), kinds);

/** Of a service at the root. */
const all: readonly Api[] = apisOf({
  kinds,
  users: users(portOf(store), clock, randomIds),
  groups: groups(portOf(store), clock, randomIds),
  changes: feed,
  watcher: new ChangeWatcher(feed),
  receivers: { read: async () => [] },
  ids: randomIds,
  schemes: ['Bearer'],
  settings: {
    publicUrl: '',
    basePath: '',
    requireIfMatch: false,
    sharedCaching: false,
    contract: '',
    scim: { maxScanned: 100_000 },
    validity: { timezone: 'UTC' },
    console: noConsole,
    ...noCredentials,
  },
});

/** Its contract is the RFCs and `/Schemas`. */
export const scim = all.find(({ name }) => name === 'scim') as Api;

/** Those that the service's contract describes. */
export const apis = all.filter(({ name }) => name !== 'scim' && name !== 'console') as DescribedApi[];

/** Every problem that there is, by its code. */
export const problems: DescribedProblemTypes = Object.assign(
  {},
  problemTypes,
  ...apis.map((api) => api.problems),
);

/** A path for each value of its variable parts. */
const filledIn = (path: string, params: DescribedRoute['params'] = {}): readonly string[] =>
  Object.entries(params).reduce<readonly string[]>(
    (paths, [name, { schema }]) =>
      paths.flatMap((one) => (schema.enum as string[]).map((value) => one.replace(`:${name}`, value))),
    [path],
  );

/** Earlier versions lack documents that later ones added. */
const isMissing = (path: string): boolean =>
  frozenVersions().some((version) => path.startsWith(`/schemas/${version}/`)) &&
  !existsSync(path.replace('/schemas', frozenFolder));

/** Every path that is open and serves a document, its variable parts filled in. */
export const publishedPaths: readonly string[] = apis
  .filter(({ name }) => name === 'contract')
  .flatMap(({ routes }) => routes)
  .filter(({ answers }) => answers.some(({ status }) => status === 200))
  .flatMap(({ path, params }) => filledIn(path, params))
  .filter((path) => !isMissing(path));

/** A document as published, by a service without a public URL. @throws Error when there is none at the path */
export async function publishedText(path: string): Promise<string> {
  const service = await startService();
  try {
    const { status, text } = await service.send(path, { anonymous: true });
    if (status !== 200) throw new Error(`nothing is published at ${path}`);
    return text;
  } finally {
    await service.close();
  }
}

export type Json = { readonly [name: string]: Json } & string;

export const publishedJson = async (path: string): Promise<Json> => JSON.parse(await publishedText(path));

/** JSON Schema 2020-12 to the letter: what it doesn't know is an error. `xml` and `example` are OpenAPI's own. */
export function validator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addVocabulary(['xml', 'example', 'components']);
  return ajv;
}

/** Members that no schema names are mistakes of ours, though a client has to put up with them. */
export function closed(schema: unknown): AnySchema {
  if (typeof schema !== 'object' || schema === null) return schema as AnySchema;
  if (Array.isArray(schema)) return schema.map(closed) as unknown as AnySchema;
  const inner: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  );
  const isObject = 'properties' in inner && inner.type === 'object' && !('additionalProperties' in inner);
  return isObject ? { ...inner, additionalProperties: false } : inner;
}
