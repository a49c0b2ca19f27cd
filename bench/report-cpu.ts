/** Preloaded (`node --import`) into a server that is measured: says, when asked, what CPU time it has used up to now. */
import cluster from 'node:cluster';

// A worker's channel is its primary's, which asks nothing of the kind.
if (cluster.isPrimary)
  process.on('message', (message) => {
    if (message !== 'cpu') return;
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
