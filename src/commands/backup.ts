/**
 * `backup FILE` writes one state of the users in SQLite, whether or not the service runs; `backup --verify FILE` checks a backup. `restore BACKUP` replaces
 * the SQLite file with a backup while the service is stopped.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp, restore, verifyBackup } from '../adapters/stores/sqlite/backup.ts';
import { loadSettings } from '../config/settings.ts';
import { describeCount } from '../domain/validation/describe-count.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';
import { readText } from './values.ts';

/** The file of the configured store. @throws Error with another store, beside which an old file could lie */
async function requireSqliteFile(): Promise<string> {
  const { store, sqlite } = await loadSettings();
  if (store === 'sqlite') return sqlite.file;
  throw new Error(
    `the store is ${store} (USERS_STORE), and this command is for SQLite: see docs/operate/back-up.md`,
  );
}

async function backup(target: string): Promise<[string]> {
  const file = await requireSqliteFile();
  const count = await backUp(file, target);
  return [`${describeCount(count, `user of ${file} is`, `users of ${file} are`)} in ${target}`];
}

/** Needs no settings: it only reads the backup. */
const verify = async (file: string): Promise<[string]> => [
  `${describeCount(verifyBackup(file), 'user is', 'users are')} in ${file}, which is complete`,
];

export function register(command: CommandLine): void {
  command
    .argument('<file>', 'new file for the backup', readText)
    .option('--verify', 'check an existing backup instead of making one')
    .describeExitCodes({
      [exitCodes.done]: 'the backup is complete',
      [exitCodes.failed]: 'no backup was made, or the existing one is unusable',
    })
    .action((file: string, options: { readonly verify?: true }) =>
      options.verify ? printLines('No good backup', verify)(file) : printLines('No backup', backup)(file),
    );
}

/** A missing file usually means that the settings are not those of the service. */
async function restoreFrom(backup: string, { create }: { readonly create?: true }): Promise<[string]> {
  const file = resolve(await requireSqliteFile());
  if (!create && !existsSync(file))
    throw new Error(
      `there is no database at ${file}: run the command with the settings of the service (USERS_SQLITE_FILE), or add --create`,
    );
  const { users, before } = await restore(backup, file);
  const kept = before === undefined ? '' : `; the previous database is now ${before}`;
  return [`${describeCount(users, `user of ${backup} is`, `users of ${backup} are`)} in ${file}${kept}`];
}

export function registerRestore(command: CommandLine): void {
  command
    .argument('<backup>', 'the backup to restore; it is kept', readText)
    .option('--create', 'restore even if there is no database yet')
    .describeExitCodes({
      [exitCodes.done]: 'restored; the previous file is kept beside it',
      [exitCodes.failed]: 'nothing was restored',
    })
    .action(printLines('Nothing restored', restoreFrom));
}
