/**
 * Looks, before SQLite does, whether the log that lies beside a file belongs to it. SQLite would play it into the file whatever that is,
 * which undoes a backup that was put there, or damages it; and would not miss a log that is gone.
 */
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { logOf } from './file-watch.ts';
import { type Mark, markIn } from './log-mark.ts';

/** The lengths of SQLite's headers: of the file, of the log, of each page in the log (https://www.sqlite.org/fileformat2.html). */
const headerLength = 100;
const logHeaderLength = 32;
const frameHeaderLength = 24;

/** While others write, two looks may not fit each other: looked again this often, and this much later, in ms. */
const looks = 20;
const lookAgainAfter = 100;

interface Header {
  readonly bytes: Buffer;
  readonly mark: Mark;
  /** Only then does SQLite write a log beside it. */
  readonly keepsLog: boolean;
}

interface Log {
  /** Tells this log from the one it was before it began anew. */
  readonly salt: string;
  /** Every header of the file that is in it, in order: what the file gets, or has got. */
  readonly headers: readonly Header[];
}

function headerOf(bytes: Buffer): Header {
  return { bytes, mark: markIn(bytes.readInt32BE(60)), keepsLog: bytes[18] === 2 };
}

/** As many bytes as there are. */
function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

function reading<T>(path: string, read: (fd: number) => T): T | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const fd = openSync(path, 'r');
  try {
    return read(fd);
  } finally {
    closeSync(fd);
  }
}

function readHeader(file: string): Header | undefined {
  const bytes = reading(file, (fd) => bytesAt(fd, 0, headerLength));
  return bytes?.length === headerLength ? headerOf(bytes) : undefined;
}

/** Undefined when there is no log; one without a page has no salt. */
function readLog(file: string): Log | undefined {
  return reading(logOf(file), (fd) => {
    const start = bytesAt(fd, 0, logHeaderLength);
    const headers: Header[] = [];
    if (start.length < logHeaderLength) return { salt: '', headers };
    const frameLength = frameHeaderLength + start.readUInt32BE(8);
    const salt = start.toString('hex', 16, 24);
    let position = logHeaderLength;
    for (; ; position += frameLength) {
      const frame = bytesAt(fd, position, frameHeaderLength + headerLength);
      // What follows is of an earlier log, in the same file.
      if (frame.length < frameHeaderLength + headerLength || frame.toString('hex', 8, 16) !== salt) break;
      if (frame.readUInt32BE(0) === 1) headers.push(headerOf(frame.subarray(frameHeaderLength)));
    }
    return { salt: position === logHeaderLength ? '' : salt, headers };
  });
}

/** Undefined when the two belong together, or nothing says that they don't. */
function misfit(
  header: Header | undefined,
  log: Log | undefined,
): 'no file' | 'no log' | 'others' | undefined {
  const hasLog = log !== undefined && log.salt !== '';
  if (header === undefined) return hasLog ? 'no file' : undefined;
  if (log === undefined) return header.keepsLog && header.mark.place === 'file' ? 'no log' : undefined;
  if (!hasLog) return undefined;
  if (!header.keepsLog) return 'others';
  // It was copied from this very log.
  if (log.headers.some(({ bytes }) => bytes.equals(header.bytes))) return undefined;
  const [first] = log.headers;
  if (first === undefined) return undefined;
  return isBaseOf(first.mark, header.mark) ? undefined : 'others';
}

/** Whether a log that begins with the one mark was begun over a file with the other. */
function isBaseOf(first: Mark, base: Mark): boolean {
  if (base.place === 'file') return base.id === first.id;
  // Closed in order; then opened anew, or by a program that makes no marks.
  return base.place === 'nowhere' && first.place !== 'log';
}

const asItLies = (file: string): string =>
  `to take the file as it lies there, run: npm run restore -- ${file}`;

const texts: Readonly<Record<NonNullable<ReturnType<typeof misfit>>, (file: string) => string>> = {
  'no file': (file) =>
    `it is gone or empty, while its log ${logOf(file)} is there: put the file back beside it, or move the log away to begin with no users`,
  'no log': (file) =>
    `it was in use, and its log ${logOf(file)}, with the writes last answered, is gone: put it back; or, ${asItLies(file)}`,
  others: (file) =>
    `the log beside it, ${logOf(file)}, belongs to another state of it: the file was replaced, as by a backup, while its log was left. Put the file back that was there; or, ${asItLies(file)}`,
};

/**
 * To be called before this process opens the file: closing it again here would take the locks of connections away.
 * @throws Error saying in words what doesn't fit and what to do; nothing has been changed
 */
export async function assertLogFits(path: string): Promise<void> {
  const there = statSync(path, { throwIfNoEntry: false });
  const file = there === undefined ? path : realpathSync(path);
  let before = '';
  for (let look = 1; look <= looks; look += 1) {
    const header = readHeader(file);
    const log = readLog(file);
    const found = misfit(header, log);
    if (found === undefined) return;
    const now = JSON.stringify([found, header?.bytes.toString('hex'), log?.salt]);
    // Nothing moves: nobody is writing.
    if (now === before) throw new Error(texts[found](file));
    before = now;
    await delay(lookAgainAfter);
  }
}
