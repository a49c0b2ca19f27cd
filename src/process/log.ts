/** The log: JSON lines on standard output, one after the other whatever number of processes write them. */
import { type Logger, pino } from 'pino';
import { Output, wholeLine } from './output.ts';
import { tell } from './telling.ts';

/** The most bytes that one of JavaScript's characters takes in UTF-8. */
const widest = 3;

const isWhole = (line: string): boolean =>
  line.length * widest <= wholeLine || Buffer.byteLength(line) <= wholeLine;

/** As text, no string in it longer than `length` and no list than a sixteenth of that. */
const shortened = (entry: unknown, length: number): string =>
  JSON.stringify(entry, (_key, value: unknown) => {
    if (typeof value === 'string' && value.length > length) return `${value.slice(0, length)}…`;
    return Array.isArray(value) ? value.slice(0, length / 16) : value;
  });

/** The same line, cut as short as it takes; if need be what is nested is left out. */
function cut(line: string): string {
  const entry: Record<string, unknown> = JSON.parse(line);
  for (let length = wholeLine / 2; length >= 64; length /= 2) {
    const shorter = `${shortened(entry, length)}\n`;
    if (isWhole(shorter)) return shorter;
  }
  const flat = Object.entries(entry).filter(([, value]) => !(value instanceof Object));
  return `${shortened(Object.fromEntries(flat), 64)}\n`;
}

/**
 * A line is written when the call returns, as long as somebody takes it: then none is lost, however the process ends. When nobody
 * does, the log doesn't hold the service up: lines are kept, then dropped, and their number logged when there is room again.
 * Node's own warnings are among its lines from now on.
 */
export function logOf(
  level: string,
  { shared, fd = 1 }: { readonly shared: boolean; readonly fd?: number },
): Logger {
  const out = new Output(fd, {
    onDrop: (code) =>
      tell(`The log is not taken (${code}): its lines are dropped until it is; the service goes on`),
    onRoom: (dropped) => log.warn({ dropped }, 'lines of the log were dropped: it was not taken in time'),
  });
  const log = pino({ level }, { write: (line) => out.write(!shared || isWhole(line) ? line : cut(line)) });
  logWarnings(log);
  return log;
}

/** Node's own warnings become lines of the log; it would write them to standard error, and wait until they are taken. */
function logWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (err) => log.warn({ err }, 'Node warns'));
}
