/** `serve`: in one process, or in a primary with workers, and with as many connections as the limit for open files allows. */
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { loadSettings, type Settings } from '../config/settings.ts';
import { openWantedMetrics, serveMetrics } from '../process/metrics-server.ts';
import { openLog } from '../process/output/log.ts';
import { announce, fail, reasonOf } from '../process/output/startup-messages.ts';
import { onEndSignal } from '../process/signals.ts';
import { type CommandLine, exitCodes } from './command-line.ts';

/** Reserved for libraries, threads, the log, keys and the database's files, with some to spare. */
const otherFiles = 64;

/** The usual number of members, each of which gets a pool of connections. */
const replicaSetMembers = 3;

/** The soft limit, which Node raises to the hard limit when it starts. Infinity without a limit. */
function readOpenFilesLimit(): number {
  const limit =
    process.platform === 'linux'
      ? /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
      : readReport();
  return limit === 'unlimited' || limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** Slower than /proc, since the report contains much more. */
function readReport(): string {
  const report = process.report.getReport() as { userLimits?: { open_files: { soft: number | string } } };
  return String(report.userLimits?.open_files.soft ?? 'unlimited');
}

/** However low the limit is, half of it remains for connections. */
function maxConnections({ store, mongodb }: Settings, limit: number): number {
  const reserve = otherFiles + (store === 'mongodb' ? replicaSetMembers * mongodb.maxPoolSize : 0);
  return Math.max(limit - reserve, Math.floor(limit / 2));
}

/** The settings with `connections.max` lowered to the limit for open files. Logs a warning when a higher one was configured. */
function limitConnections(settings: Settings, log: Logger): Settings {
  const { connections } = settings;
  const openFiles = readOpenFilesLimit();
  const most = maxConnections(settings, openFiles);
  if (most === Number.POSITIVE_INFINITY || (connections.max > 0 && connections.max <= most)) return settings;
  if (connections.max > 0)
    log.warn(
      { openFiles, max: most },
      'connections.max is lowered to what the limit for open files (ulimit -n) allows',
    );
  return { ...settings, connections: { ...connections, max: most } };
}

async function runAlone(given: Settings): Promise<void> {
  const { startService } = await import('../process/service.ts');
  const log = await openLog(given.logLevel, { shared: false });
  const settings = limitConnections(given, log);
  const metrics = await openWantedMetrics(settings);
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
