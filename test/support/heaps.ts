/** What the heaps of a service's processes and threads hold, where tell-heap.ts is preloaded. */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** For `node --import`. */
export const tellHeap = new URL('./tell-heap.ts', import.meta.url).href;

export interface Heap {
  readonly pid: number;
  /** 0 is the main thread. */
  readonly thread: number;
  /** After a garbage collection, with the memory outside the heap that its objects hold. */
  readonly bytes: number;
}

/**
 * By process and thread, in the order of their start.
 * @param folder the service's working folder
 */
export async function readHeaps(folder: string): Promise<Heap[]> {
  const heaps: Heap[] = [];
  for (const name of readdirSync(folder)) {
    const [, pid, thread] = /^heap-(\d+)-(\d+)$/.exec(name) ?? [];
    // One at a time, so that none is slowed down by the garbage of the others.
    if (pid !== undefined)
      heaps.push({
        pid: Number(pid),
        thread: Number(thread),
        bytes: Number(await text(connect(join(folder, name)))),
      });
  }
  return heaps.sort((one, other) => one.pid - other.pid || one.thread - other.thread);
}
