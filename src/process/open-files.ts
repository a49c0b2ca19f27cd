/** Connections count as open files, whose number the system limits for each process. */
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';

/** Reserved for libraries, threads, the log, keys and the database's files, with some to spare. */
const otherFiles = 64;

/** Each member gets a pool of connections. */
const replicaSetMembers = 3;

/** The soft limit, which Node raises to the hard one at its start. Infinity when there is no limit. */
function readOpenFilesLimit(): number {
  const limit =
    process.platform === 'linux'
      ? /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
      : readReport();
  return limit === 'unlimited' || limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** Slower than /proc, since the report collects much else. */
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
export function limitConnections(settings: Settings, log: Logger): Settings {
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
