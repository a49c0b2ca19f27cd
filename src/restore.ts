/** `npm run --silent restore -- BACKUP`: puts a backup in the place of the SQLite file, while the service is stopped. */
import { restore } from './adapters/sqlite/backup.ts';
import { commandLine } from './command-line.ts';
import { loadSettings } from './config.ts';

const usage = 'usage: npm run --silent restore -- BACKUP';

async function main(): Promise<string> {
  const [backup = '', ...more] = commandLine([], usage).words;
  if (backup === '' || more.length > 0) throw new Error(usage);
  const { sqlite } = await loadSettings();
  const { users, before } = await restore(backup, sqlite.file);
  const kept = before === undefined ? '' : `; what was there before is ${before}`;
  return `${users} users of ${backup} are in ${sqlite.file}${kept}`;
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  process.stderr.write(`Nothing restored: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
