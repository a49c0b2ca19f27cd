/** The service's process, or its processes: one that serves, or a primary above workers that do. */
import cluster from 'node:cluster';
import { loadSettings, type Settings } from './config.ts';
import { logOf } from './process/log.ts';
import { withinOpenFiles } from './process/open-files.ts';
import { ignoreMeaningless, onEndSignal } from './process/signals.ts';
import { announce, fail, reasonOf } from './process/telling.ts';

async function runAlone(given: Settings): Promise<void> {
  const { startService } = await import('./process/service.ts');
  const log = logOf(given.logLevel, { shared: false });
  const settings = withinOpenFiles(given, log);
  const { url } = await startService(settings, log).catch((error: unknown) =>
    fail(reasonOf(error, settings)),
  );
  await announce(settings, url);
}

async function runWorkers(given: Settings): Promise<void> {
  const { Primary } = await import('./process/primary.ts');
  const log = logOf(given.logLevel, { shared: true });
  const primary = new Primary(withinOpenFiles(given, log), log);
  onEndSignal((signal) => void primary.end(0, signal));
  await primary.start();
}

async function main(): Promise<void> {
  ignoreMeaningless();
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
