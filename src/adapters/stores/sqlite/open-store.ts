/** Opens the store, or checks whether it could be opened. Obstacles are explained before the file is changed. */

import { accessSync, closeSync, constants, existsSync, openSync, realpathSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Kinds, kindsOf } from '../../../domain/kinds.ts';
import { describeCount } from '../../../domain/validation/describe-count.ts';
import { keepFileOwner, makeFolder } from '../../system/files.ts';
import type { StoreHooks } from '../port/store-module.ts';
import {
  assertDriverLoads,
  type Connection,
  openConnection,
  readBusyTimeout,
  smallCaches,
  withConnection,
} from './file/connection.ts';
import { assertUsableFile } from './file/database-files.ts';
import { assertUndamaged } from './file/integrity.ts';
import { reasonOf } from './file/sqlite-errors.ts';
import { readDeclared } from './layout/declared-attributes.ts';
import { assertReadableFile, countUsers } from './layout/layout.ts';
import { SqliteStore } from './store.ts';
import { assertWalFits } from './wal/wal-fit.ts';
import { startWriter, WriterClient } from './write/writer-client.ts';
import type { WriterData } from './write/writer-messages.ts';

/** By default `kinds` are those of the service. */
export interface SqliteOptions extends Partial<StoreHooks> {
  /** Whether a file is copied before it is migrated; true by default. */
  readonly copyBeforeMigration?: boolean | undefined;
  /** Created if missing, with its parent folders, for its owner alone. It must be on a local disk. */
  readonly file: string;
  /**
   * Called once, when the content of the file is uncertain: after an I/O error, also of a checkpoint or a read, damage, a moved file, or the
   * writer's death. All later writes are `unavailable`. The process should end; a restart recovers the file.
   */
  readonly onFatal: (cause: unknown) => void;
  /** While so many writes are unanswered, others are `unavailable` at once; 10,000 by default. */
  readonly maxQueued?: number;
  /** In ms: how long writes wait for another process before they are `unavailable`; 5,000 by default. */
  readonly busyTimeout?: number;
}

/**
 * Opens the file, and rebuilds indexes that were made by other rules.
 * @throws Error that tells an operator the file and what is wrong with it. Files of other programs, and of releases with another layout, are left
 *   unchanged.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const file = resolve(options.file);
  const { kinds = kindsOf(), onNotice = () => {}, mayMigrate: acceptsEarlier, mayFill } = options;
  try {
    assertDriverLoads();
    assertUsableFile(file);
    await assertWalFits(file);
    prepareFile(file);
    await assertUndamaged(file);
    const isFilled = assertReadableFile(file, { kinds, acceptsEarlier, mayFill });
    const store = await openReaderAndWriter(file, isFilled, kinds, options);
    // The only sign of a disk that was not mounted.
    if (!isFilled) onNotice(`The SQLite file ${file} is new: there are no users yet.`);
    return store;
  } catch (cause) {
    throw new Error(
      `The SQLite file ${file} can't be used: ${reasonOf(cause)}${noteFullDisk(dirname(file))}`,
      { cause },
    );
  }
}

/** A full disk causes errors of many kinds, so it is mentioned with each of them. */
function noteFullDisk(folder: string): string {
  try {
    return statfsSync(folder).bavail === 0 ? ' (the disk is full)' : '';
  } catch {
    return '';
  }
}

/** For the owner alone: SQLite gives the files beside it the same mode. */
export function prepareFile(file: string): void {
  const folder = dirname(file);
  makeFolder(folder);
  if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  else {
    closeSync(openSync(file, 'a', 0o600));
    keepFileOwner(file, folder);
  }
}

async function openReaderAndWriter(
  file: string,
  isFilled: boolean,
  kinds: Kinds,
  options: SqliteOptions,
): Promise<SqliteStore> {
  const { maxQueued = 10_000, busyTimeout = 5_000, isPassedThrough = false, isLogged = true } = options;
  const caches = isPassedThrough ? smallCaches : undefined;
  const cache = caches?.writer;
  // First, because a writer that fails removes the WAL if it is the last connection, although a file that was in use may ask for it.
  let db = isFilled ? openReader(file, caches?.reader) : undefined;
  const { mayMigrate = false, copyBeforeMigration: isCopied = true } = options;
  const migration = mayMigrate ? { isCopied } : undefined;
  const { mayFill, buildSteps } = options;
  const workerData: WriterData = {
    ...{ file, kinds: kinds.source, busyTimeout, cache, isLogged, mayFill, buildSteps, migration },
  };
  const worker = startWriter(workerData);
  const writer = new WriterClient(worker, { ...options, maxQueued, kinds });
  try {
    await writer.waitUntilStarted();
  } catch (cause) {
    db?.close();
    throw cause;
  }
  try {
    db ??= openReader(file, caches?.reader);
    // The WAL lies beside the file itself, not beside a link to it.
    return new SqliteStore(realpathSync(file), kinds, db, writer, isLogged !== false);
  } catch (cause) {
    await writer.close();
    throw cause;
  }
}

/** See `StoreLocation.declared`. @throws Error for a file that a start would refuse: a connection would make the WAL that it lacks */
export async function readStoredDeclarations(path: string): Promise<string> {
  const file = resolve(path);
  if (!existsSync(file)) return '';
  assertDriverLoads();
  assertUsableFile(file);
  await assertWalFits(file);
  return readDeclared(file);
}

/** The connection now holds the file open. */
function openReader(file: string, cache: number | undefined): Connection {
  const db = openConnection(file, { readonly: true, busyTimeout: readBusyTimeout, cache });
  db.pragma('user_version');
  return db;
}

/** The folder, or the nearest existing one above it. The start makes the missing ones. */
const findFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : findFolder(dirname(folder));

function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch {
    throw new Error(`${path} may not be written by this account`);
  }
}

/**
 * Checks the file as a start would, and changes nothing.
 * @returns a line for an operator
 * @throws Error that names the reason why a service can't start with it
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
  if (!assertReadableFile(file)) return `${file} is empty: the first start begins with no users`;
  const users = withConnection(file, { readonly: true, busyTimeout: 1000 }, countUsers);
  return `${describeCount(users, 'user', 'users')} in ${file}`;
}
