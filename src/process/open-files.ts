/** Connections are files to the system, and it limits how many a process may have open. */
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Settings } from '../config.ts';

/** What a process has open besides, with some to spare: libraries, threads, the log, keys, the database's files. */
const besides = 64;

/** A replica set's members, each of which gets a pool of connections. */
const members = 3;

/** The soft limit, which Node has raised to the hard one. Infinity when there is none. */
function openFilesLimit(): number {
  const limit =
    process.platform === 'linux'
      ? /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
      : reported();
  return limit === 'unlimited' || limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** Slower, since it collects much else. */
function reported(): string {
  const report = process.report.getReport() as { userLimits?: { open_files: { soft: number | string } } };
  return String(report.userLimits?.open_files.soft ?? 'unlimited');
}

/** How many connections a process has room for. However low the limit, half of it is for them. */
function room({ store, mongodb }: Settings, limit: number): number {
  const reserve = besides + (store === 'mongodb' ? members * mongodb.maxPoolSize : 0);
  return Math.max(limit - reserve, Math.floor(limit / 2));
}

/** The settings with `connections.max` as low as the limit for open files demands; said in the log when it had been given higher. */
export function withinOpenFiles(settings: Settings, log: Logger): Settings {
  const { connections } = settings;
  const openFiles = openFilesLimit();
  const most = room(settings, openFiles);
  if (most === Number.POSITIVE_INFINITY || (connections.max > 0 && connections.max <= most)) return settings;
  if (connections.max > 0)
    log.warn(
      { openFiles, max: most },
      'connections.max is lowered to what the limit for open files (ulimit -n) allows',
    );
  return { ...settings, connections: { ...connections, max: most } };
}
