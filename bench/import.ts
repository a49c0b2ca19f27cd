/**
 * `npm run bench -- import`: how quickly users come into SQLite, against better-sqlite3 that inserts the same prepared rows, with their keys
 * and indexes, in batches. Both fill a file of their own, in turns, so that other work of the machine affects them alike.
 * `--users 20000` takes fewer, `--check` fails where a bound is missed.
 */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ImportRow } from '../src/domain/import/import-options.ts';
import { importResources } from '../src/domain/import/import-resources.ts';
import { userDefinition } from '../test/support/kinds.ts';
import { openSqliteStore, targetOf } from '../test/support/stores.ts';
import type { UserStore } from '../test/support/verbs.ts';
import { userAt } from './directory.ts';
import { divideEach, median } from './result.ts';
import { openRival } from './rival-import.ts';
import { measureThreads, type Work } from './threads.ts';

const { values } = parseArgs({
  options: { users: { type: 'string', default: '200000' }, check: { type: 'boolean', default: false } },
});
const rounds = 10;
const inRound = Math.ceil(Number(values.users) / rounds);

const bounds = { first: 0.4, unchanged: 2 };

async function* rowsOf(from: number, to: number): AsyncGenerator<readonly ImportRow[]> {
  for (let first = from; first < to; first += 256)
    yield Array.from({ length: Math.min(256, to - first) }, (_, at) => ({
      value: userAt(first + at),
      violations: [],
    }));
}

/** Made before it is measured: what a reader of files gives. */
async function prepare<T>(batches: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const all: T[] = [];
  for await (const batch of batches) all.push(batch);
  return (async function* () {
    yield* all;
  })();
}

async function runImport(store: UserStore, from: number, wanted: 'created' | 'unchanged'): Promise<Work> {
  const rows = await prepare(rowsOf(from, from + inRound));
  return measureThreads(async () => {
    const counts = await importResources(targetOf(store), rows, {
      clock: { now: () => new Date() },
      ids: { id: randomUUID, version: randomUUID },
      kind: userDefinition.kind,
      mode: 'create',
      match: 'id',
      keepMeta: false,
      by: { client: 'bench', via: 'import' },
      onReject: (_, violations) => {
        throw new Error(`refused: ${JSON.stringify(violations)}`);
      },
    });
    if (counts[wanted] !== inRound) throw new Error(`not ${wanted}: ${JSON.stringify(counts)}`);
  });
}

const rateOf = ({ wall }: Work): number => inRound / wall;
/** What it would be with a core for each thread. */
const rateByCpu = ({ busiest }: Work): number => inRound / busiest;

function report(what: string, ours: readonly Work[], others: readonly Work[], bound: number): void {
  const wall = median(divideEach(ours.map(rateOf), others.map(rateOf)));
  const cpu = median(divideEach(ours.map(rateByCpu), others.map(rateByCpu)));
  const verdict = wall >= bound ? 'met' : 'MISSED';
  const rates = `${median(ours.map(rateOf)).toFixed(0)}/s against ${median(others.map(rateOf)).toFixed(0)}/s`;
  console.log(
    `${what}: ${wall.toFixed(2)} (by the busiest thread's CPU ${cpu.toFixed(2)}), ${rates}; at least ${bound}: ${verdict}`,
  );
  if (values.check && wall < bound) process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'users-import-'));
try {
  const store = await openSqliteStore({
    file: join(folder, 'ours.db'),
    onFatal: (cause) => {
      throw cause;
    },
  });
  const rival = openRival(join(folder, 'rival.db'));
  const [first, others, again]: [Work[], Work[], Work[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const from = round * inRound;
    const insert = rival.prepare(from, from + inRound);
    others.push(await measureThreads(async () => insert()));
    first.push(await runImport(store, from, 'created'));
  }
  for (let round = 0; round < rounds; round += 1)
    again.push(await runImport(store, round * inRound, 'unchanged'));
  rival.close();
  await store.close();
  const each = (part: (work: Work) => number) =>
    first.map((work) => ((part(work) * 1e6) / inRound).toFixed(0)).join(' ');
  console.log(
    `CPU µs a user, by round: main ${each(({ main }) => main)}; busiest ${each(({ busiest }) => busiest)}`,
  );
  report('users imported, against prepared rows', first, others, bounds.first);
  report('the same again, unchanged, against the first time', again, first, bounds.unchanged);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
