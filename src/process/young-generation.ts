/**
 * V8 lets the young generation of a thread grow to 128 MiB under a load of writes, and keeps it. The limit can be set when a process or a
 * thread starts, but not for the main thread by the program itself.
 */

import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** In bytes. With less, garbage is collected noticeably more often. */
export const mostYoung = 16 * 2 ** 20;

/** In bytes, of this thread. */
export const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

/**
 * Ends the growth of the main thread's young generation at `mostYoung`, and lets it grow again when V8 has shrunk it, as it does in idle times. The
 * flag is that of the process, so other threads do not grow meanwhile.
 */
export function limitYoungGeneration(): void {
  let mayGrow = true;
  const observer = new PerformanceObserver(() => {
    const isSmall = youngSize() < mostYoung;
    if (isSmall === mayGrow) return;
    mayGrow = isSmall;
    // 2 is V8's default.
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  });
  observer.observe({ entryTypes: ['gc'] });
}
