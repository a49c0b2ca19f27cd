/**
 * `npm run bench -- groups`: what groups cost on SQLite and MongoDB, with a million users of whom one group has a tenth. Each row is a ratio of
 * two requests that are sent in turns. `--users 100000` makes the directory smaller, `--store mongodb` measures that store alone,
 * `--match PATCH` only the rows with that in their names, `--markdown` prints for docs/performance.md, and `--check` fails when a
 * ratio is half as much again as it may be. MongoDB is the server at MONGODB_URI, or one that mongodb-memory-server starts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCredentials, type Settings } from './credentials.ts';
import { fill } from './directory.ts';
import { GroupClient } from './group-client.ts';
import { type Comparison, comparisonsOf } from './group-costs.ts';
import { withFilledMongo } from './mongodb-server.ts';
import { formatTable } from './report.ts';
import { median } from './result.ts';
import { tolerance } from './scaled-queries.ts';
import { startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    store: { type: 'string', default: '' },
    match: { type: 'string', default: '' },
    markdown: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const users = Number(values.users);

/** Before anything counts: until then V8 hasn't compiled what runs often. */
const warmUps = 500;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** In ms, of both requests. */
async function measure({ own, other, rounds, before }: Comparison) {
  const times = { own: [] as number[], other: [] as number[] };
  // The first round fills caches.
  for (let round = -1; round < rounds; round += 1)
    for (const which of round % 2 === 0 ? (['own', 'other'] as const) : (['other', 'own'] as const)) {
      await before?.();
      const ms = await timeOf(which === 'own' ? own : other);
      if (round >= 0) times[which].push(ms);
    }
  return { own: median(times.own), other: median(times.other) };
}

const failed: string[] = [];

/** A row of the table. A request that a busy machine refuses fails its row alone: filling again for the others would take long. */
async function compare(store: string, comparison: Comparison): Promise<string[]> {
  const { name, against, times = 1, most = Number.POSITIVE_INFINITY } = comparison;
  process.stderr.write(`${store}: ${name} …\n`);
  try {
    const { own, other } = await measure(comparison);
    const ratio = own / (other * times);
    if (ratio > most * tolerance) failed.push(`${store}: ${name}`);
    return [
      ...[name, own.toPrecision(3), against, (other * times).toPrecision(3)],
      ...[ratio.toFixed(ratio < 0.1 ? 4 : 2), comparison.most === undefined ? '' : String(most)],
      ratio > most ? 'MISSED' : 'met',
    ];
  } catch (error) {
    console.error(error);
    failed.push(`${store}: ${name}`);
    return [name, '', against, '', '', '', 'FAILED'];
  }
}

async function report(store: string, client: GroupClient): Promise<void> {
  for (let count = 0; count < warmUps; count += 1) await client.get('/users?limit=100');
  const rows = [['', 'ms', 'against', 'ms', 'ratio', 'at most', '']];
  for (const comparison of comparisonsOf(client, users))
    if (comparison.name.includes(values.match)) rows.push(await compare(store, comparison));
  console.log(`\n${store}, ${users.toLocaleString('en')} users:\n\n${formatTable(rows, values.markdown)}`);
  console.log(`\n${await client.assertNothingLost()}`);
}

const folder = mkdtempSync(join(tmpdir(), 'users-groups-'));
const { settings, apiKey } = await makeCredentials(folder);

async function serve(store: string, more: Settings): Promise<void> {
  const server = await startServer(serviceScript, folder, { ...settings.secret, ...more });
  try {
    await report(store, await GroupClient.create(server.url, apiKey.headers, users));
  } finally {
    await server.stop();
  }
}

async function onSqlite(): Promise<void> {
  const file = join(folder, 'users.db');
  fill(file, 0, users);
  await serve('SQLite', { USERS_SQLITE_FILE: file });
}

const onMongo = (): Promise<void> =>
  withFilledMongo(users, (uri) => serve('MongoDB', { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri }));

try {
  for (const [name, run] of Object.entries({ sqlite: onSqlite, mongodb: onMongo }))
    if (values.store === '' || values.store === name) await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.check && failed.length > 0) {
  console.error(`Too costly: ${failed.join('; ')}`);
  process.exitCode = 1;
}
