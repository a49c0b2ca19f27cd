/** Waits while another process migrates or rebuilds the file. */
import type { Connection } from '../file/connection.ts';
import { isLocked } from '../file/sqlite-errors.ts';
import { currentRules, layoutNumber, readLayout, readRules } from '../layout/layout.ts';
import type { AllTables } from '../layout/tables.ts';

/** In ms: between two messages. */
const messageInterval = 10_000;

/**
 * Attempts it again for as long as the file is locked and its layout or its derived rows are not finished. The busy timeout alone is too short: a copy
 * of the file takes as long as its size, and SQLite's lock has no queue, so a process that writes step after step may keep it from another one.
 * @param attempt is complete, or changes nothing, or can be repeated
 */
export function whenFree(
  db: Connection,
  all: AllTables,
  attempt: () => void,
  tell: (line: string) => void,
): void {
  for (let told = 0; ; ) {
    // Before the attempt, so that there is one more when the other has just finished.
    const isWaiting = isUnfinished(db, all);
    try {
      attempt();
      return;
    } catch (cause) {
      if (!isWaiting || !isLocked(cause)) throw cause;
      if (Date.now() - told < messageInterval) continue;
      told = Date.now();
      tell('Another process is at work on the file; this one waits.');
    }
  }
}

function isUnfinished(db: Connection, all: AllTables): boolean {
  const layout = readLayout(db);
  if (layout === 0) return false;
  if (layout < layoutNumber || db.prepare('SELECT 1 FROM migrations').get() !== undefined) return true;
  return [...all.values()].some(({ kind }) => readRules(db, kind) !== currentRules(kind));
}
