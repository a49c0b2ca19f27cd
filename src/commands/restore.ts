/** `restore BACKUP`: replaces the SQLite file with a backup while the service is stopped. */

import { restore } from '../adapters/stores/sqlite/backup.ts';
import { loadSettings } from '../config/settings.ts';
import { describeCount } from '../domain/base/describe-count.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';
import { readText } from './values.ts';

async function restoreFrom(backup: string): Promise<[string]> {
  const { sqlite } = await loadSettings();
  const { users, before } = await restore(backup, sqlite.file);
  const kept = before === undefined ? '' : `; what was there before is ${before}`;
  return [
    `${describeCount(users, `user of ${backup} is`, `users of ${backup} are`)} in ${sqlite.file}${kept}`,
  ];
}

export function register(command: CommandLine): void {
  command
    .argument('<backup>', 'the file to take; it stays', readText)
    .describeExitCodes({
      [exitCodes.done]: 'restored; what was there before is kept beside it',
      [exitCodes.failed]: 'nothing was restored',
    })
    .action(printLines('Nothing restored', restoreFrom));
}
