/** `restore BACKUP`: replaces the SQLite file with a backup while the service is stopped. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { restore } from '../adapters/stores/sqlite/backup.ts';
import { describeCount } from '../domain/validation/describe-count.ts';
import { requireSqliteFile } from './backup.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';
import { readText } from './values.ts';

interface RestoreOptions {
  readonly create?: true;
}

/** A missing file usually means that the settings are not those of the service. */
async function restoreFrom(backup: string, { create }: RestoreOptions): Promise<[string]> {
  const file = resolve(await requireSqliteFile());
  if (!create && !existsSync(file))
    throw new Error(
      `there is no database at ${file}: run the command with the settings of the service (USERS_SQLITE_FILE), or add --create`,
    );
  const { users, before } = await restore(backup, file);
  const kept = before === undefined ? '' : `; the previous database is now ${before}`;
  return [`${describeCount(users, `user of ${backup} is`, `users of ${backup} are`)} in ${file}${kept}`];
}

export function register(command: CommandLine): void {
  command
    .argument('<backup>', 'the backup to restore; the file stays', readText)
    .option('--create', 'restore even if there is no database yet')
    .describeExitCodes({
      [exitCodes.done]: 'restored; the previous file is kept beside it',
      [exitCodes.failed]: 'nothing was restored',
    })
    .action(printLines('Nothing restored', restoreFrom));
}
