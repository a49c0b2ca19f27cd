/** Refuses a file whose WAL is missing or belongs to another file, before SQLite plays the WAL into it. */
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { wordsOf } from '../../../system/program.ts';
import { isOpenHere, walOf } from '../file/database-files.ts';
import { generationIn, markIn, walHeaderLength } from './wal-mark.ts';

/** Other processes may write while the file and its WAL are read: a misfit must be seen twice, this many ms apart, among so many looks. */
const looks = 20;
const lookAgainAfter = 100;

/** The lengths of SQLite's headers, in bytes: of the file, of each page in the WAL. */
const headerLength = 100;
const frameHeaderLength = 24;

/** A WAL begins with it; the last bit is the byte order of its checksums. */
const magic = 0x377f0682;

type Misfit = 'no file' | 'no log' | 'others';

interface Look {
  readonly header: Buffer | undefined;
  /** The beginning of the WAL; undefined if it has no commits. */
  readonly wal: Buffer | undefined;
  readonly misfit: Misfit | undefined;
}

/** Undefined if the file is missing. */
function reading<T>(path: string, read: (fd: number) => T): T | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const fd = openSync(path, 'r');
  try {
    return read(fd);
  } finally {
    closeSync(fd);
  }
}

/** Undefined if the file has fewer. */
function bytesAt(fd: number, position: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  return readSync(fd, bytes, 0, length, position) === length ? bytes : undefined;
}

function lookAt(file: string): Look {
  const header = reading(file, (fd) => bytesAt(fd, 0, headerLength));
  const found = reading(walOf(file), (fd): Look => {
    // A WAL of its header alone has no commits.
    const wal = bytesAt(fd, 0, walHeaderLength + 1);
    if (wal === undefined || (wal.readUInt32BE(0) & ~1) !== magic)
      return { header, wal: undefined, misfit: findMissing(header) };
    if (header === undefined) return { header, wal, misfit: 'no file' };
    return { header, wal, misfit: isItsWal(fd, wal, header) ? undefined : 'others' };
  });
  return found ?? { header, wal: undefined, misfit: findMissing(header) };
}

const keepsWal = (header: Buffer): boolean => header[18] === 2;
const markOf = (header: Buffer) => markIn(header.readInt32BE(60));

const findMissing = (header: Buffer | undefined): Misfit | undefined =>
  header !== undefined && keepsWal(header) && markOf(header).isFile ? 'no log' : undefined;

function isItsWal(fd: number, wal: Buffer, header: Buffer): boolean {
  if (!keepsWal(header)) return false;
  const { isFile, generation } = markOf(header);
  if (((generationIn(wal) - generation) & 0xffff) === 1 || names(fd, wal, generation)) return true;
  // The WAL was begun over a file that was new, or had been closed in order.
  const hasBegunAnew = wal.readUInt32BE(12) > 0;
  return !isFile && !hasBegunAnew;
}

/** Whether a header in the WAL has the generation of the file: the file's own was copied from the WAL, or the WAL was begun over this file. */
function names(fd: number, wal: Buffer, generation: number): boolean {
  const frameLength = frameHeaderLength + wal.readUInt32BE(8);
  for (let at = walHeaderLength; ; at += frameLength) {
    const frame = bytesAt(fd, at, frameHeaderLength + headerLength);
    // Other frames are remains of an earlier generation.
    const isOfWal = frame?.subarray(8, 16).equals(wal.subarray(16, 24)) === true;
    if (!isOfWal) return false;
    const isHeader = frame.readUInt32BE(0) === 1;
    if (isHeader && markOf(frame.subarray(frameHeaderLength)).generation === generation) return true;
  }
}

const texts: Readonly<Record<Misfit, (file: string) => string>> = {
  'no file': (file) =>
    `it is gone or empty, while its log ${walOf(file)} is there: put the file back beside it, or move the log away to begin with no users`,
  'no log': (file) =>
    `it was in use, and its log ${walOf(file)}, with the writes last answered, is gone or empty: put it back; or, to take the file as it lies there, run: ${wordsOf('restore')} ${file}`,
  others: (file) =>
    `the log beside it, ${walOf(file)}, belongs to another state of it: the file was replaced, as by a backup, while its log was left. Put the file back that was there; or, to take the file as it lies there, run: ${wordsOf('restore')} ${file}`,
};

/**
 * A file that this process has open was checked before.
 * @throws Error that says what doesn't fit and what to do; nothing has been changed
 */
export async function assertWalFits(path: string): Promise<void> {
  if (isOpenHere(path)) return;
  const file = statSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path);
  let before = '';
  for (let look = 1; look <= looks; look += 1) {
    const found = lookAt(file);
    if (found.misfit === undefined) return;
    const now = JSON.stringify(found);
    // No other process is writing.
    if (now === before) throw new Error(texts[found.misfit](file));
    before = now;
    await delay(lookAgainAfter);
  }
}

/** True if the file has a WAL; it is then known to belong to the file. */
export function hasItsWal(file: string): boolean {
  const { wal, misfit } = lookAt(file);
  return wal !== undefined && misfit === undefined;
}
