/**
 * How far the log went, by what the processes share about it (https://www.sqlite.org/walformat.html#the_wal_index_file_format). It lies
 * there still when they were killed, and says nothing that was not on disk: SQLite writes it after the commit it tells of.
 */
import { endianness } from 'node:os';
import { sharedMemoryOf } from '../file/file-watch.ts';
import { beginningOf, type Log, summed } from './wal-file.ts';

/** Two copies of a header, then how many pages have been copied into the file; numbers in the machine's own order. */
const headerLength = 48;
const length = 2 * headerLength + 4;
const version = 3_007_000;
const isLittleEndian = endianness() === 'LE';

export interface LogMemory {
  readonly salt: string;
  readonly pages: number;
  /** How many of them are in the file too. */
  readonly copied: number;
}

/** Undefined when it is absent or was being written. To be read before the WAL, which may grow meanwhile. */
export function readLogMemory(file: string): LogMemory | undefined {
  const bytes = beginningOf(sharedMemoryOf(file), length);
  if (bytes === undefined) return undefined;
  const header = bytes.subarray(0, headerLength);
  if (!header.equals(bytes.subarray(headerLength, 2 * headerLength))) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const numberAt = (at: number): number => view.getUint32(at, isLittleEndian);
  const [first, second] = summed([0, 0], header.subarray(0, headerLength - 8), isLittleEndian);
  if (numberAt(0) !== version || numberAt(40) !== first || numberAt(44) !== second) return undefined;
  return { salt: header.toString('hex', 32, 40), pages: numberAt(16), copied: numberAt(2 * headerLength) };
}

/** Whether the log held more than can be found in it, and in the file, now. */
export function remembersMore(memory: LogMemory | undefined, log: Log | undefined): boolean {
  if (memory === undefined) return false;
  if (log === undefined || log.salt === '') return memory.pages > memory.copied;
  // Another salt: it was just beginning anew, with all of it in the file.
  return memory.salt === log.salt && memory.pages > log.pages;
}
