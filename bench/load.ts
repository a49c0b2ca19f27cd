/** Load on a server, by wrk in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections?: number;
  /** Requests that differ, by the marks that load.lua knows; the path is the URL's. */
  readonly vary?: { readonly method: 'POST' | 'PUT'; readonly body: string };
}

export interface Done {
  readonly requests: number;
  readonly perSecond: number;
  /** Of the time from request to answer, in ms; infinite when none came. */
  readonly p99: number;
}

/** For `fetch`, which would ask for compressed answers: what wrk asks for, so that both get the same. */
export const asLoad = { 'accept-encoding': 'identity' };

const script = fileURLToPath(new URL('../../bench/load.lua', import.meta.url));
let runs = 0;

function variables({ url, vary }: Load): Record<string, string> {
  if (vary === undefined) return {};
  runs += 1;
  // Braces in a URL would be escaped on the way.
  const path = decodeURI(new URL(url).pathname);
  const run = `${process.pid}-${runs}`;
  return { BENCH_METHOD: vary.method, BENCH_PATH: path, BENCH_BODY: vary.body, BENCH_RUN: run };
}

/** @throws Error when any answer is an error: what was measured would be something else */
export async function load(what: Load, seconds: number): Promise<Done> {
  const { url, headers, connections = 16 } = what;
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  // wrk counts whole seconds; it ends early, and tells what it has, when interrupted.
  const limit = `${Math.ceil(seconds) + 1}s`;
  const child = spawn(
    'wrk',
    ['-t1', `-c${connections}`, `-d${limit}`, '-s', script, ...fields, new URL(url).href],
    { env: { ...process.env, ...variables(what) }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const printed: string[] = [];
  const lines = createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
  const closed = once(lines, 'close');
  // Its first words: only from then on does it understand an interruption.
  await Promise.race([once(lines, 'line'), closed]);
  await after(seconds * 1000);
  child.kill('SIGINT');
  await closed;
  const report = printed.find((line) => line.startsWith('{'));
  if (report === undefined) throw new Error(`wrk ended without a report: ${url}`);
  const { requests, microseconds, refused, broken, p99 } = JSON.parse(report);
  if (refused > 0 || broken > 0)
    throw new Error(`${url}: ${requests} answers, ${refused} of them errors, ${broken} broken connections`);
  return {
    requests,
    perSecond: (requests * 1e6) / microseconds,
    p99: requests === 0 ? Infinity : p99 / 1000,
  };
}
