/** Work in the background, such as pruning, step after step. */
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs a step after `first` ms, and again after each pause that it returns, in ms. The timers keep no process alive.
 * @returns stops it, and resolves when no step is running any more
 */
export function repeat(first: number, step: (signal: AbortSignal) => Promise<number>): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    for (let delay = first; ; delay = await step(signal)) {
      await pause(delay, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }
  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
