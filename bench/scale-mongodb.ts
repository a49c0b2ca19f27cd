/**
 * `npm run bench -- scale-mongodb`: the service with a million users in MongoDB. Measures the first and the last page, one filter, and the
 * whole list with the most memory it takes. The server is the one at MONGODB_URI, or one that mongodb-memory-server starts;
 * `--users 10000` makes the directory smaller, `--markdown` prints for docs/performance.md, and `--check` fails when a query
 * costs half as much again as it may.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Collection } from 'mongodb';
import { developmentToken } from '../src/adapters/credentials/jwt/development-key.ts';
import { parseListQuery } from '../test/support/kinds.ts';
import { idOf } from './directory.ts';
import { withFilledMongo } from './mongodb-server.ts';
import { median } from './result.ts';
import { firstPage, pageSize, queriesOf, reportRatios, scaledQueries } from './scaled-queries.ts';
import { readMemory, startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    check: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const total = Number(values.users);
/** Of each query: as many as there is time for. */
const looks = 50;
/** In ms, for each query. */
const lookingTime = 10_000;
/** Of the first page, before anything is measured: until then the service's code isn't compiled. */
const warmUps = 500;

/**
 * Of first pages, where MongoDB looks at all who match: it has no exact number at hand, and an order in which those who match stand
 * together far behind is sorted after a walk in vain. docs/operate/mongodb-inside.md says why.
 */
const mostHere = new Map([
  ['total', 100],
  ['total of a filter', 250],
  ['total of a search for everybody', 800],
  ['total of a search and a filter', 100],
  ['search, a hundred thousand, sort=-familyName', 200],
  ['search, a hundred thousand, sort=-displayName', 200],
]);

const queries = scaledQueries(total).map((query) => {
  const most = mostHere.get(query.name);
  return most === undefined ? query : { ...query, most };
});

const secret = 'the secret of a benchmark, 32 bytes or more';
const issuer = 'urn:bench';
const audience = 'urn:bench:users';

/** In bytes for each user. */
async function measureSizes(users: Collection<{ _id: string }>): Promise<string> {
  const [found] = await users.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
  const { size, storageSize, indexSizes } = found?.storageStats ?? {};
  const each = (bytes: unknown): string => String(Math.round(Number(bytes) / total));
  const indexes = Object.entries(indexSizes ?? {}).map(([name, bytes]) => `${name} ${each(bytes)}`);
  return `bytes each: document ${each(size)}, on disk ${each(storageSize)}; indexes: ${indexes.join(', ')}`;
}

/** In ms. */
async function measureMedian(look: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  const begin = performance.now();
  while (times.length < looks && performance.now() - begin < lookingTime) {
    const start = performance.now();
    await look();
    times.push(performance.now() - start);
  }
  return median(times);
}

async function measure(uri: string, folder: string): Promise<void> {
  const server = await startServer(serviceScript, folder, {
    USERS_PORT: '0',
    USERS_LOG_LEVEL: 'warn',
    USERS_STORE: 'mongodb',
    USERS_MONGODB_URI: uri,
    USERS_JWT_SECRET: secret,
    USERS_JWT_ISSUER: issuer,
    USERS_JWT_AUDIENCE: audience,
  });
  const granted = { issuer, audience, scopes: ['users:read'], seconds: 3600, typ: 'at+jwt' } as const;
  const headers = { authorization: `Bearer ${await developmentToken(Buffer.from(secret), granted)}` };
  const get = async (query: string) => {
    const answer = await fetch(`${server.url}/users${query}`, { headers });
    if (!answer.ok) throw new Error(`${query}: ${answer.status}`);
    return answer;
  };
  try {
    for (let count = 0; count < warmUps; count += 1) await (await get(firstPage)).text();
    const first = await measureMedian(async () => void (await (await get(`?limit=${pageSize}`)).text()));
    const end = parseListQuery(`limit=${pageSize}`).queryOf({ after: { id: idOf(total - pageSize - 1) } });
    const last = await measureMedian(async () => void (await (await get(`?${end}`)).text()));
    console.log(
      `page of ${pageSize}: first ${first.toFixed(1)} ms, last ${last.toFixed(1)} ms, ratio ${(first / last).toFixed(2)}`,
    );
    const filtered = await measureMedian(
      async () => void (await (await get(`?externalId=personnel-${total - 7}`)).text()),
    );
    console.log(`one user by a filter: ${filtered.toFixed(1)} ms`);
    // By one client, of whom both processes are the time: MongoDB's is most of it.
    const times = new Map<string, number>();
    for (const query of queriesOf(queries))
      times.set(query, await measureMedian(async () => void (await (await get(query)).text())));
    const costly = reportRatios(queries, (query) => times.get(query) ?? 0, {
      users: total,
      unit: 'ms',
      markdown: values.markdown,
    });
    if (values.check && costly.length > 0) process.exitCode = 1;
    const idle = readMemory(server.pid, 'VmRSS');
    const start = performance.now();
    let bytes = 0;
    for await (const chunk of (await get('')).body ?? []) bytes += chunk.length;
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `whole list: ${total} users, ${Math.round(bytes / 1e6)} MB in ${seconds.toFixed(0)} s; memory ${idle} MiB before, at most ${readMemory(server.pid, 'VmHWM')} MiB`,
    );
  } finally {
    await server.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'users-scale-'));
try {
  await withFilledMongo(total, async (uri, db) => {
    console.log(await measureSizes(db.collection('users')));
    await measure(uri, folder);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
