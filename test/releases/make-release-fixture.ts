/**
 * Lets a release make the stores of its fixtures, and records what it answers, once: build the release in a work tree of its own
 * (`git worktree add FOLDER TAG`, there `npm ci` and `npm run build`), then
 * `npx node test/releases/make-release-fixture.ts 1.0 FOLDER/dist/main.js`, with a mongod as for the tests. It overwrites nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeVersion } from '../adapters/contracts/frozen.ts';
import { aDatabase, type TestDatabase } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, type Environment, run, startProcess } from '../support/process.ts';
import { aToken, tokenSettings } from '../support/service.ts';
import {
  type RecordedRead,
  readsFile,
  releasesFolder,
  type StoreKind,
  storeFiles,
  storeKinds,
} from './fixture.ts';
import { dumpOf, printDump } from './mongodb-dump.ts';
import { readAll } from './read-all.ts';
import { copied, imported, writes } from './writes.ts';

const [release = '', given = ''] = process.argv.slice(2);
const program = resolve(given);

const envOf = (kind: StoreKind, folder: string, { uri }: TestDatabase): Environment => ({
  ...tokenSettings,
  USERS_STORE: kind,
  USERS_SQLITE_FILE: join(folder, 'users.db'),
  USERS_MONGODB_URI: uri,
});

async function command(words: readonly string[], folder: string, env: Environment): Promise<void> {
  const { code, told } = await run(words, folder, env, { program });
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${told.join('\n')}`);
}

async function importInto(folder: string, env: Environment, users: string): Promise<void> {
  const file = join(folder, 'imported.jsonl');
  writeFileSync(file, users);
  await command(['import', file], folder, env);
}

async function sendWrites(url: string): Promise<void> {
  for (const { client, method, target, type, body } of writes) {
    const Authorization = `Bearer ${await aToken(undefined, '1h', client)}`;
    const headers = { Authorization, ...(type !== undefined && { 'Content-Type': type }) };
    const response = await fetch(url + target, { method, headers, ...(body !== undefined && { body }) });
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${await response.text()}`);
  }
}

/** Fills the store by each way in, and resolves with what the release answers then. */
async function fill(
  kind: StoreKind,
  folder: string,
  database: TestDatabase,
): Promise<readonly RecordedRead[]> {
  const env = envOf(kind, folder, database);
  const serve = () => startProcess({ folder, env, surroundings: { program } });
  const writing = await serve();
  await sendWrites(writing.url);
  await writing.stop();
  await importInto(folder, env, imported);
  const other = kind === 'sqlite' ? 'mongodb' : 'sqlite';
  const away = { folder: aDataFolder(), database: await aDatabase() };
  const from = envOf(other, away.folder, away.database);
  await importInto(away.folder, from, copied);
  const both =
    kind === 'sqlite'
      ? { ...env, USERS_MONGODB_URI: away.database.uri }
      : { ...from, USERS_MONGODB_URI: database.uri };
  await command(['copy', '--from', other, '--to', kind, '--again'], folder, both);
  await away.database.drop();
  const reading = await serve();
  const recorded = await readAll(reading.url);
  await reading.stop();
  return recorded;
}

const printReads = (reads: readonly RecordedRead[]): string =>
  `[\n${reads.map((read) => JSON.stringify(read)).join(',\n')}\n]\n`;

const recorded = new Map<StoreKind, readonly RecordedRead[]>();
const folder = aDataFolder();
const database = await aDatabase();
for (const kind of storeKinds) recorded.set(kind, await fill(kind, folder, database));
const backup = join(folder, 'backup.db');
await command(['backup', backup], folder, envOf('sqlite', folder, database));

const zipped = (content: string | Uint8Array): Buffer => gzipSync(content, { level: 9 });
writeVersion(releasesFolder, release, {
  [storeFiles.sqlite]: zipped(readFileSync(backup)),
  [storeFiles.mongodb]: zipped(printDump(await dumpOf(database.client.db()))),
  ...Object.fromEntries([...recorded].map(([kind, reads]) => [readsFile(kind), zipped(printReads(reads))])),
});
await database.drop();
await discardProcesses();
process.exit();
