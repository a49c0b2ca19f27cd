/** `serve`: in one process, or in a primary with workers. */
import { loadSettings, type Settings } from '../config/settings.ts';
import { openMetrics, serveMetrics } from '../process/metrics-server.ts';
import { limitConnections } from '../process/open-files.ts';
import { openLog } from '../process/output/log.ts';
import { announce, fail, reasonOf } from '../process/output/startup-messages.ts';
import { onEndSignal } from '../process/signals.ts';
import { type CommandLine, exitCodes } from './command-line.ts';

async function runAlone(given: Settings): Promise<void> {
  const { startService } = await import('../process/service.ts');
  const log = await openLog(given.logLevel, { shared: false });
  const settings = limitConnections(given, log);
  const metrics = await openMetrics(settings);
  const start = async () => {
    if (metrics !== undefined) await serveMetrics(settings.metrics, metrics.print, log);
    return startService(settings, log, { observers: metrics === undefined ? [] : [metrics.observer] });
  };
  const { url } = await start().catch((error: unknown) => fail(reasonOf(error, settings)));
  await announce(settings, url);
}

async function runWorkers(given: Settings): Promise<void> {
  const { Primary } = await import('../process/workers/primary.ts');
  const log = await openLog(given.logLevel, { shared: true });
  const primary = new Primary(limitConnections(given, log), log);
  onEndSignal((signal) => void primary.end(0, signal));
  await primary.start();
}

async function serve(): Promise<void> {
  const settings = await loadSettings().catch((error: unknown) => fail(reasonOf(error)));
  return settings.workers === 1 ? runAlone(settings) : runWorkers(settings);
}

export function register(command: CommandLine): void {
  command
    .describeExitCodes({
      [exitCodes.done]: 'ended by a signal, after answering all requests',
      [exitCodes.failed]: 'could not start, or failed while running',
    })
    .action(serve);
}
