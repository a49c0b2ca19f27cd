/**
 * Opens the file for the writer: migrates it, creates or checks the tables, recovers the WAL, and rebuilds outdated indexes. Waits while another
 * process does so.
 */

import { realpathSync } from 'node:fs';
import { isOutdated, printDeclarations } from '../../../../domain/kinds/attributes/compare.ts';
import { loadKinds } from '../../../../domain/kinds.ts';
import { switchLog } from '../changes/tables.ts';
import { type Connection, openConnection } from '../file/connection.ts';
import { FileWatch } from '../file/database-files.ts';
import { Gaps } from '../file/gaps.ts';
import { isLocked } from '../file/sqlite-errors.ts';
import { findDeclared } from '../layout/declared-attributes.ts';
import { createLayout, currentRules, layoutNumber, readLayout, readRules } from '../layout/layout.ts';
import { rebuildIfOutdated } from '../layout/rebuild.ts';
import { type AllTables, tablesOf } from '../layout/tables.ts';
import { beginMigrations, finishMigrations } from '../migrations/index.ts';
import { Checkpoints } from '../wal/checkpoints.ts';
import { GroupCommit } from './group-commit.ts';
import type { WriterData, WriterReport } from './writer-messages.ts';

export interface WriterParts {
  readonly group: GroupCommit;
  readonly checkpoints: Checkpoints;
  readonly gaps: Gaps;
  readonly watch: FileWatch;
}

/** @throws Error when the file can't be used; SqliteError when the storage fails */
export async function openDatabase(
  { file, kinds, busyTimeout, cache, isLogged, mayFill, migration }: WriterData,
  post: (report: WriterReport) => void,
): Promise<WriterParts> {
  const all = tablesOf(await loadKinds(kinds));
  // The file itself, not a link to it: the WAL lies beside it, and its disk has the space.
  const db = openConnection(realpathSync(file), { readonly: false, busyTimeout, cache });
  try {
    const tell = (message: string) => post({ kind: 'progress', message });
    const alone = (attempt: () => void) => whenFree(db, all, attempt, tell);
    alone(() => migration && beginMigrations(db, all, migration.isCopied, tell));
    alone(() => createLayout(db, all));
    const checkpoints = new Checkpoints(db, (message) => post({ kind: 'problem', message }));
    // Before any write that leaves the mark out (wal/wal-mark.ts).
    checkpoints.start();
    if (isLogged !== 'kept') alone(() => switchLog(db, isLogged));
    const [onCommit, makeRoom] = [() => checkpoints.afterCommit(), () => checkpoints.makeRoom()];
    alone(() => finishMigrations(db, all, onCommit, tell, makeRoom));
    const declared = printDeclarations(kinds.declarations);
    // Its own rules would keep the other process from its work.
    if (!isOutdated(findDeclared(db), declared))
      alone(() => rebuildIfOutdated(db, all, onCommit, tell, makeRoom));
    const watch = new FileWatch(file);
    const group = new GroupCommit(db, all, () => watch.assertInPlace(), { mayFill, declared });
    return { group, checkpoints, gaps: new Gaps(db), watch };
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** In ms: between two messages. */
const messageInterval = 10_000;

/**
 * Attempts it again for as long as the file is locked and its layout or its derived rows are not finished. The busy timeout alone is too short: a copy
 * of the file takes as long as its size, and SQLite's lock has no queue, so a process that writes step after step may keep it from another one.
 * @param attempt is complete, or changes nothing, or can be repeated
 */
function whenFree(db: Connection, all: AllTables, attempt: () => void, tell: (line: string) => void): void {
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
