/**
 * usage: node .ci/try-package.js PROGRAM. In the working directory: checks, serves, asks, backs up under 32 writers, exports and imports, by the
 * installed program alone, and without any module of the project's.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [program = ''] = process.argv.slice(2);
const env = { ...process.env, USERS_PORT: '0' };

/** Its output. */
function run(args, more = {}) {
  const child = spawn(program, args, { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const name of Object.keys(texts)) child[name].on('data', (chunk) => (texts[name] += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })));
}

async function succeed(args, more) {
  const { code, stdout, stderr } = await run(args, more);
  assert.equal(code, 0, `${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}

/** With the URL it listens on. */
async function serve() {
  const child = spawn(program, ['serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^Listening on (\S+)\/users$/.exec(line)?.[1];
    if (url !== undefined) return { url, stop: () => child.kill('SIGTERM') && ended };
  }
  throw new Error(`it did not start, and ended with ${await ended}`);
}

const { version } = JSON.parse(readFileSync('node_modules/user-management/package.json', 'utf8'));
assert.equal((await succeed(['--version'])).trim(), version);
assert.doesNotMatch(await succeed(['check']), /^fault/m);

const service = await serve();
const contract = await fetch(`${service.url}/schemas/1.12/openapi.json`);
assert.equal((await contract.json()).info.version, '1.12.0');
const token = (await succeed(['token', '--scope', 'users:read users:write'])).trim();
const authorization = `Bearer ${token}`;
const post = (type, body) =>
  fetch(`${service.url}/users`, { method: 'POST', headers: { authorization, 'content-type': type }, body });

/** Those whose creation was answered. */
const answered = [];
async function create(name) {
  const isXml = answered.length % 2 === 0;
  const body = isXml
    ? `<user xmlns="urn:user-management:1"><userName>${name}</userName></user>`
    : JSON.stringify({ userName: name });
  const response = await post(isXml ? 'application/xml' : 'application/json', body);
  assert.equal(response.status, 201, await response.text());
  answered.push(name);
}

for (let at = 0; at < 200; at += 1) await create(`before-${at}`);
let isMade = false;
const writers = Array.from({ length: 32 }, async (_, writer) => {
  for (let at = 0; !isMade; at += 1) await create(`during-${writer}-${at}`);
});
const before = [...answered];
await succeed(['backup', 'backup.db']);
isMade = true;
await Promise.all(writers);
await succeed(['backup', '--verify', 'backup.db']);

/** The names in a file of users, by the program's own export. */
async function namesIn(file) {
  const lines = await succeed(['export', '--format', 'jsonl', '-'], { USERS_SQLITE_FILE: file });
  return new Set(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).userName),
  );
}

const inBackup = await namesIn('backup.db');
assert.deepEqual(
  before.filter((name) => !inBackup.has(name)),
  [],
  'answered before the backup, and not in it',
);
const all = await namesIn('data/users.db');
assert.deepEqual(
  answered.filter((name) => !all.has(name)),
  [],
);

for (const format of ['jsonl', 'json', 'xml', 'csv']) {
  await succeed(['export', `users.${format}`]);
  await succeed(['import', `users.${format}`], { USERS_SQLITE_FILE: `from-${format}.db` });
  assert.deepEqual(await namesIn(`from-${format}.db`), all, format);
}
assert.equal(await service.stop(), 0);
console.log(
  `${version}: ${inBackup.size} users in the backup, ${before.length} of them answered before it; ${all.size} out and in again`,
);
