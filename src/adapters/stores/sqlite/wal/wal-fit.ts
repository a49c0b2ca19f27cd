/**
 * Looks, before SQLite does, whether the log that lies beside a file belongs to it and is whole. SQLite would play it into the file
 * whatever that is, which undoes a backup that was put there, or damages it; and would not miss a log that is gone, nor the end of one.
 */
import { realpathSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { wordsOf } from '../../../../config/base/environment.ts';
import { logOf } from '../file/file-watch.ts';
import { type Header, type Log, readHeader, readLog } from './wal-file.ts';
import type { Mark } from './wal-mark.ts';
import { type LogMemory, readLogMemory, remembersMore } from './wal-memory.ts';

/** While others write, two looks may not fit each other: looked again this often, and this much later, in ms. */
const looks = 20;
const lookAgainAfter = 100;

interface Found {
  readonly header: Header | undefined;
  readonly log: Log | undefined;
  readonly memory: LogMemory | undefined;
}

/** In this order: what is remembered of the log must not be younger than the log. */
function lookAt(file: string): Found {
  const memory = readLogMemory(file);
  return { header: readHeader(file), log: readLog(file), memory };
}

type Misfit = 'no file' | 'no log' | 'others' | 'damaged';

/** Undefined when they belong together and are whole, or nothing says that they aren't. */
function findMisfit({ header, log, memory }: Found): Misfit | undefined {
  const hasPages = log !== undefined && (log.pages > 0 || log.isDamaged);
  if (header === undefined) return hasPages ? 'no file' : undefined;
  const isMissing = log === undefined || (log.salt === '' && !log.isDamaged);
  const hadLog = header.mark.place === 'file' || remembersMore(memory, log);
  if (isMissing) return header.keepsLog && hadLog ? 'no log' : undefined;
  if (hasPages && !isOf(header, log)) return 'others';
  return log.isDamaged || remembersMore(memory, log) ? 'damaged' : undefined;
}

function isOf(header: Header, log: Log): boolean {
  if (!header.keepsLog) return false;
  // It was copied from this very log.
  if (log.headers.some(({ bytes }) => bytes.equals(header.bytes))) return true;
  const [first] = log.headers;
  return first === undefined || isBaseOf(first.mark, header.mark);
}

/** Whether a log that begins with the one mark was begun over a file with the other. */
function isBaseOf(first: Mark, base: Mark): boolean {
  if (base.place === 'file') return base.id === first.id;
  // Begun anew without a mark, for want of space (`Checkpoints.makeRoom`).
  if (base.place === 'log') return first.place === 'file' && base.id === first.id;
  // Closed in order; then opened anew, or by a program that makes no marks.
  return base.place === 'nowhere' && first.place !== 'log';
}

const restoreAdvice = (file: string): string =>
  `to take the file as it lies there, run: ${wordsOf('restore')} ${file}`;

const texts: Readonly<Record<Misfit, (file: string) => string>> = {
  'no file': (file) =>
    `it is gone or empty, while its log ${logOf(file)} is there: put the file back beside it, or move the log away to begin with no users`,
  'no log': (file) =>
    `it was in use, and its log ${logOf(file)}, with the writes last answered, is gone or empty: put it back; or, ${restoreAdvice(file)}`,
  others: (file) =>
    `the log beside it, ${logOf(file)}, belongs to another state of it: the file was replaced, as by a backup, while its log was left. Put the file back that was there; or, ${restoreAdvice(file)}`,
  damaged: (file) =>
    `its log ${logOf(file)} is damaged or cut short, and with it writes that were answered are lost: put it back as it was, or restore a backup; or, to take what can still be read of both, run: ${wordsOf('restore')} ${file}`,
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
    const found = lookAt(file);
    const wrong = findMisfit(found);
    if (wrong === undefined) return;
    const { header, log, memory } = found;
    const now = JSON.stringify([wrong, header?.bytes.toString('hex'), log?.salt, log?.pages, memory]);
    // The WAL doesn't change: no process is writing.
    if (now === before) throw new Error(texts[wrong](file));
    before = now;
    await delay(lookAgainAfter);
  }
}

/** Whether all that can be read of a damaged log comes after what is in the file: else it would undo some of that. */
export function hasReadableLog(file: string): boolean {
  const found = lookAt(file);
  const { log, memory } = found;
  return findMisfit(found) === 'damaged' && log !== undefined && (memory?.copied ?? 0) <= log.pages;
}
