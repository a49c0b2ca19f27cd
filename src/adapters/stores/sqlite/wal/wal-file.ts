/** The log beside a file, read as SQLite reads it when it recovers: https://www.sqlite.org/fileformat2.html#the_write_ahead_log */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { logOf } from '../file/file-watch.ts';
import { type Mark, markIn } from './wal-mark.ts';

/** The lengths of SQLite's headers: of the file, of the log, of each page in the log. */
const headerLength = 100;
const logHeaderLength = 32;
const frameHeaderLength = 24;

/** How a log begins; the last bit is set when its sums are of big-endian numbers. */
const magic = 0x377f0682;

export interface Header {
  readonly bytes: Buffer;
  readonly mark: Mark;
  /** Only then does SQLite write a log beside it. */
  readonly keepsLog: boolean;
}

export interface Log {
  /** Tells this log from the one it was before it began anew; empty when its beginning can't be read. */
  readonly salt: string;
  /** How many pages SQLite would find in it. */
  readonly pages: number;
  /** Every header of the file that is in these, in order: what the file gets, or has got. */
  readonly headers: readonly Header[];
  /** Answered writes stand in it that SQLite would not find. It would say nothing, and write over them. */
  readonly isDamaged: boolean;
}

/** Two sums of 32 bits. */
export type Sums = readonly [number, number];

/** SQLite's sums, continued over an even count of 32-bit numbers. */
export function summed([first, second]: Sums, bytes: Buffer, isLittleEndian: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, isLittleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, isLittleEndian) + first) >>> 0;
  }
  return [first, second];
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

/** The first bytes of a file; undefined when it isn't there or has fewer. */
export function beginningOf(path: string, length: number): Buffer | undefined {
  const bytes = reading(path, (fd) => bytesAt(fd, 0, length));
  return bytes?.length === length ? bytes : undefined;
}

export function readHeader(file: string): Header | undefined {
  const bytes = beginningOf(file, headerLength);
  return bytes && headerOf(bytes);
}

const sumsAt = (bytes: Buffer, at: number): Sums => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
const isEqual = (some: Sums, others: Sums): boolean => some[0] === others[0] && some[1] === others[1];

/** Undefined when there is no log. */
export const readLog = (file: string): Log | undefined => reading(logOf(file), logIn);

function logIn(fd: number): Log {
  const none = { salt: '', pages: 0, headers: [] };
  const start = bytesAt(fd, 0, logHeaderLength);
  if (start.length < logHeaderLength) return { ...none, isDamaged: false };
  const isLittleEndian = start.readUInt32BE(0) === magic;
  let sums = summed([0, 0], start.subarray(0, 24), isLittleEndian);
  const isReadable = (start.readUInt32BE(0) & ~1) === magic && isEqual(sums, sumsAt(start, 24));
  // It is forced to disk before the first page is written.
  if (!isReadable) return { ...none, isDamaged: fstatSync(fd).size > logHeaderLength };
  const salt = start.toString('hex', 16, 24);
  const frameLength = frameHeaderLength + start.readUInt32BE(8);
  const headers: Header[] = [];
  let pages = 0;
  for (; ; pages += 1) {
    const frame = bytesAt(fd, logHeaderLength + pages * frameLength, frameLength);
    if (frame.length < frameLength || frame.toString('hex', 8, 16) !== salt) break;
    sums = summed(sums, frame.subarray(0, 8), isLittleEndian);
    sums = summed(sums, frame.subarray(frameHeaderLength), isLittleEndian);
    if (!isEqual(sums, sumsAt(frame, 16))) break;
    if (frame.readUInt32BE(0) === 1)
      headers.push(headerOf(frame.subarray(frameHeaderLength, frameHeaderLength + headerLength)));
  }
  const rest = logHeaderLength + pages * frameLength;
  return { salt, pages, headers, isDamaged: hasAnswered(fd, rest, frameLength, salt) };
}

/**
 * Whether commits stand behind the last page that can be read. One alone may never have been answered: the power failed while it was
 * written. A page behind it was written when it was on disk.
 */
function hasAnswered(fd: number, rest: number, frameLength: number, salt: string): boolean {
  const { size } = fstatSync(fd);
  let hasCommit = false;
  for (let position = rest; position + frameLength <= size; position += frameLength) {
    const header = bytesAt(fd, position, frameHeaderLength);
    // Else it is of an earlier log, in the same file.
    if (header.toString('hex', 8, 16) !== salt) continue;
    if (hasCommit) return true;
    hasCommit = header.readUInt32BE(4) !== 0;
  }
  return false;
}
