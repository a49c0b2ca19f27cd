/**
 * `npm run bench -- scale-sqlite`: the service on SQLite with a thousand, ten thousand, a hundred thousand and a million users,
 * in one file that is filled further each time. `--users 10000` stops there, `--only` measures that size alone, `--markdown`
 * prints for docs/performance.md, and `--check` fails when a query costs half as much again as it may. `--file users.db` takes a
 * file that was filled before, by so many `--users`, and `--match total` only the queries with that in their names.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseListQuery } from '../test/support/kinds.ts';
import { type Headers, makeCredentials, type Settings } from './credentials.ts';
import { fill, idOf } from './directory.ts';
import { measureHeld } from './held.ts';
import { type Bounded, boundedQueries, compare } from './list-bounds.ts';
import { load, loadHeaders } from './load.ts';
import { formatTable } from './report.ts';
import { divideEach, median } from './result.ts';
import { firstPage, pageSize, tolerance } from './scaled-queries.ts';
import { drain } from './scenarios/lists.ts';
import { scimPathOf } from './scenarios/scim.ts';
import { readMemory, type Server, startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    only: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    file: { type: 'string' },
    match: { type: 'string', default: '' },
  },
});
const most = Number(values.users);
const sizes =
  values.only || values.file !== undefined
    ? [most]
    : [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= most);

const rounds = 7;
/** Of a round, and before the first. */
const seconds = 0.5;
const warmUp = 0.25;

const lastPage = (users: number): string =>
  parseListQuery(`limit=${pageSize}`).queryOf({ after: { id: idOf(users - pageSize - 1) } });

/** Paths, by their names in the table. */
const pathsFor = (users: number): Readonly<Record<string, string>> => ({
  'point read': `/users/${idOf(Math.floor(users / 2))}`,
  'first page': `/users${firstPage}`,
  'last page': `/users?${lastPage(users)}`,
  'userName=': `/users?userName=ada-${users - 7}`,
  'SCIM, userName eq': scimPathOf(`ada-${users - 7}`),
  'SCIM, startIndex at nine tenths': `/scim/v2/Users?startIndex=${0.9 * users}&count=${pageSize}`,
  'role=, a page of all': `/users?role=reader&limit=${pageSize}`,
  'role= and externalId=': `/users?role=reader&externalId=personnel-${users - 7}`,
});

/** How often the time of `userName=` a SCIM client's question whether a user exists may take. */
const mostOfScim = 2;

/** In CPU milliseconds of all threads, requests after a write without the write. */
async function measureBounded(
  server: Server,
  headers: Headers,
  { query, without, afterWrite }: Pick<Bounded, 'query' | 'without' | 'afterWrite'>,
): Promise<number> {
  const url = `${server.url}/users${query}`;
  await askInTurn(url, headers, 0);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (afterWrite) await changeUser(server, headers, round);
    const before = await server.cpu();
    const answers = await askInTurn(url, headers, afterWrite ? 0 : seconds / 5);
    times.push(((await server.cpu()) - before) / answers / 1000);
  }
  const rest =
    without === undefined
      ? 0
      : await measureBounded(server, headers, { query: without, afterWrite: afterWrite === true });
  return Math.max(0, median(times) - rest);
}

async function changeUser(server: Server, headers: Headers, round: number): Promise<void> {
  const answer = await fetch(`${server.url}/users/${idOf(5)}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/merge-patch+json' },
    body: JSON.stringify({ title: `Analyst ${round}` }),
  });
  if (!answer.ok) throw new Error(`PATCH: ${answer.status}`);
}

/** In milliseconds, of point reads one after the other, while `others` goes on. */
async function measureReads(
  server: Server,
  headers: Headers,
  others: () => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  let isOver = false;
  const going = others().finally(() => {
    isOver = true;
  });
  while (!isOver || times.length < 200) {
    const start = performance.now();
    await (await fetch(`${server.url}/users/${idOf(times.length)}`, { headers })).arrayBuffer();
    times.push(performance.now() - start);
  }
  await going;
  return times.sort((one, other) => one - other)[Math.floor(0.99 * times.length)] ?? 0;
}

/** Of the largest size; returns the names of those that cost too much. */
async function reportBounded(server: Server, headers: Headers, users: number): Promise<string[]> {
  const firstMs = await measureBounded(server, headers, { query: firstPage });
  let before = 0;
  const failed: string[] = [];
  const rows: string[][] = [];
  const queries = boundedQueries(users).filter(({ name }) => name.includes(values.match));
  for (const query of queries) {
    // Plain pages, which come first, fill the main thread's cache.
    if (before === 0 && !query.name.startsWith('sort=')) before = readMemory(server.pid, 'VmRSS');
    const { name, ms, bound, isMissed, isFailed } = compare(
      query,
      await measureBounded(server, headers, query),
      firstMs,
    );
    rows.push([name, ms.toPrecision(3), bound.toPrecision(3), isMissed ? 'MISSED' : 'met']);
    if (isFailed) failed.push(name);
  }
  console.log(`\n${users.toLocaleString('en')} users, first page ${firstMs.toPrecision(3)} CPU ms:\n`);
  console.log(formatTable([['query', 'CPU ms', 'at most', ''], ...rows], values.markdown));
  const after = readMemory(server.pid, 'VmRSS');
  const idle = await measureReads(server, headers, () => Promise.resolve());
  const beside = await measureReads(server, headers, async () => {
    for (const { query } of queries.filter(({ most }) => 'ms' in most))
      await askInTurn(`${server.url}/users${query}`, headers, 0);
  });
  console.log(
    `\nPoint reads, p99: ${idle.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside these queries, at most ${Math.max(10, 2 * idle).toFixed(1)}`,
  );
  console.log(`Memory: ${before} MiB before these queries, ${after} MiB behind them, at most 40 more`);
  if (beside > tolerance * Math.max(10, 2 * idle)) failed.push('point reads beside');
  if (after - before > 40 * tolerance) failed.push('memory');
  return failed;
}

/** How many answers `seconds` of asking bring. */
type Ask = (url: string, headers: Headers, seconds: number) => Promise<number>;

/** As many as sixteen connections get: for what takes less than a millisecond. */
const askAtOnce: Ask = async (url, headers, seconds) => (await load({ url, headers }, seconds)).requests;

/** One after the other, each to its end: one that is left early is still worked on, and would be the next query's time. */
const askInTurn: Ask = async (url, headers, seconds) => {
  const end = performance.now() + seconds * 1000;
  let answers = 0;
  do {
    const answer = await fetch(url, { headers: { ...loadHeaders, ...headers } });
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    await answer.arrayBuffer();
    answers += 1;
  } while (performance.now() < end);
  return answers;
};

/** By path's name and round: the server's CPU time for a response, in microseconds. @param paths by name */
async function measureQueries(
  server: Server,
  headers: Headers,
  paths: Readonly<Record<string, string>>,
  ask: Ask,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (const path of Object.values(paths)) await ask(server.url + path, headers, warmUp);
  for (let round = 0; round < rounds; round += 1)
    for (const [name, path] of Object.entries(paths)) {
      const before = await server.cpu();
      const requests = await ask(server.url + path, headers, seconds);
      if (requests === 0) throw new Error(`${name}: no answer`);
      times.set(name, [...(times.get(name) ?? []), ((await server.cpu()) - before) / requests]);
    }
  return times;
}

async function startTimed(folder: string, settings: Settings): Promise<{ server: Server; seconds: number }> {
  const begin = performance.now();
  const server = await startServer(serviceScript, folder, settings);
  while (!(await fetch(`${server.url}/health/ready`)).ok);
  return { server, seconds: (performance.now() - begin) / 1000 };
}

const formatRatio = (over: readonly number[] = [], under: readonly number[] = []): string =>
  median(divideEach(over, under)).toFixed(2);

/** Queries of the largest size that cost too much. */
let costly: string[] = [];

/** A column of the table, by the names of its rows. */
async function measureColumn(
  file: string,
  users: number,
  folder: string,
  headers: Headers,
  settings: Settings,
): Promise<Map<string, string>> {
  const { server, seconds: start } = await startTimed(folder, settings);
  try {
    const idle = readMemory(server.pid, 'VmRSS');
    const paths = values.match === '' ? pathsFor(users) : {};
    const times = await measureQueries(server, headers, paths, askAtOnce);
    const loaded = readMemory(server.pid, 'VmRSS');
    if (users === most) costly = await reportBounded(server, headers, users);
    const ms = median([
      await drain(`${server.url}/users`, headers),
      await drain(`${server.url}/users`, headers),
      await drain(`${server.url}/users`, headers),
    ]);
    const found = [...times].map(([name, rounds]): [string, string] => [
      `${name}, CPU µs`,
      median(rounds).toFixed(0),
    ]);
    return new Map([
      ...found,
      ['first page ÷ last page', formatRatio(times.get('first page'), times.get('last page'))],
      ['SCIM, userName eq ÷ userName=', formatRatio(times.get('SCIM, userName eq'), times.get('userName='))],
      ['whole list, users/s', ((users * 1000) / ms).toFixed(0)],
      ['start to first answer, s', start.toFixed(2)],
      ['memory at start, MiB', String(idle)],
      ['memory under these reads, MiB', String(loaded)],
      ['memory at most, whole lists included, MiB', String(readMemory(server.pid, 'VmHWM'))],
      ['file, MB', (statSync(file).size / 1e6).toFixed(1)],
    ]);
  } finally {
    await server.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'users-scale-'));
try {
  const { settings, apiKey } = await makeCredentials(folder);
  const file = values.file ?? join(folder, 'users.db');
  const columns: Map<string, string>[] = [];
  let filled = 0;
  for (const size of sizes) {
    process.stderr.write(`${size} users …\n`);
    if (values.file === undefined) fill(file, filled, size);
    filled = size;
    columns.push(
      await measureColumn(file, size, folder, apiKey.headers, {
        ...settings.secret,
        USERS_SQLITE_FILE: file,
      }),
    );
  }
  const names = [...(columns[0]?.keys() ?? [])];
  const head = ['users', ...sizes.map((size) => size.toLocaleString('en'))];
  console.log(
    formatTable(
      [head, ...names.map((name) => [name, ...columns.map((each) => each.get(name) ?? '')])],
      values.markdown,
    ),
  );
  const end = Number(columns.at(-1)?.get('first page ÷ last page'));
  const scim = Number(columns.at(-1)?.get('SCIM, userName eq ÷ userName='));
  const held = await measureHeld(file, boundedQueries(most));
  console.log(
    `\nSixteen at once hold the event loop for ${held.ms.toFixed(1)} ms at most (${held.name}), target 10`,
  );
  if (scim > mostOfScim * tolerance) costly.push('SCIM, userName eq');
  if (values.check && costly.length > 0) {
    console.error(`Too costly: ${costly.join('; ')}`);
    process.exitCode = 1;
  }
  console.log(
    `\nSCIM against /users, one by name: ${scim}, target ${mostOfScim}: ${scim <= mostOfScim ? 'met' : 'MISSED'}`,
  );
  console.log(`\nThe last page against the first: ${end}, target 0.9: ${end >= 0.9 ? 'met' : 'MISSED'}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
