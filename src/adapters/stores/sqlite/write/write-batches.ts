/** Writes a load in transactions that leave room for other processes which write to the same file. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WriteOutcome } from '../../../../domain/ports.ts';
import type { WriterClient } from './writer-client.ts';
import type { Write } from './writer-messages.ts';

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
  writer: Pick<WriterClient, 'isShared' | 'sendTogether'>,
  writes: readonly Write[],
): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = [];
  while (outcomes.length < writes.length) {
    const size = writer.isShared ? inSharedBatch : inBatch;
    const batch = writes.slice(outcomes.length, outcomes.length + size);
    outcomes.push(...(await writer.sendTogether(batch)));
    if (writer.isShared) await pause(gap);
  }
  return outcomes;
}
