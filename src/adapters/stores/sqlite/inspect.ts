import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeCount } from '../../../domain/base/describe-count.ts';
import { openConnection } from './file/connection.ts';
import { assertUndamaged } from './file/integrity.ts';
import { assertDriverLoads } from './file/native-driver.ts';
import { assertUsableFile } from './file/usable-file.ts';
import { assertReadable } from './layout/layout.ts';
import { assertWalFits } from './wal/wal-fit.ts';

/** The folder itself, or the nearest above it: those in between are made at the start. */
const findFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : findFolder(dirname(folder));

function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch {
    throw new Error(`${path} may not be written by this account`);
  }
}

function countUsers(file: string): number {
  const db = openConnection(file, { readonly: true, busyTimeout: 1000 });
  try {
    return Number(db.prepare('SELECT count(*) FROM users').pluck().get());
  } finally {
    db.close();
  }
}

/**
 * Looks at the file as a start would, and changes nothing.
 * @returns a line for an operator
 * @throws Error that names what keeps a service from starting with it
 */
export async function inspectFile(path: string): Promise<string> {
  const file = resolve(path);
  assertDriverLoads();
  assertUsableFile(file);
  const folder = findFolder(dirname(file));
  assertWritable(folder);
  if (!existsSync(file)) return `${file} is not there yet: the first start begins with no users`;
  assertWritable(file);
  await assertWalFits(file);
  await assertUndamaged(file);
  if (!assertReadable(file)) return `${file} is empty: the first start begins with no users`;
  return `${describeCount(countUsers(file), 'user', 'users')} in ${file}`;
}
