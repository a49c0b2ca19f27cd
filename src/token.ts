/** `npm run --silent token -- --scope "users:read users:write"`: a short-lived token for the service on this machine. */
import { developmentKey, developmentToken } from './adapters/jwt/development-key.ts';
import { development, developmentKeyFile, isDevelopment } from './authentication.ts';
import { commandLine, scopesIn } from './command-line.ts';
import { loadSettings } from './config.ts';

/** In seconds; it can't be chosen. */
const lifetime = 3600;
const usage = 'usage: npm run --silent token -- --scope "users:read users:write"';

async function main(): Promise<string> {
  const given = commandLine(['scope'], usage);
  const [word] = given.words;
  if (word !== undefined) throw new Error(`${word} is not understood; ${usage}`);
  const asked = scopesIn(given.all('scope'), usage);
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
