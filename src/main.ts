/** The service's process, or its processes: one that serves, or a primary above workers that do. */
import cluster from 'node:cluster';
import { loadSettings, type Settings } from './config.ts';
import { logOf } from './process/log.ts';
import { announce, fail, reasonOf } from './process/telling.ts';

async function runAlone(settings: Settings): Promise<void> {
  const { startService } = await import('./process/service.ts');
  const log = logOf(settings.logLevel, { shared: false });
  const { url } = await startService(settings, log).catch((error: unknown) =>
    fail(reasonOf(error, settings)),
  );
  await announce(settings, url);
}

async function runWorkers(settings: Settings): Promise<void> {
  const { Primary } = await import('./process/primary.ts');
  const primary = new Primary(settings, logOf(settings.logLevel, { shared: true }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void primary.end(0, signal));
  await primary.start();
}

async function main(): Promise<void> {
  if (cluster.worker) {
    const { runWorker } = await import('./process/worker.ts');
    return runWorker(cluster.worker);
  }
  const [argument] = process.argv.slice(2);
  if (argument !== undefined)
    fail(`it takes no arguments, such as ${argument}: settings are environment variables and files`);
  const settings = await loadSettings().catch((error: unknown) => fail(reasonOf(error)));
  return settings.workers === 1 ? runAlone(settings) : runWorkers(settings);
}

await main();
