#!/usr/bin/env node
/** The program's processes: a worker, below a primary that it was started by, or else the command that it was called with. */
import cluster from 'node:cluster';
import { ignoreMeaningless } from './process/signals.ts';

async function main(): Promise<void> {
  ignoreMeaningless();
  if (cluster.worker) {
    const { runWorker } = await import('./process/worker.ts');
    return runWorker(cluster.worker);
  }
  const { runProgram } = await import('./commands/program.ts');
  return runProgram(process.argv.slice(2));
}

await main();
