/** `token --scope "users:read users:write"`: a short-lived token for the service on this machine. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { developmentKey, developmentToken } from '../adapters/credentials/jwt/development-key.ts';
import { assertUsable } from '../config/access.ts';
import { development, developmentKeyFile, settingsAgainstOwnTokens } from '../config/authentication.ts';
import { loadSettings } from '../config/settings.ts';
import { profileScope, type Scope } from '../domain/scopes.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';
import { profileLimit, readProfile, refuseRepeated, scopeOption } from './values.ts';

/** In seconds; not configurable. */
const lifetime = 3600;

interface TokenOptions {
  readonly scope: readonly Scope[];
  readonly profile?: string;
}

async function makeToken({ scope, profile }: TokenOptions): Promise<[string]> {
  const settings = await loadSettings();
  const obstacles = settingsAgainstOwnTokens(settings);
  if (obstacles.length > 0)
    throw new Error(
      `the service would refuse it because of ${obstacles.join(', ')}: use a token of your issuer, or an API key`,
    );
  assertUsable(settings, profile);
  const file = developmentKeyFile(settings);
  const isFirst = !existsSync(file);
  const key = developmentKey(file);
  if (isFirst)
    process.stderr.write(
      `Warning: ${resolve(file)} is a new key. Only a service that runs with this file accepts the token.\n`,
    );
  const scopes = profile === undefined ? scope : [...scope, profileScope(profile)];
  return [await developmentToken(key, { ...development, scopes, seconds: lifetime, typ: 'at+jwt' })];
}

export function register(command: CommandLine): void {
  command
    .addOption(scopeOption())
    .option('--profile <name>', `access profile: ${profileLimit}`, refuseRepeated(readProfile))
    .describeExitCodes({
      [exitCodes.done]: 'the token is on standard output',
      [exitCodes.failed]: 'no token was made',
    })
    .action(printLines('No token', makeToken));
}
