/** Opens the file for the writer: migrates it, creates or checks the tables, recovers the WAL, and rebuilds outdated indexes. */

import { realpathSync } from 'node:fs';
import { loadKinds } from '../../../../domain/kinds.ts';
import { switchLog } from '../changes/tables.ts';
import { openConnection } from '../file/connection.ts';
import { FileWatch } from '../file/database-files.ts';
import { Gaps } from '../file/gaps.ts';
import { createLayout } from '../layout/layout.ts';
import { rebuildIfOutdated } from '../layout/rebuild.ts';
import { tablesOf } from '../layout/tables.ts';
import { beginMigrations, finishMigrations } from '../migrations/run.ts';
import { Checkpoints } from '../wal/checkpoints.ts';
import { GroupCommit } from './group-commit.ts';
import { whenFree } from './others-at-work.ts';
import type { WriterData, WriterReport } from './writer-messages.ts';

export interface WriterParts {
  readonly group: GroupCommit;
  readonly checkpoints: Checkpoints;
  readonly gaps: Gaps;
  readonly watch: FileWatch;
}

/** @throws Error when the file can't be used; SqliteError when the storage fails */
export async function openDatabase(
  { file, kinds, busyTimeout, cache, isLogged, migration }: WriterData,
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
    alone(() => switchLog(db, isLogged));
    const checkpoints = new Checkpoints(db, (message) => post({ kind: 'problem', message }));
    checkpoints.start();
    const [onCommit, makeRoom] = [() => checkpoints.afterCommit(), () => checkpoints.makeRoom()];
    alone(() => finishMigrations(db, all, onCommit, tell, makeRoom));
    alone(() => rebuildIfOutdated(db, all, onCommit, tell, makeRoom));
    const watch = new FileWatch(file);
    const group = new GroupCommit(db, all, () => watch.assertInPlace());
    return { group, checkpoints, gaps: new Gaps(db), watch };
  } catch (cause) {
    db.close();
    throw cause;
  }
}
