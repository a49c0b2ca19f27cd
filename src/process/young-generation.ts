/**
 * V8 lets the young generation of a thread grow to 128 MiB under a load of writes, and keeps it. The limit can be set when a process or a
 * thread starts, but not for the main thread by the program itself: so its growth is ended as soon as it has the size.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** In bytes. With less, garbage is collected noticeably more often. */
const mostYoung = 16 * 2 ** 20;

const youngSize = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

/** Applies to the main thread, and prevents the growth of threads that start afterwards. */
export function limitYoungGeneration(): void {
  const observer = new PerformanceObserver(() => {
    if (youngSize() < mostYoung) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}
