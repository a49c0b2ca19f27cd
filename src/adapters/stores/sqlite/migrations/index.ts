/**
 * Migrates a file of an earlier release, in this order: a copy beside it, the tables, their content in steps.
 *
 * The copy and the tables are one transaction, which several processes may wait for; then the file has the new layout, and processes of the earlier
 * release refuse it. The table `migrations` has the progress of the steps; a process that begins later takes part in them, or continues after a
 * kill. No process serves before the last step.
 *
 * To add a change of the layout: raise `layoutNumber` (layout/layout.ts), change the tables of new files, and add a file here that makes the same
 * tables from those of the previous layout.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { keepFileOwner, partOf, publishOver } from '../../../system/files.ts';
import type { Connection } from '../file/connection.ts';
import { freeSpaceBeside } from '../file/space.ts';
import { assertReadableFile, layoutIn, layoutNumber, readLayout, setLayout } from '../layout/layout.ts';
import { inTransactionWithRoom } from '../layout/rebuild.ts';
import type { AllTables } from '../layout/tables.ts';
import { finishCopy, removeCopy, vacuumInto } from '../wal/closed-copy.ts';
import { membersInHistories } from './10-members-in-histories.ts';
import type { Migration } from './migration.ts';

/** In the order of the layouts that they make. */
const migrations: readonly Migration[] = [membersInHistories];

/** In ms. */
const progressInterval = 10_000;

type Tell = (line: string) => void;

/**
 * Changes the tables, if the file has an earlier layout.
 * @param isCopied whether the file is copied first
 * @throws Error when the disk has no room
 */
export function beginMigrations(db: Connection, all: AllTables, isCopied: boolean, tell: Tell): void {
  const begin = db.transaction(() => {
    const layout = readLayout(db);
    const due = layout === 0 ? [] : migrations.filter((migration) => migration.layout > layout);
    if (due.length === 0) return;
    const needed = due.reduce((sum, migration) => sum + migration.bytesNeeded(db), 0);
    assertRoom(db, needed, isCopied);
    if (isCopied) {
      tell(`The file is copied to ${copyNameOf(db.name, layout)}, because this release changes its layout.`);
      copyBeside(db.name, layout);
    }
    for (const migration of due) {
      migration.begin(db, all);
      db.prepare('INSERT INTO migrations VALUES (?, 0)').run(migration.layout);
    }
    setLayout(db, layoutNumber);
  });
  const layout = readLayout(db);
  if (layout > 0 && layout < layoutNumber) begin.immediate();
}

function assertRoom(db: Connection, needed: number, isCopied: boolean): void {
  const size =
    Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
  const bytes = needed + (isCopied ? size : 0);
  const free = freeSpaceBeside(db.name);
  if (bytes <= free) return;
  throw new Error(
    `its migration to layout ${layoutNumber} needs ${bytes} bytes${isCopied ? ', for a copy of the file and for its growth' : ''}, and the disk has ${free}; it was left as it is`,
  );
}

/** @param onCommit called after each transaction @param makeRoom called when the disk is full; returns whether there is space now */
export function finishMigrations(
  db: Connection,
  all: AllTables,
  onCommit: () => void,
  tell: Tell,
  makeRoom: () => boolean,
): void {
  const progressOf = db.prepare<[number], number>('SELECT progress FROM migrations WHERE layout = ?').pluck();
  const setProgress = db.prepare('UPDATE migrations SET progress = ? WHERE layout = ?');
  const end = db.prepare('DELETE FROM migrations WHERE layout = ?');
  for (const migration of migrations) {
    const { layout } = migration;
    /** @returns undefined when no process has anything to do */
    const step = (): number | undefined => {
      const progress = progressOf.get(layout);
      if (progress === undefined) return undefined;
      const next = migration.step(db, all, progress);
      if (next === undefined) end.run(layout);
      else setProgress.run(next, layout);
      return next;
    };
    if (progressOf.get(layout) === undefined) continue;
    let told = 0;
    for (;;) {
      const progress = inTransactionWithRoom(db, step, makeRoom);
      if (progress === undefined) break;
      onCommit();
      if (told !== 0 && Date.now() - told < progressInterval) continue;
      told = Date.now();
      tell(migration.describeProgress(db, progress));
    }
    tell(`The file is migrated to layout ${layout}.`);
  }
}

const copyNameOf = (file: string, layout: number): string => `${file}.layout-${layout}`;

/**
 * The copy has the last state of the earlier layout, so the earlier release can go on with it. To be called while this process holds the write
 * lock: the copy then has all writes. It replaces the copy of a migration that was interrupted.
 * @throws Error when another file has its name
 */
function copyBeside(file: string, layout: number): void {
  const target = copyNameOf(file, layout);
  if (existsSync(target)) assertCopy(target, layout);
  const part = partOf(target, removeCopy);
  // SQLite fills an empty file; a file that it creates itself is readable by all users of the system.
  closeSync(openSync(part, 'wx', 0o600));
  try {
    vacuumInto(file, part);
    finishCopy(part, () => undefined);
    keepFileOwner(part, file);
    publishOver(part, target);
  } catch (cause) {
    removeCopy(part);
    throw cause;
  }
}

function assertCopy(target: string, layout: number): void {
  try {
    if (assertReadableFile(target, { acceptsEarlier: true }) && layoutIn(target) === layout) return;
  } catch {
    // It is another file.
  }
  throw new Error(`${target} is there already, and is not a copy with layout ${layout}: move it away`);
}
