/** Opens the store, or looks whether it could be. Obstacles are found and explained before the file is changed. */
import { accessSync, closeSync, constants, existsSync, openSync, realpathSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Kinds, kindsOf } from '../../../domain/kinds.ts';
import { describeCount } from '../../../domain/validation/describe-count.ts';
import { keepFileOwner, makeFolder } from '../../system/files.ts';
import type { StoreHooks } from '../port/store-module.ts';
import {
  assertDriverLoads,
  describeError,
  openConnection,
  readBusyTimeout,
  smallCaches,
  sqliteCode,
} from './file/connection.ts';
import { assertUndamaged } from './file/integrity.ts';
import { assertUsableFile } from './file/usable-file.ts';
import { assertReadable, countUsers } from './layout/layout.ts';
import { SqliteStore } from './store.ts';
import { assertWalFits } from './wal/wal-fit.ts';
import { startWriter, WriterClient } from './write/writer-client.ts';
import type { WriterData } from './write/writer-messages.ts';

/** `kinds` are those of the service when they are left out. */
export interface SqliteOptions extends Partial<StoreHooks> {
  /** Created when missing, readable only by its owner, as are its parent folders. Must be on a local disk. */
  readonly file: string;
  /**
   * Called once, when the content of the file is uncertain (an I/O error, also of a checkpoint or a read; damage; the file moved
   * away; the writer's death). Every write from then on is `unavailable`: the process should end, and recover by starting again.
   */
  readonly onFatal: (cause: unknown) => void;
  /** More writes than this without an answer are `unavailable` at once; 10,000 by default. */
  readonly maxQueued?: number;
  /** How long writes wait for another process's, in milliseconds, before they are `unavailable`; 5,000 by default. */
  readonly busyTimeout?: number;
}

/**
 * Opens the file, rebuilding the indexes that other rules made; returns when it can serve.
 * @throws Error whose message names the file and what is wrong with it, fit for an operator. A file that isn't ours or
 *   that a release with another layout wrote is left as it is.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const file = resolve(options.file);
  const { kinds = kindsOf(), onNotice = () => {} } = options;
  try {
    assertDriverLoads();
    assertUsableFile(file);
    await assertWalFits(file);
    prepareFile(file);
    await assertUndamaged(file);
    const isFilled = assertReadable(file, kinds);
    const store = await openReaderAndWriter(file, kinds, options);
    // The only sign of a disk that was not mounted.
    if (!isFilled) onNotice(`The SQLite file ${file} was not there, or empty: it begins with no users.`);
    return store;
  } catch (cause) {
    throw new Error(
      `The SQLite file ${file} can't be used: ${reasonOf(cause)}${noteFullDisk(dirname(file))}`,
      {
        cause,
      },
    );
  }
}

/** SQLite's message alone, such as "disk I/O error", would not name the file. */
const reasonOf = (cause: unknown): string => {
  if (sqliteCode(cause) !== undefined) return describeError(cause);
  return cause instanceof Error ? cause.message : describeError(cause);
};

/** A full disk causes errors of many kinds, so it is mentioned with each of them. */
function noteFullDisk(folder: string): string {
  try {
    return statfsSync(folder).bavail === 0 ? ' (the disk is full)' : '';
  } catch {
    return '';
  }
}

/** SQLite gives the files beside it the same mode. */
function prepareFile(file: string): void {
  const folder = dirname(file);
  makeFolder(folder);
  const isNew = !existsSync(file);
  closeSync(openSync(file, 'a', 0o600));
  if (isNew) keepFileOwner(file, folder);
}

async function openReaderAndWriter(file: string, kinds: Kinds, options: SqliteOptions): Promise<SqliteStore> {
  const { maxQueued = 10_000, busyTimeout = 5_000, isPassedThrough = false, isLogged = true } = options;
  const caches = isPassedThrough ? smallCaches : undefined;
  const cache = caches?.writer;
  const workerData: WriterData = { file, kinds: kinds.source, busyTimeout, cache, isLogged };
  const worker = startWriter(workerData);
  const writer = new WriterClient(worker, { ...options, maxQueued, kinds });
  await writer.waitUntilStarted();
  try {
    const db = openConnection(file, {
      readonly: true,
      busyTimeout: readBusyTimeout,
      cache: caches?.reader,
    });
    // SQLite's log lies beside the file itself, not beside a link to it.
    return new SqliteStore(realpathSync(file), kinds, db, writer, isLogged);
  } catch (cause) {
    await writer.close();
    throw cause;
  }
}

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
  const db = openConnection(file, { readonly: true, busyTimeout: 1000 });
  try {
    return `${describeCount(countUsers(db), 'user', 'users')} in ${file}`;
  } finally {
    db.close();
  }
}
