/** `backup FILE`: one state of the users in SQLite, whether the service runs or not. */
import { backUp } from '../adapters/stores/sqlite/backup.ts';
import { loadSettings } from '../config.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';
import { readText } from './values.ts';

async function backup(target: string): Promise<[string]> {
  const { sqlite } = await loadSettings();
  return [`${await backUp(sqlite.file, target)} users of ${sqlite.file} are in ${target}`];
}

export function register(command: CommandLine): void {
  command
    .argument('<file>', 'where to; nothing may be there yet', readText)
    .endsWith({ [exitCodes.done]: 'the backup is whole', [exitCodes.failed]: 'no backup was made' })
    .action(printLines('No backup', backup));
}
