/** From the start of the process to its first answer that it can serve, with an empty store. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../credentials.ts';
import { median, type Outcome, quotients } from '../result.ts';
import { startServer } from '../server.ts';
import { type Stage, serviceScript } from '../stage.ts';

/** In seconds. */
const target = 0.5;

/** Started in a new folder, and ended again; in seconds. */
async function started(stage: Stage, script: string, env: Settings, path: string): Promise<number> {
  const cwd = mkdtempSync(join(stage.folder, 'start-'));
  const begin = performance.now();
  const server = await startServer(script, cwd, env);
  while (!(await fetch(`${server.url}${path}`)).ok);
  const seconds = (performance.now() - begin) / 1000;
  await server.stop();
  return seconds;
}

export async function start(stage: Stage): Promise<Outcome> {
  const ours: number[] = [];
  const bare: number[] = [];
  const files = { BENCH_ONE: '/dev/null', BENCH_LIST: '/dev/null' };
  for (let round = 0; round <= Math.ceil(stage.rounds / 2); round += 1) {
    const one = await started(stage, 'bench/contestants/bare-koa.js', files, '/users/1');
    const other = await started(stage, serviceScript, stage.credentials.settings.secret, '/health/ready');
    // The first one reads the disk.
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
        rounds: quotients(bare, ours),
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
