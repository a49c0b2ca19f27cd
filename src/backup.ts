/** `npm run --silent backup -- FILE`: one state of the users in SQLite, whether the service runs or not. */
import { backUp } from './adapters/sqlite/backup.ts';
import { loadSettings } from './config.ts';

async function main([target, ...more]: readonly string[]): Promise<string> {
  if (target === undefined || more.length > 0) throw new Error('usage: npm run --silent backup -- FILE');
  const { sqlite } = await loadSettings();
  return `${await backUp(sqlite.file, target)} users of ${sqlite.file} are in ${target}`;
}

try {
  process.stdout.write(`${await main(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`No backup: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
