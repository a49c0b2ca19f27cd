/** From the start of the process, with an empty store, to its first response that it is ready. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../credentials.ts';
import { divideEach, median, type Outcome } from '../result.ts';
import { startServer } from '../server.ts';
import { type Stage, serviceScript } from '../stage.ts';

/** In seconds. */
const target = 0.5;

/** One start in a new folder, in seconds. */
async function measureStart(stage: Stage, script: string, env: Settings, path: string): Promise<number> {
  const cwd = mkdtempSync(join(stage.folder, 'start-'));
  const begin = performance.now();
  const server = await startServer(script, cwd, env);
  while (!(await fetch(`${server.url}${path}`)).ok);
  const seconds = (performance.now() - begin) / 1000;
  await server.stop();
  return seconds;
}

export async function measureStarts(stage: Stage): Promise<Outcome> {
  const ours: number[] = [];
  const bare: number[] = [];
  const files = { BENCH_ONE: '/dev/null', BENCH_LIST: '/dev/null' };
  for (let round = 0; round <= stage.slowRounds; round += 1) {
    const one = await measureStart(stage, 'bench/contestants/bare-koa.ts', files, '/users/1');
    const other = await measureStart(
      stage,
      serviceScript,
      stage.credentials.settings.secret,
      '/health/ready',
    );
    // Round 0 reads the files from the disk and isn't counted.
    if (round > 0) {
      bare.push(one);
      ours.push(other);
    }
  }
  const [middle, least, most] = [median(ours), Math.min(...ours), Math.max(...ours)].map((s) => s.toFixed(2));
  return {
    ratios: [
      {
        key: 'start/bare',
        what: 'start to first answer, empty SQLite store',
        against: 'bare Koa',
        by: 'time',
        rounds: divideEach(bare, ours),
        note: `bare Koa ${median(bare).toFixed(2)} s`,
      },
    ],
    findings: [
      {
        what: 'start to first answer, empty SQLite store',
        found: `${middle} s (${least}–${most})`,
        target: `${target} s`,
        met: median(ours) <= target,
      },
    ],
  };
}
