/** Opens the store. Obstacles are found and explained before the file is changed. */
import { closeSync, openSync, realpathSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { UserStore } from '../../../domain/ports.ts';
import { makeFolder } from '../../system/files.ts';
import type { Readable } from '../base/store-module.ts';
import {
  describeError,
  openConnection,
  readBusyTimeout,
  smallCaches,
  sqliteCode,
} from './file/connection.ts';
import { assertUndamaged } from './file/integrity.ts';
import { assertDriverLoads } from './file/native-driver.ts';
import { assertUsableFile } from './file/usable-file.ts';
import { assertReadable, layoutNumber } from './layout/layout.ts';
import { SqliteStore } from './store.ts';
import { assertWalFits } from './wal/wal-fit.ts';
import { startWriter, WriterClient } from './write/writer-client.ts';
import type { WriterData } from './write/writer-messages.ts';

export interface SqliteOptions {
  /** Created when missing, readable only by its owner, as are its parent folders. Must be on a local disk. */
  readonly file: string;
  /**
   * Called once, when the content of the file is uncertain (an I/O error, also of a checkpoint or a read; damage; the file moved
   * away; the writer's death). Every write from then on is `unavailable`: the process should end, and recover by starting again.
   */
  readonly onFatal: (cause: unknown) => void;
  /** Called with a line for the log, about trouble that the service survives. */
  readonly onProblem?: (message: string) => void;
  /** Told what is in order and can't be seen otherwise, such as that there was no file. Fit for a log. */
  readonly onNotice?: (message: string) => void;
  /** Told how far it is while a file of an earlier release is brought up to date, which can take minutes. Fit for a log. */
  readonly onProgress?: (message: string) => void;
  /** Called after each commit, with how many writes it had. */
  readonly onCommit?: ((writes: number) => void) | undefined;
  /** More writes than this without an answer are `unavailable` at once; 10,000 by default. */
  readonly maxQueued?: number;
  /** How long writes wait for another process's, in milliseconds, before they are `unavailable`; 5,000 by default. */
  readonly busyTimeout?: number;
  /** See `StoreHooks`. */
  readonly isPassedThrough?: boolean | undefined;
}

/**
 * Opens the file, bringing one of an earlier release up to date; returns when it can serve.
 * @throws Error whose message names the file and what is wrong with it, fit for an operator. A file that isn't ours or
 *   that a newer release wrote is left as it is.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<UserStore & Readable> {
  const file = resolve(options.file);
  try {
    assertDriverLoads();
    assertUsableFile(file);
    await assertWalFits(file);
    prepareFile(file);
    await assertUndamaged(file);
    const layout = assertReadable(file);
    if (isEarlier(layout))
      options.onProgress?.(
        `The SQLite file ${file} has layout ${layout}, which is being changed to ${layoutNumber}.`,
      );
    const store = await openReaderAndWriter(file, options);
    const notice = noticeOf(file, layout);
    if (notice !== undefined) options.onNotice?.(notice);
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

/** 0 is an empty file's. */
const isEarlier = (layout: number): boolean => layout > 0 && layout < layoutNumber;

/** The only sign of a disk that was not mounted, or of a downgrade. */
function noticeOf(file: string, layout: number): string | undefined {
  if (layout === 0) return `The SQLite file ${file} was not there, or empty: it begins with no users.`;
  if (!isEarlier(layout)) return undefined;
  return `The SQLite file ${file} was brought up to layout ${layoutNumber}: releases that know ${layout} refuse it from now on.`;
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
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

async function openReaderAndWriter(file: string, options: SqliteOptions): Promise<SqliteStore> {
  const {
    onFatal,
    onProblem = () => {},
    onProgress = () => {},
    maxQueued = 10_000,
    busyTimeout = 5_000,
    onCommit = () => {},
    isPassedThrough = false,
  } = options;
  const caches = isPassedThrough ? smallCaches : undefined;
  const workerData: WriterData = { file, busyTimeout, cache: caches?.writer };
  const writer = new WriterClient(startWriter(workerData, isPassedThrough), {
    onFatal,
    onProblem,
    onProgress,
    onCommit,
    maxQueued,
  });
  await writer.waitUntilStarted();
  try {
    const cache = caches?.reader;
    const db = openConnection(file, { readonly: true, busyTimeout: readBusyTimeout, cache });
    // SQLite's log lies beside the file itself, not beside a link to it.
    return new SqliteStore(realpathSync(file), db, writer);
  } catch (cause) {
    await writer.close();
    throw cause;
  }
}
