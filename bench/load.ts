/** Loads a server by wrk, which runs in its own process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections?: number;
  /** For requests that differ by load.lua's placeholders; the path is the URL's. */
  readonly vary?: { readonly method: 'POST' | 'PUT'; readonly body: string };
}

interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** From request to response, in ms; infinite without any response. */
  readonly p99: number;
}

/** For `fetch`, which would accept compressed responses: as wrk sends it, so that both get the same. */
export const loadHeaders = { 'accept-encoding': 'identity' };

const script = fileURLToPath(new URL('./load.lua', import.meta.url));
let runs = 0;

function variables({ url, vary }: Load): Record<string, string> {
  if (vary === undefined) return {};
  runs += 1;
  // The URL's braces are escaped, and load.lua needs them as they were.
  const path = decodeURI(new URL(url).pathname);
  const run = `${process.pid}-${runs}`;
  return { BENCH_METHOD: vary.method, BENCH_PATH: path, BENCH_BODY: vary.body, BENCH_RUN: run };
}

/** @throws Error when any response is an error, since something else would be measured */
export async function load(what: Load, seconds: number): Promise<LoadResult> {
  const { url, headers, connections = 16 } = what;
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  // wrk counts whole seconds. When interrupted it ends early and reports what it has measured.
  const limit = `${Math.ceil(seconds) + 1}s`;
  const child = spawn(
    'wrk',
    // wrk counts an answer that takes longer than its time-out, 2 s by default, as a broken connection; here it shows in p99.
    ['-t1', `-c${connections}`, `-d${limit}`, '--timeout', '30s', '-s', script, ...fields, new URL(url).href],
    { env: { ...process.env, ...variables(what) }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const printed: string[] = [];
  const lines = createInterface({ input: child.stdout }).on('line', (line) => printed.push(line));
  const closed = once(lines, 'close');
  // wrk handles an interruption only from its first line on.
  await Promise.race([once(lines, 'line'), closed]);
  await delay(seconds * 1000);
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
