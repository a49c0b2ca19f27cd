/** The log: JSON lines on standard output, which several processes may write without mixing them; on a terminal, lines for people. */
import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import { atomicWriteBytes, Output } from './output.ts';
import { printLine } from './startup-messages.ts';

/** Of UTF-8, for one UTF-16 code unit. */
const maxBytesPerUnit = 3;

const isAtomic = (line: string): boolean =>
  line.length * maxBytesPerUnit <= atomicWriteBytes || Buffer.byteLength(line) <= atomicWriteBytes;

/** A request's own line: pino prints the message last. */
const isOfRequest = (line: string): boolean => line.endsWith('"msg":"request"}\n');

/** As JSON, with strings of at most `length` and lists of at most a sixteenth of it. */
const shorten = (entry: unknown, length: number): string =>
  JSON.stringify(entry, (_key, value: unknown) => {
    if (typeof value === 'string' && value.length > length) return `${value.slice(0, length)}…`;
    return Array.isArray(value) ? value.slice(0, length / 16) : value;
  });

/** Shortens strings and lists until the line is atomic; if that isn't enough, leaves out nested values. */
function truncateLine(line: string): string {
  const entry: Record<string, unknown> = JSON.parse(line);
  for (let length = atomicWriteBytes / 2; length >= 64; length /= 2) {
    const shorter = `${shorten(entry, length)}\n`;
    if (isAtomic(shorter)) return shorter;
  }
  const flat = Object.entries(entry).filter(([, value]) => !(value instanceof Object));
  return `${shorten(Object.fromEntries(flat), 64)}\n`;
}

export interface LogOptions {
  /** Other processes write to the same output, so longer lines than a pipe takes at once are truncated. */
  readonly shared: boolean;
  readonly fd?: number;
  /** Formats a line of JSON as it is written. */
  readonly print?: (line: string) => string;
}

/** For people, on a terminal. */
export async function openLog(level: string, options: LogOptions): Promise<Logger> {
  if (!isatty(options.fd ?? 1)) return makeLogger(level, options);
  const { prettyLines } = await import('./pretty-lines.ts');
  return makeLogger(level, { ...options, print: prettyLines() });
}

/**
 * While the reader keeps up, a line is written when the call returns, so that none is lost however the process ends, and what another
 * process logs about it comes behind it. Only the lines of requests are written together at the end of each turn of the event loop: a
 * process that is killed loses those of one turn. A slow reader doesn't hold the service up: lines are queued, then dropped, and their
 * number is logged when there is room again. Node's own warnings are logged from now on.
 */
export function makeLogger(level: string, { shared, fd = 1, print = (line) => line }: LogOptions): Logger {
  const out = new Output(fd, {
    onDrop: (code) =>
      printLine(`The log is not taken (${code}): its lines are dropped until it is; the service goes on`),
    onRoom: (dropped) => log.warn({ dropped }, 'lines of the log were dropped: it was not taken in time'),
  });
  const log = pino(
    { level },
    {
      write: (line) =>
        out.write(print(!shared || isAtomic(line) ? line : truncateLine(line)), isOfRequest(line)),
    },
  );
  logWarnings(log);
  return log;
}

/** Node would write its warnings to standard error, and wait until they are read. */
function logWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (err) => log.warn({ err }, 'Node warns'));
}
