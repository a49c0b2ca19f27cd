/** Writes a load in transactions that leave room for other processes which write to the same file. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome, Write } from '../../../../domain/store.ts';
import type { WriterClient } from './writer-client.ts';

/** Writes in a transaction, some 40 ms. More would save nothing. */
const inBatch = 512;

/**
 * While other processes write: some 10 ms, and as long without the lock. SQLite has no queue for the lock: a process that waits polls,
 * finally every 100 ms, and would hardly ever find it free.
 */
const inSharedBatch = 128;
/** In milliseconds. */
const gap = 10;

/** One outcome for each. */
export async function writeBatches(
  writer: Pick<WriterClient, 'isShared' | 'send'>,
  writes: readonly Write[],
): Promise<readonly Outcome[]> {
  // The transactions of requests are shared anyway.
  if (writes.length === 1) return await writer.send(writes);
  const outcomes: Outcome[] = [];
  while (outcomes.length < writes.length) {
    const size = writer.isShared ? inSharedBatch : inBatch;
    const batch = writes.slice(outcomes.length, outcomes.length + size);
    outcomes.push(...(await writer.send(batch)));
    if (writer.isShared) await pause(gap);
  }
  return outcomes;
}
