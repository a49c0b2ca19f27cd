/** `token --scope "users:read users:write"`: a short-lived token for the service on this machine. */
import { developmentKey, developmentToken } from '../adapters/credentials/jwt/development-key.ts';
import { development, developmentKeyFile, isDevelopment } from '../config/authentication.ts';
import { loadSettings } from '../config/settings.ts';
import type { Scope } from '../domain/scopes.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';
import { scopeOption } from './values.ts';

/** In seconds; not configurable. */
const lifetime = 3600;

async function makeToken({ scope }: { readonly scope: readonly Scope[] }): Promise<[string]> {
  const settings = await loadSettings();
  if (!isDevelopment(settings))
    throw new Error('authentication is configured here: ask your issuer for a token, or use an API key');
  const key = developmentKey(developmentKeyFile(settings));
  return [await developmentToken(key, { ...development, scopes: scope, seconds: lifetime, typ: 'at+jwt' })];
}

export function register(command: CommandLine): void {
  command
    .addOption(scopeOption())
    .describeExitCodes({
      [exitCodes.done]: 'the token is on standard output',
      [exitCodes.failed]: 'no token was made',
    })
    .action(printLines('No token', makeToken));
}
