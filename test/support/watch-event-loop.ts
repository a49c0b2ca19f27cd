/**
 * Preloaded (`node --import`) into a service that is watched: tells on SIGUSR2 how long its event loop was held at most since the last
 * time. Time in which the process had no processor isn't counted: then something else on the machine was at work.
 */
const resolution = 1;
let asked = 0;
let longest = 0;
let last = performance.now();
let lastUsed = process.cpuUsage();

function look(): void {
  const [now, used] = [performance.now(), process.cpuUsage(lastUsed)];
  // All threads' time: it may be more than has passed.
  const worked = (used.user + used.system) / 1000;
  longest = Math.max(longest, Math.min(now - last - resolution, worked));
  last = now;
  lastUsed = process.cpuUsage();
}
setInterval(look, resolution).unref();

function tell(): void {
  asked += 1;
  const { rss } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ asked, held: longest, rss })}\n`);
  longest = 0;
}

// The last time that it was held is only known when its timers have run again.
process.on('SIGUSR2', () => setTimeout(tell, 2 * resolution));
