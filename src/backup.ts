/** `npm run --silent backup -- FILE`: one state of the users in SQLite, whether the service runs or not. */
import { backUp } from './adapters/sqlite/backup.ts';
import { commandLine } from './command-line.ts';
import { loadSettings } from './config.ts';

const usage = 'usage: npm run --silent backup -- FILE';

async function main(): Promise<string> {
  const [target = '', ...more] = commandLine([], usage).words;
  if (target === '' || more.length > 0) throw new Error(usage);
  const { sqlite } = await loadSettings();
  return `${await backUp(sqlite.file, target)} users of ${sqlite.file} are in ${target}`;
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  process.stderr.write(`No backup: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
