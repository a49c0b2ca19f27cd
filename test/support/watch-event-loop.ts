/** Preloaded (`node --import`) into a service that is watched: tells on SIGUSR2 how long its event loop was held at most since the last time. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 1;
const histogram = monitorEventLoopDelay({ resolution });
histogram.enable();
let asked = 0;

function tell(): void {
  asked += 1;
  const held = Math.max(0, histogram.max / 1e6 - resolution);
  const { rss } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ asked, held, rss })}\n`);
  histogram.reset();
}

// The last time that it was held is only known when its timers have run again.
process.on('SIGUSR2', () => setTimeout(tell, 2 * resolution));
