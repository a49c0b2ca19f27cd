/**
 * `npm run bench -- files`: everybody out into each format and in again, by the program itself, each time in a process of its own; against
 * GET /users of the whole list, and against better-sqlite3 that inserts the same rows, prepared, with their keys and indexes.
 * `--users 20000` takes fewer than a million, `--check` fails where a bound is missed, `--markdown` prints a table for docs/performance.md.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileFormats } from '../src/adapters/formats/file-formats.ts';
import { makeCredentials } from './credentials.ts';
import { fill } from './directory.ts';
import { loadHeaders } from './load.ts';
import { openRival } from './rival-import.ts';
import { runProgram } from './run-program.ts';
import { startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    check: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const users = Number(values.users);

/** `memory` in MiB, at most. */
const bounds = { in: 0.4, out: 0.5, unchanged: 2, memory: 200 };
/** For a table, whose columns and rows take a reading each. */
const tableSeconds = 20;
/** Whose import is held to the rows that were prepared. */
const quickest: readonly string[] = ['jsonl', 'csv'];

const folder = mkdtempSync(join(tmpdir(), 'users-files-'));
const source = join(folder, 'source.db');

interface Ran {
  /** Users a second. */
  readonly rate: number;
  /** MiB, at most. */
  readonly memory: number;
}

async function run(file: string, ...command: string[]): Promise<Ran> {
  const { seconds, memory } = await runProgram(folder, file, command);
  return { rate: users / seconds, memory };
}

/** Users a second of the whole list, by format: the best of three. */
async function measureLists(): Promise<ReadonlyMap<string, number>> {
  const { settings, hs256 } = await makeCredentials(folder);
  const server = await startServer(serviceScript, folder, { ...settings.secret, USERS_SQLITE_FILE: source });
  const rates = new Map<string, number>();
  for (const format of ['json', 'json', 'json', 'xml', 'xml', 'xml']) {
    const begin = performance.now();
    const headers = { ...hs256.headers, ...loadHeaders, accept: `application/${format}` };
    const answer = await fetch(`${server.url}/users`, { headers });
    if (answer.status !== 200 || answer.body === null)
      throw new Error(`the list was answered with ${answer.status}`);
    for await (const _ of answer.body);
    rates.set(format, Math.max(rates.get(format) ?? 0, (users * 1000) / (performance.now() - begin)));
  }
  await server.stop();
  return rates;
}

/** Rows are prepared so many at a time, which takes memory. */
const rivalStep = 20_000;

function measureRival(): number {
  const rival = openRival(join(folder, 'rival.db'));
  let spent = 0;
  for (let from = 0; from < users; from += rivalStep) {
    const insert = rival.prepare(from, Math.min(users, from + rivalStep));
    const begin = performance.now();
    insert();
    spent += performance.now() - begin;
    rmSync(join(folder, `rival.db-from-${from}`), { force: true });
  }
  rival.close();
  rmSync(join(folder, 'rival.db'));
  return (users * 1000) / spent;
}

interface Line {
  readonly what: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

const lines: Line[] = [];
const note = (what: string, value: number, bound: Omit<Line, 'what' | 'value'>): void =>
  void lines.push({ what, value, ...bound });

try {
  console.error(`${users} users …`);
  fill(source, 0, users);
  const lists = await measureLists();
  const rival = measureRival();
  console.error(
    `GET /users: ${[...lists].map(([name, rate]) => `${name} ${rate.toFixed(0)}/s`).join(', ')}; prepared rows: ${rival.toFixed(0)}/s`,
  );
  const rows: string[] = [];
  for (const { name } of fileFormats) {
    const file = join(folder, `users.${name}`);
    const target = join(folder, `from-${name}.db`);
    const out = await run(source, 'export', file);
    const into = await run(target, 'import', file);
    if (name === 'csv') note('csv out: seconds a million', 1e6 / out.rate, { atMost: tableSeconds });
    else
      note(`${name} out ÷ GET /users`, out.rate / (lists.get(name) ?? lists.get('json') ?? 0), {
        atLeast: bounds.out,
      });
    note(
      `${name} in ÷ prepared rows`,
      into.rate / rival,
      quickest.includes(name) ? { atLeast: bounds.in } : {},
    );
    note(`${name}: MiB out`, out.memory, { atMost: bounds.memory });
    note(`${name}: MiB in`, into.memory, { atMost: bounds.memory });
    if (name === 'jsonl') {
      const again = await run(target, 'import', file);
      note('jsonl in again, unchanged ÷ the first time', again.rate / into.rate, {
        atLeast: bounds.unchanged,
      });
    }
    const size = statSync(file).size / users;
    rows.push(
      `| ${name} | ${size.toFixed(0)} | ${out.rate.toFixed(0)} | ${out.memory.toFixed(0)} | ${into.rate.toFixed(0)} | ${into.memory.toFixed(0)} |`,
    );
    console.error(rows.at(-1));
    for (const path of [file, target]) rmSync(path, { force: true });
  }
  if (values.markdown)
    console.log(
      [
        '| format | bytes a user | users/s out | MiB | users/s in | MiB |',
        '| --- | --- | --- | --- | --- | --- |',
        ...rows,
        '',
      ].join('\n'),
    );
  for (const { what, value, atLeast, atMost } of lines) {
    const isMet = value >= (atLeast ?? 0) && value <= (atMost ?? Number.POSITIVE_INFINITY);
    const bound =
      atLeast === undefined ? (atMost === undefined ? '' : `at most ${atMost}: `) : `at least ${atLeast}: `;
    console.log(`${what}: ${value.toFixed(2)}${bound === '' ? '' : `; ${bound}${isMet ? 'met' : 'MISSED'}`}`);
    if (values.check && !isMet) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
