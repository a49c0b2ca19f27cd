/** `npm run --silent token -- --scope "users:read users:write"`: a short-lived token for the service on this machine. */
import { parseArgs } from 'node:util';
import { developmentKey, developmentToken } from './adapters/credentials/jwt/development-key.ts';
import { development, developmentKeyFile, isDevelopment } from './authentication.ts';
import { loadSettings } from './config.ts';
import { scopes } from './domain/scopes.ts';

const lifetime = 3600;

async function main(): Promise<string> {
  const { values } = parseArgs({ options: { scope: { type: 'string', multiple: true } } });
  const asked = (values.scope ?? []).flatMap((text) => text.split(/[ ,]+/)).filter((name) => name !== '');
  const unknown = asked.find((name) => !scopes.some((scope) => scope === name));
  if (asked.length === 0 || unknown !== undefined)
    throw new Error(`--scope takes some of: ${scopes.join(' ')}`);
  const settings = await loadSettings();
  if (!isDevelopment(settings))
    throw new Error('authentication is configured here: ask your issuer for a token, or use an API key');
  const key = developmentKey(developmentKeyFile(settings));
  return developmentToken(key, { ...development, scopes: asked, seconds: lifetime, typ: 'at+jwt' });
}

try {
  process.stdout.write(`${await main()}\n`);
} catch (error) {
  process.stderr.write(`No token: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
