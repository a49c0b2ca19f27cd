/** Preloaded (`node --import`) into a server: answers the message `cpu` with the CPU time used so far, in microseconds. */
import cluster from 'node:cluster';

// A worker's channel leads to its primary, which doesn't ask.
if (cluster.isPrimary)
  process.on('message', (message) => {
    if (message !== 'cpu') return;
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
