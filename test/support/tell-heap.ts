/**
 * Preloaded (`node --import`) into a service: each of its processes, and each thread of those, answers at a socket of its own in the
 * working folder with what its heap holds.
 */
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { threadId } from 'node:worker_threads';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** A first collection has finalizers run, and what they release goes with the next. In ms: a socket's end takes a turn or two. */
const passes = 3;
const pause = 20;

async function tellHeap(): Promise<string> {
  for (let pass = 0; pass < passes; pass += 1) {
    await delay(pause);
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return String(heapUsed + external);
}

createServer((socket) => {
  socket.on('error', () => socket.destroy());
  void tellHeap().then((text) => socket.end(text));
})
  // Exclusive: otherwise a worker of a cluster would have its primary listen.
  .listen({ path: `heap-${process.pid}-${threadId}`, exclusive: true })
  .unref();
