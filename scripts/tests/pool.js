/**
 * Runs test files with mocha in a few processes, each of which takes the next file of a queue.
 *
 * mocha's own `--parallel` names no file when a process crashes, loses its results, and waits for ever when one hangs; a process
 * for each file would cost 1.6 s. So the project has its own processes (worker.js): they report their current test, and this side ends one that
 * stands still, starts another after a crash or a failure, and keeps all results. As in `--parallel`, modules stay loaded
 * from one file to the next.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { caseDeadline } from '../../test/support/deadlines.ts';

const program = new URL('worker.js', import.meta.url);
const bundledThreads = new URL('bundled-threads.js', import.meta.url).href;
const lastLines = (text) => text.trimEnd().split('\n').slice(-40).join('\n');
/** More failures than these do not come from a busy machine. */
const mostAgain = 12;
const running = new Set();
/** Ends a process with everything that it has started. */
const kill = ({ pid }) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
};
process.on('exit', () => running.forEach(kill));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** @param tell called with each event of each file */
function startWorker({ options, env, tell }) {
  const child = fork(program, options, {
    execArgv: [...process.execArgv, '--import', bundledThreads],
    // A separate process group, which can be ended as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Processes and threads load the same modules again and again.
    env: { ...process.env, NODE_COMPILE_CACHE: resolve('build/compile-cache'), ...env },
  });
  running.add(child);
  const ready = once(child, 'message');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece) => {
      output = (output + piece).slice(-20_000);
      tell({ event: 'output', piece });
    });
  // It may come in the same turn as the end.
  const closed = once(child, 'close');
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    kill(child);
    running.delete(child);
    // Waits for its last messages and output; a process outside its group may keep the pipes open.
    const rest = [child.connected && once(child, 'disconnect'), closed];
    const patience = new AbortController();
    const late = setTimeout(5000, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([Promise.all(rest), late]);
    patience.abort();
    return signal ?? `exit code ${code}`;
  });

  /** Resolves when the file's tests have run, or the process has ended. */
  async function run(file) {
    await Promise.race([ready, ended]);
    const began = performance.now();
    const result = { file, passed: 0, pending: 0, missing: [], failures: [], slowest: { ms: 0 } };
    let at = ['before its first test'];
    let limit = caseDeadline;
    let still = 0;
    let hangs = false;
    output = '';
    const over = Promise.withResolvers();
    const hear = (message) => {
      const { event, title, failure } = message;
      if (message.limit > 0) limit = Math.max(caseDeadline, message.limit);
      if (event === 'beat') return;
      still = 0;
      if (event === 'begin') at = title;
      if (event === 'pass') result.passed += 1;
      if (event === 'pass' && message.ms > result.slowest.ms) result.slowest = { ms: message.ms, title };
      if (event === 'pending') result.pending += 1;
      if (message.tool !== undefined) result.missing.push(message.tool);
      if (event === 'fail') result.failures.push(failure);
      if (event === 'end') over.resolve(message.failures);
      else tell(message);
    };
    // Turns are counted, not time: when the machine stood still, messages are read before the next one.
    const turn = caseDeadline / 40;
    const watch = setInterval(() => {
      still += 1;
      hangs = still * turn > 1.25 * limit;
      if (hangs) kill(child);
    }, turn);
    child.on('message', hear);
    child.send(file, () => undefined);
    const failures = await Promise.race([over.promise, ended]);
    clearInterval(watch);
    child.off('message', hear);
    const fail = (text) => hear({ event: 'fail', failure: { title: at, text } });
    if (Array.isArray(failures)) result.failures = failures;
    else if (hangs) fail(`hangs: nothing happened in ${Math.round((still * turn) / 1000)} s`);
    else fail(`crashes: its process ended by ${failures}`);
    if (result.failures.length > 0) result.output = lastLines(output);
    return { ...result, seconds: (performance.now() - began) / 1000 };
  }

  async function end() {
    if (child.connected) child.disconnect();
    const patience = new AbortController();
    const tooLate = setTimeout(10_000, child, { signal: patience.signal });
    tooLate.then(kill, () => undefined);
    await ended;
    patience.abort();
  }
  return { run, end };
}

/**
 * Runs every file once and, with `again`, failed files once more, alone, at the end: something may have been wrong with the
 * machine.
 * @param more `{ processes, again, options, env, tell }`: the number of processes; options of mocha; additions to the environment
 * @returns a result of each file; `first` is the result of a failed first try
 */
export async function runFiles(files, { processes, again, ...more }) {
  const results = new Map();
  const work = async (queue) => {
    let worker;
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      worker ??= startWorker(more);
      const result = await worker.run(file);
      const first = results.get(file);
      results.set(file, first === undefined ? result : { ...result, first });
      more.tell({ event: 'file', result });
      if (result.failures.length === 0) continue;
      // A failed file may have left something behind.
      await worker.end();
      worker = undefined;
    }
    await worker?.end();
  };
  const queue = [...files];
  await Promise.all(Array.from({ length: processes }, () => work(queue)));
  const failed = [...results.values()].filter(({ failures }) => failures.length > 0);
  if (again) for (const { file } of failed.slice(0, mostAgain)) await work([file]);
  return [...results.values()];
}
