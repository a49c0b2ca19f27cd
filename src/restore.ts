/** `npm run --silent restore -- BACKUP`: puts a backup in the place of the SQLite file, while the service is stopped. */
import { restore } from './adapters/sqlite/backup.ts';
import { loadSettings } from './config.ts';

async function main([backup, ...more]: readonly string[]): Promise<string> {
  if (backup === undefined || more.length > 0) throw new Error('usage: npm run --silent restore -- BACKUP');
  const { sqlite } = await loadSettings();
  const { users, before } = await restore(backup, sqlite.file);
  const kept = before === undefined ? '' : `; what was there before is ${before}`;
  return `${users} users of ${backup} are in ${sqlite.file}${kept}`;
}

try {
  process.stdout.write(`${await main(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`Nothing restored: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
