/**
 * The log: JSON lines on standard output, which several processes may write without mixing them; on a terminal, lines for people.
 * `adapters/http/server/request-log.ts` has the fields of the line that reports a request.
 */
import { isatty } from 'node:tty';
import { type Logger, pino } from 'pino';
import { atomicWriteBytes, Output } from './output.ts';
import { printMessage } from './startup-messages.ts';

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const maxBytesPerUnit = 3;

const isAtomic = (line: string): boolean =>
  line.length * maxBytesPerUnit <= atomicWriteBytes || Buffer.byteLength(line) <= atomicWriteBytes;

/** The message stands last in a line, so this finds the line that reports a request. */
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

interface LogOptions {
  /** Other processes write to the same output, so lines that a pipe doesn't take in one piece are truncated. */
  readonly shared: boolean;
  readonly fd?: number;
  /** Formats each line of JSON before it is written. */
  readonly print?: (line: string) => string;
}

/** Escapes in JSON, and raw characters, that a terminal would take for commands: a line may contain what a client sent. */
const commands = /\\u00(?:[01][0-9a-f]|7f|[89][0-9a-f])|\\[bfr]|[\u007f-\u009f]/gi;

/** https://no-color.org. The library would look at a worker's own standard output, which is no terminal. */
const takesColor = ({ NO_COLOR = '', TERM }: NodeJS.ProcessEnv): boolean =>
  NO_COLOR === '' && TERM !== 'dumb';

/** Lines for people, on a terminal. @returns a function that formats a line of JSON, with its line feed */
export async function prettyLines(): Promise<(line: string) => string> {
  const { default: pretty } = await import('pino-pretty');
  const print = pretty.prettyFactory({
    colorize: takesColor(process.env),
    ignore: 'pid,hostname',
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  return (line) => print(line.replace(commands, '\\ufffd'));
}

/** Opens the log: lines for people on a terminal, otherwise JSON. */
export const openLog = async (level: string, options: LogOptions): Promise<Logger> =>
  createLog(level, isatty(options.fd ?? 1) ? { ...options, print: await prettyLines() } : options);

/**
 * While the reader keeps up, a line is written before the call returns: no line is lost however the process ends, and lines of two processes
 * about the same event are in order. Only the lines of requests are written together at the end of each turn of the event loop, so a process
 * that is killed loses those of one turn. A slow reader doesn't delay the service: lines are queued, then dropped, and their number is
 * logged when there is room again. Node's own warnings are logged from now on.
 */
export function createLog(level: string, { shared, fd = 1, print = (line) => line }: LogOptions): Logger {
  const out = new Output(fd, {
    onDrop: (code) =>
      printMessage(
        `The log cannot be written (${code}): its lines are dropped until it can; the service continues`,
      ),
    onRoom: (dropped) => log.warn({ dropped }, 'lines of the log were dropped: its reader was too slow'),
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
