/** Which credentials are good, from the settings: signed tokens, API keys, or the development key. */
import { dirname, join } from 'node:path';
import { apiKeyAuthenticator } from './adapters/api-keys/authenticator.ts';
import { jwtAuthenticator, type KeySource } from './adapters/jwt/authenticator.ts';
import { developmentKey } from './adapters/jwt/development-key.ts';
import { type Settings, SettingsError } from './config.ts';
import type { Authenticator, Clock } from './domain/ports.ts';

/** What a development token says of itself; the service that made the key is the only one to believe it. */
export const development = { issuer: 'urn:user-management:development', audience: 'urn:user-management' };

const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host);

/** Beside the data, or below it where the store has no file. */
export const developmentKeyFile = ({ sqlite }: Settings): string =>
  join(dirname(sqlite.file), 'development.key');

function keySource({ jwt, keyFiles }: Settings): KeySource | undefined {
  const sources: KeySource[] = [];
  if (jwt.keySetUrl !== '') {
    const { keySetMaxAge: maxAgeSeconds, keySetTimeout: timeout } = jwt;
    sources.push({ jwksUrl: new URL(jwt.keySetUrl), maxAgeSeconds, timeout });
  }
  if (jwt.keySetFile !== '') sources.push({ jwksFile: jwt.keySetFile, maxStaleSeconds: keyFiles.maxStale });
  if (jwt.secret !== '') sources.push({ secret: new TextEncoder().encode(jwt.secret) });
  if (sources.length > 1)
    throw new SettingsError('jwt: only one of keySetUrl, keySetFile and secret can be set');
  return sources[0];
}

/** The variables that set these keys, and what is to be made of them. */
function variablesOf(keys: KeySource, algorithms: string): string {
  const ofFile = 'jwksFile' in keys ? 'USERS_JWT_KEY_SET_FILE' : 'USERS_JWT_KEY_SET_URL';
  const ofKeys = 'secret' in keys ? 'USERS_JWT_SECRET' : ofFile;
  return algorithms === '' ? ofKeys : `${ofKeys}, USERS_JWT_ALGORITHMS`;
}

function bearer(settings: Settings, keys: KeySource, clock: Clock, onProblem: (message: string) => void) {
  const { issuer, audience, algorithms, typ, leeway } = settings.jwt;
  if (issuer === '' || audience === '')
    throw new SettingsError('jwt: issuer and audience must be set with keys');
  const usual = 'secret' in keys ? ['HS256'] : ['RS256', 'ES256', 'EdDSA'];
  const allowed = [...new Set(algorithms.split(' '))].filter((name) => name !== '');
  const rules = { issuer, audience, typ, leewaySeconds: leeway };
  try {
    return jwtAuthenticator(
      { ...rules, algorithms: allowed.length > 0 ? allowed : usual, keys, onProblem },
      clock,
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsError(`jwt (${variablesOf(keys, algorithms)}): ${reason}`, { cause });
  }
}

function basic({ apiKeys, keyFiles }: Settings, clock: Clock, onProblem: (message: string) => void) {
  const options = { file: apiKeys.file, maxStaleSeconds: keyFiles.maxStale, onProblem };
  try {
    return apiKeyAuthenticator(options, clock);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsError(`apiKeys (USERS_API_KEYS_FILE): ${reason}`, { cause });
  }
}

/** Whether the service makes itself a key: nothing configured, on loopback, not in production. */
export function isDevelopment(settings: Settings): boolean {
  const { issuer, audience } = settings.jwt;
  const nothing =
    keySource(settings) === undefined && settings.apiKeys.file === '' && issuer === '' && audience === '';
  return nothing && isLoopback(settings.host) && process.env.NODE_ENV !== 'production';
}

/** Who sets what a token must say, and no keys, would have a service that takes none without a word of it. */
function assertNothingOfTokens({ jwt: { issuer, audience, algorithms }, apiKeys }: Settings): void {
  const rules = issuer + audience + algorithms;
  if (rules === '' || (apiKeys.file === '' && algorithms === '')) return;
  throw new SettingsError(
    'jwt: issuer, audience and algorithms are of no use without keys: set USERS_JWT_KEY_SET_URL, USERS_JWT_KEY_SET_FILE or ' +
      'USERS_JWT_SECRET',
  );
}

function ofDevelopmentKey(settings: Settings, clock: Clock): Authenticator {
  const keys = { secret: developmentKey(developmentKeyFile(settings)) };
  const rules = { algorithms: ['HS256'], typ: 'at+jwt', leewaySeconds: 0 } as const;
  return jwtAuthenticator({ ...development, ...rules, keys }, clock);
}

/** @throws SettingsError when there'd be no way to prove who asks, or when the settings contradict each other */
export function authenticatorsOf(
  settings: Settings,
  clock: Clock,
  onProblem: (message: string) => void,
): Authenticator[] {
  const keys = keySource(settings);
  const { file } = settings.apiKeys;
  if (keys === undefined) assertNothingOfTokens(settings);
  const configured = [
    ...(keys === undefined ? [] : [bearer(settings, keys, clock, onProblem)]),
    ...(file === '' ? [] : [basic(settings, clock, onProblem)]),
  ];
  if (configured.length > 0) return configured;
  if (!isDevelopment(settings))
    throw new SettingsError(
      'authentication is not configured: set jwt (USERS_JWT_KEY_SET_URL, USERS_JWT_KEY_SET_FILE or USERS_JWT_SECRET, ' +
        'with USERS_JWT_ISSUER and USERS_JWT_AUDIENCE) or apiKeys (USERS_API_KEYS_FILE)',
    );
  return [ofDevelopmentKey(settings, clock)];
}
