/**
 * `npm run --silent api-key -- --id NAME --scope "users:read"`: makes an API key and shows its secret this once.
 * `… api-key -- list` shows which keys there are, and `… api-key -- revoke --id NAME` takes them out.
 */
import { resolve } from 'node:path';
import { addKey, type ListedKey, listKeys, revokeKeys } from './adapters/api-keys/change-keys.ts';
import { instantOf } from './adapters/api-keys/key-file.ts';
import { type CommandLine, commandLine, scopesIn } from './command-line.ts';
import { loadSettings } from './config.ts';
import { scopes } from './domain/scopes.ts';

const usage =
  `usage: npm run --silent api-key -- --id NAME --scope "${scopes.join(' ')}" [--expires 2030-01-01T00:00:00Z], ` +
  'or list, or revoke --id NAME [--key FINGERPRINT]';

interface Command {
  readonly options: readonly string[];
  /** What is written, line by line. Whatever is wrong with `given` is thrown before `file` is called. */
  run(given: CommandLine, file: () => Promise<string>): Promise<readonly string[]>;
}

const fileVariable = 'USERS_API_KEYS_FILE';

async function keyFile(): Promise<string> {
  const { apiKeys } = await loadSettings();
  if (apiKeys.file === '') throw new Error(`set ${fileVariable} to the file that shall hold the keys`);
  return apiKeys.file;
}

function endOf(text: string): Date {
  const end = instantOf(text);
  if (end === undefined)
    throw new Error(`--expires ${text} is no time with a day and a zone, such as 2030-01-01T00:00:00Z`);
  if (end.getTime() <= Date.now()) throw new Error(`--expires ${text} is past: the key would open nothing`);
  return end;
}

const add: Command = {
  options: ['id', 'scope', 'expires'],
  async run(given, file) {
    const [id, expires] = [given.one('id'), given.one('expires')];
    if (id === undefined) throw new Error(usage);
    const granted = scopesIn(given.all('scope'), usage);
    const end = expires === undefined ? undefined : endOf(expires);
    const place = await file();
    const secret = addKey(place, { id, scopes: granted, expires: end });
    // A file of settings is read by the service too; a variable is set for this command alone.
    if (process.env[fileVariable])
      process.stderr.write(`The service takes it when it runs with ${fileVariable}=${resolve(place)}\n`);
    return [`${id}:${secret}`];
  },
};

function described({ fingerprint, id, scopes: granted, expires }: ListedKey): string {
  const verb = expires !== undefined && expires.getTime() <= Date.now() ? 'expired' : 'until';
  const end = expires === undefined ? 'without end' : `${verb} ${expires.toISOString()}`;
  return [fingerprint, id, granted.join(' '), end].join('\t');
}

const list: Command = {
  options: [],
  run: async (_given, file) => listKeys(await file()).map(described),
};

const revoke: Command = {
  options: ['id', 'key'],
  async run(given, file) {
    const [id, fingerprint] = [given.one('id'), given.one('key')];
    if (id === undefined && fingerprint === undefined) throw new Error(usage);
    return revokeKeys(await file(), { id, fingerprint }).map((key) => `revoked\t${described(key)}`);
  },
};

const commands: ReadonlyMap<string, Command> = new Map(Object.entries({ add, list, revoke }));

async function main(): Promise<readonly string[]> {
  const { words } = commandLine(
    [...new Set([...commands.values()].flatMap(({ options }) => options))],
    usage,
  );
  const [name = 'add', ...more] = words;
  const command = commands.get(name);
  const [unknown] = command === undefined ? words : more;
  if (command === undefined || unknown !== undefined)
    throw new Error(`${unknown} is not understood; ${usage}`);
  return command.run(commandLine(command.options, usage), keyFile);
}

try {
  for (const line of await main()) process.stdout.write(`${line}\n`);
} catch (error) {
  process.stderr.write(`Not done: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
