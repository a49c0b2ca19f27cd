/** Makes the authenticators that the settings ask for: signed tokens, API keys, or the development key. */

import { dirname, join } from 'node:path';
import { type ApiKeys, apiKeys, isKeyShaped } from '../adapters/credentials/api-keys/authenticator.ts';
import type { KeyEvent, KeyPlace } from '../adapters/credentials/bearer.ts';
import { type BearerKind, bearerAuthenticator, missingKind } from '../adapters/credentials/bearer.ts';
import { jwtTokens, type KeySource, variableOf } from '../adapters/credentials/jwt/authenticator.ts';
import { developmentKey } from '../adapters/credentials/jwt/development-key.ts';
import { isTokenShaped } from '../adapters/credentials/jwt/jws.ts';
import type { ContractOf } from '../adapters/http/authentication.ts';
import { messageOf } from '../adapters/system/errors.ts';
import type { Authenticator, Clock } from '../domain/ports.ts';
import { DomainError, unauthenticated } from '../domain/validation/errors.ts';
import { isLoopback } from './addresses.ts';
import type { Settings } from './settings.ts';
import { nameSetting, SettingsError } from './sources.ts';

/** Claims of development tokens, which only a service with the same development key accepts. */
export const development = { issuer: 'urn:user-management:development', audience: 'urn:user-management' };

/** The file of the development key: beside the SQLite file, also when another store is used. */
export const developmentKeyFile = ({ sqlite }: Settings): string =>
  join(dirname(sqlite.file), 'development.key');

/** Reports about the keys while the service runs: problems are lines for the log, events are for the metrics. */
interface Reports {
  readonly onProblem: (message: string) => void;
  readonly onKeys?: (place: KeyPlace, event: KeyEvent) => void;
}

function keySourceOf({ jwt, keyFiles }: Settings, { onKeys }: Reports): KeySource | undefined {
  const sources: KeySource[] = [];
  if (jwt.keySetUrl !== '') {
    const { keySetMaxAge: maxAgeSeconds, keySetTimeout: timeout } = jwt;
    const jwksUrl = new URL(jwt.keySetUrl);
    sources.push({ jwksUrl, maxAgeSeconds, timeout, onKeys: (event) => onKeys?.('jwks-url', event) });
  }
  if (jwt.keySetFile !== '')
    sources.push({
      jwksFile: jwt.keySetFile,
      maxStaleSeconds: keyFiles.maxStale,
      onKeys: (event) => onKeys?.('jwks-file', event),
    });
  if (jwt.secret !== '') sources.push({ secret: new TextEncoder().encode(jwt.secret) });
  if (sources.length > 1)
    throw new SettingsError('jwt: only one of keySetUrl, keySetFile and secret can be set');
  return sources[0];
}

function createTokens({ jwt }: Settings, keys: KeySource, clock: Clock, { onProblem }: Reports): BearerKind {
  const { issuer, audience, algorithms, typ, leeway } = jwt;
  if (issuer === '' || audience === '')
    throw new SettingsError('jwt: issuer and audience must be set with keys');
  const usual = 'secret' in keys ? ['HS256'] : ['RS256', 'ES256', 'EdDSA'];
  const allowed = [...new Set(algorithms.split(' '))].filter((name) => name !== '');
  const rules = { issuer, audience, typ, leewaySeconds: leeway };
  const options = { ...rules, algorithms: allowed.length > 0 ? allowed : usual, keys, onProblem };
  const variables = [variableOf(keys), ...(algorithms === '' ? [] : ['USERS_JWT_ALGORITHMS'])];
  return nameSetting(`jwt (${variables.join(', ')})`, () => jwtTokens(options, clock));
}

function createApiKeys(settings: Settings, clock: Clock, { onProblem, onKeys }: Reports): ApiKeys {
  const options = {
    file: settings.apiKeys.file,
    maxStaleSeconds: settings.keyFiles.maxStale,
    onProblem,
    onKeys: (event: KeyEvent) => onKeys?.('api-keys', event),
  };
  return nameSetting('apiKeys (USERS_API_KEYS_FILE)', () => apiKeys(options, clock));
}

/** The variables that prevent the service from making a development key and accepting its tokens. */
export function settingsAgainstOwnTokens({ jwt, apiKeys, host }: Settings): string[] {
  const conditions: Readonly<Record<string, boolean>> = {
    USERS_JWT_KEY_SET_URL: jwt.keySetUrl !== '',
    USERS_JWT_KEY_SET_FILE: jwt.keySetFile !== '',
    USERS_JWT_SECRET: jwt.secret !== '',
    USERS_JWT_ISSUER: jwt.issuer !== '',
    USERS_JWT_AUDIENCE: jwt.audience !== '',
    USERS_API_KEYS_FILE: apiKeys.file !== '',
    [`USERS_HOST=${host}`]: !isLoopback(host),
    'NODE_ENV=production': process.env.NODE_ENV === 'production',
  };
  return Object.keys(conditions).filter((name) => conditions[name]);
}

/** Whether the service makes a development key: nothing is configured, it listens on loopback and isn't in production. */
export const isDevelopment = (settings: Settings): boolean => settingsAgainstOwnTokens(settings).length === 0;

/** Rules for tokens without keys are a mistake: the service would silently refuse every token. */
function assertNoTokenRules({ jwt: { issuer, audience, algorithms }, apiKeys }: Settings): void {
  const rules = issuer + audience + algorithms;
  if (rules === '' || (apiKeys.file === '' && algorithms === '')) return;
  throw new SettingsError(
    'jwt: issuer, audience and algorithms are of no use without keys: set USERS_JWT_KEY_SET_URL, USERS_JWT_KEY_SET_FILE or ' +
      'USERS_JWT_SECRET',
  );
}

function createDevelopment(settings: Settings, clock: Clock): BearerKind {
  const keys = { secret: developmentKey(developmentKeyFile(settings)) };
  const rules = { algorithms: ['HS256'], typ: 'at+jwt', leewaySeconds: 0 } as const;
  const ownTokens = jwtTokens({ ...development, ...rules, keys }, clock);
  return { ...ownTokens, authenticate: (token) => explainDevelopment(() => ownTokens.authenticate(token)) };
}

/** Without settings the failed check of a token says nothing useful, so the message names the settings. */
function explainDevelopment<T>(authenticate: () => T): T {
  try {
    return authenticate();
  } catch (error) {
    if (!(error instanceof DomainError) || error.fault === undefined || error.fault === 'token-expired')
      throw error;
    throw unauthenticated(
      error.fault,
      'This service takes only tokens of the command token, made where it keeps its data: no USERS_JWT_KEY_SET_URL, _FILE or ' +
        'USERS_JWT_SECRET is set where it runs.',
    );
  }
}

/** The version of the contract for a client: from its API key, else from the settings for this client, else the default. */
export function contractOf({
  contract,
  contractClients,
}: Pick<Settings, 'contract' | 'contractClients'>): ContractOf {
  const ofClients = new Map(
    contractClients
      .split(' ')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split('=') as [string, string]),
  );
  const byDefault = contract === '' ? undefined : contract;
  return (principal) => principal.contract ?? ofClients.get(principal.id) ?? byDefault;
}

const noApiKeysMessage = 'This service takes no API keys: USERS_API_KEYS_FILE is not set where it runs.';

/** By scheme: the message for credentials that aren't configured, with the settings that they need. */
export const schemeHints: ReadonlyMap<string, string> = new Map([['basic', noApiKeysMessage]]);

/** The same for API keys and tokens over Bearer. */
export const noApiKeys = missingKind(isKeyShaped, noApiKeysMessage);
export const noTokens = missingKind(
  isTokenShaped,
  'This service takes no tokens: no USERS_JWT_KEY_SET_URL, _FILE or USERS_JWT_SECRET is set where it runs.',
);

/** Without either in development. @throws SettingsError as `authenticatorsOf` */
function credentialsOf(settings: Settings, clock: Clock, reports: Reports) {
  const keys = keySourceOf(settings, reports);
  if (keys === undefined) assertNoTokenRules(settings);
  const tokens = keys && createTokens(settings, keys, clock, reports);
  const keysOfFile = settings.apiKeys.file === '' ? undefined : createApiKeys(settings, clock, reports);
  if (tokens === undefined && keysOfFile === undefined && !isDevelopment(settings))
    throw new SettingsError(
      'authentication is not configured: set jwt (USERS_JWT_KEY_SET_URL, USERS_JWT_KEY_SET_FILE or USERS_JWT_SECRET, ' +
        'with USERS_JWT_ISSUER and USERS_JWT_AUDIENCE) or apiKeys (USERS_API_KEYS_FILE)',
    );
  return { tokens, keysOfFile };
}

/** @throws SettingsError when no credentials could be accepted, or when settings contradict each other */
export function authenticatorsOf(settings: Settings, clock: Clock, reports: Reports): Authenticator[] {
  const { tokens, keysOfFile } = credentialsOf(settings, clock, reports);
  if (keysOfFile !== undefined)
    return [bearerAuthenticator(tokens ?? noTokens, keysOfFile.bearer), keysOfFile.basic];
  return [bearerAuthenticator(tokens ?? createDevelopment(settings, clock), noApiKeys)];
}

/**
 * Reads or fetches the keys as a service would, but makes no development key.
 * @returns a line for an operator: the accepted credentials
 * @throws Error with the fault of the settings, the files or the issuer's keys
 */
export async function inspectCredentials(settings: Settings, clock: Clock): Promise<string> {
  const problems: string[] = [];
  const onProblem = (problem: string): unknown => problems.push(problem);
  const { tokens, keysOfFile } = credentialsOf(settings, clock, { onProblem });
  const kinds = [tokens, keysOfFile?.bearer].filter((kind) => kind !== undefined);
  if (kinds.length === 0) return 'its own tokens (by the command token), since nothing is configured';
  const told: string[] = [];
  for (const kind of kinds) {
    try {
      told.push((await kind.inspect?.()) ?? '');
    } catch (cause) {
      if (problems.length === 0) problems.push(messageOf(cause));
    }
  }
  await Promise.all(kinds.map((kind) => kind.close()));
  if (problems.length > 0) throw new Error(problems.join('; '));
  return told.join('; ');
}
