/**
 * Preloaded (`node --import`) into a server: answers the message `cpu` with the CPU time used so far, in microseconds, and `turns` with
 * the CPU time of its main thread in single turns of the event loop since it was last asked.
 *
 * JavaScript: for TypeScript, Node would load a compiler into each thread of the server, some 50 ms of its start.
 */
import cluster from 'node:cluster';

/** In microseconds, of the main thread. CPU time, as other programs of the machine would add to any other. */
function threadTime() {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** @type {number[]} */
let turns = [];
/** @type {number | undefined} */
let last;

function watchTurns() {
  const now = threadTime();
  if (last !== undefined) turns.push(now - last);
  last = now;
  setTimeout(watchTurns, 1).unref();
}

function takeTurns() {
  if (last === undefined) watchTurns();
  const sorted = turns.sort((one, other) => one - other);
  turns = [];
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, most: sorted.at(-1) ?? 0 };
}

// A worker's channel leads to its primary, which doesn't ask.
if (cluster.isPrimary)
  process.on('message', (message) => {
    if (message === 'turns') process.send?.(takeTurns());
    if (message !== 'cpu') return;
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
