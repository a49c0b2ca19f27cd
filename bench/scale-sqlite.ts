/**
 * `npm run bench:scale-sqlite`: the service on SQLite with a thousand users, ten thousand, a hundred thousand, a million.
 * One file, filled further each time. `-- --users 10000` stops there, `-- --markdown` prints for docs/performance.md.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseListQuery } from '../src/adapters/apis/users/list-query.ts';
import { type Headers, makeCredentials, type Settings } from './credentials.ts';
import { fill, idOf } from './directory.ts';
import { load } from './load.ts';
import { table } from './report.ts';
import { median, quotients } from './result.ts';
import { warm } from './rounds.ts';
import { drain } from './scenarios/lists.ts';
import { memory, type Server, startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const { values } = parseArgs({
  options: { users: { type: 'string', default: '1000000' }, markdown: { type: 'boolean', default: false } },
});
const most = Number(values.users);
const sizes = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= most);

const pageSize = 100;
const rounds = 7;
/** Of a round. */
const seconds = 0.5;

/** What is asked of a directory of `users`, by what it is called in the table. */
const questions = (users: number): Readonly<Record<string, string>> => ({
  'point read': `/${idOf(Math.floor(users / 2))}`,
  'first page': `?limit=${pageSize}`,
  'last page': `?${parseListQuery(`limit=${pageSize}`).nextQuery(idOf(users - pageSize - 1))}`,
  'userName=': `?userName=ada-${users - 7}`,
  'role=, a page of all': `?role=reader&limit=${pageSize}`,
  'role= and externalId=': `?role=reader&externalId=personnel-${users - 7}`,
});

/** By question, the server's microseconds of CPU time for an answer, by round. */
async function asked(server: Server, headers: Headers, users: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (const query of Object.values(questions(users)))
    await warm({ url: `${server.url}/users${query}`, headers }, 1000);
  for (let round = 0; round < rounds; round += 1)
    for (const [name, query] of Object.entries(questions(users))) {
      const before = await server.cpu();
      const { requests } = await load({ url: `${server.url}/users${query}`, headers }, seconds);
      if (requests === 0) throw new Error(`${name}: no answer`);
      times.set(name, [...(times.get(name) ?? []), ((await server.cpu()) - before) / requests]);
    }
  return times;
}

async function started(folder: string, settings: Settings): Promise<{ server: Server; seconds: number }> {
  const begin = performance.now();
  const server = await startServer(serviceScript, folder, settings);
  while (!(await fetch(`${server.url}/health/ready`)).ok);
  return { server, seconds: (performance.now() - begin) / 1000 };
}

const ratio = (over: readonly number[] = [], under: readonly number[] = []): string =>
  median(quotients(over, under)).toFixed(2);

/** A column of the table: what stands beside each name. */
async function column(
  file: string,
  users: number,
  folder: string,
  headers: Headers,
  settings: Settings,
): Promise<Map<string, string>> {
  const { server, seconds: start } = await started(folder, settings);
  try {
    const idle = memory(server.pid, 'VmRSS');
    const times = await asked(server, headers, users);
    const loaded = memory(server.pid, 'VmRSS');
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
      ['first page ÷ last page', ratio(times.get('first page'), times.get('last page'))],
      ['whole list, users/s', ((users * 1000) / ms).toFixed(0)],
      ['start to first answer, s', start.toFixed(2)],
      ['memory at start, MiB', String(idle)],
      ['memory under these reads, MiB', String(loaded)],
      ['memory at most, whole lists included, MiB', String(memory(server.pid, 'VmHWM'))],
      ['file, MB', (statSync(file).size / 1e6).toFixed(1)],
    ]);
  } finally {
    await server.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'users-scale-'));
try {
  const { settings, apiKey } = await makeCredentials(folder);
  const file = join(folder, 'users.db');
  const columns: Map<string, string>[] = [];
  let filled = 0;
  for (const size of sizes) {
    process.stderr.write(`${size} users …\n`);
    fill(file, filled, size);
    filled = size;
    columns.push(
      await column(file, size, folder, apiKey.headers, { ...settings.secret, USERS_SQLITE_FILE: file }),
    );
  }
  const names = [...(columns[0]?.keys() ?? [])];
  const head = ['users', ...sizes.map((size) => size.toLocaleString('en'))];
  console.log(
    table(
      [head, ...names.map((name) => [name, ...columns.map((each) => each.get(name) ?? '')])],
      values.markdown,
    ),
  );
  const end = Number(columns.at(-1)?.get('first page ÷ last page'));
  console.log(`\nThe last page against the first: ${end}, target 0.9: ${end >= 0.9 ? 'met' : 'MISSED'}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
