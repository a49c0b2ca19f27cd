#!/usr/bin/env node
/**
 * Runs as a worker if a primary started this process, otherwise as the called command.
 *
 * The path of the service continues in `commands/serve.ts` (one process or several), `process/service.ts` (start and shutdown) and
 * `container.ts` (which adapter stands behind which port).
 * A request begins in `adapters/http/app.ts`, which lists its steps. A resource then passes `adapters/apis/resources/index.ts`,
 * `domain/use-cases/users.ts` and `domain/store.ts`; `adapters/stores/memory/store.ts` is the shortest store.
 */
import cluster from 'node:cluster';
import { assertSupportedNode } from './adapters/system/program.ts';
import { ignoreMeaningless } from './process/signals.ts';

async function main(): Promise<void> {
  try {
    assertSupportedNode();
  } catch (cause) {
    console.error((cause as Error).message);
    process.exitCode = 1;
    return;
  }
  ignoreMeaningless();
  if (cluster.worker) {
    const { runWorker } = await import('./process/workers/worker.ts');
    return runWorker(cluster.worker);
  }
  const { runProgram } = await import('./commands/program.ts');
  return runProgram(process.argv.slice(2));
}

await main();
