/** `npm run --silent api-key -- --id NAME --scope "users:read"`: makes an API key and shows its secret this once. */
import { parseArgs } from 'node:util';
import { addKey } from './adapters/credentials/api-keys/key-file.ts';
import { loadSettings } from './config.ts';
import { scopes } from './domain/scopes.ts';

const usage = `usage: npm run --silent api-key -- --id NAME --scope "${scopes.join(' ')}" [--expires 2030-01-01T00:00:00Z]`;

function dateOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(usage);
  return date;
}

async function main(): Promise<string> {
  const { values } = parseArgs({
    options: {
      id: { type: 'string' },
      scope: { type: 'string', multiple: true },
      expires: { type: 'string' },
    },
  });
  const { id, expires } = values;
  const asked = (values.scope ?? []).flatMap((text) => text.split(/[ ,]+/));
  const granted = scopes.filter((scope) => asked.includes(scope));
  if (id === undefined || granted.length === 0 || granted.length < asked.length) throw new Error(usage);
  const { apiKeys } = await loadSettings();
  if (apiKeys.file === '') throw new Error('set USERS_API_KEYS_FILE to the file that shall hold the keys');
  const secret = addKey(apiKeys.file, { id, scopes: granted, expires: dateOf(expires) });
  return `${id}:${secret}`;
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  process.stderr.write(`No key: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
