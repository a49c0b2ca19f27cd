/** The copy that a migration makes first. It has the last state of the earlier layout, so the earlier release can go on with it. */

import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { keepFileOwner, partOf, publishOver } from '../../../system/files.ts';
import { withFilesBeside } from '../file/database-files.ts';
import { assertReadableFile, layoutIn } from '../layout/layout.ts';
import { finishCopy, vacuumInto } from '../wal/closed-copy.ts';

export const copyNameOf = (file: string, layout: number): string => `${file}.layout-${layout}`;

const removeCopy = (part: string): void => {
  for (const path of withFilesBeside(part)) rmSync(path, { force: true });
};

/**
 * To be called while this process holds the write lock: the copy then has all writes. It replaces the copy of a migration that was interrupted.
 * @throws Error when another file has its name
 */
export function copyBeside(file: string, layout: number): void {
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
