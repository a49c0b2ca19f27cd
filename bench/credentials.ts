/** One credential of each kind, and the settings with which a server takes them. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { addKey } from '../src/adapters/api-keys/change-keys.ts';
import { scopes } from '../src/domain/scopes.ts';

export type Settings = Readonly<Record<string, string>>;
export type Headers = Readonly<Record<string, string>>;

const issuer = 'urn:bench';
const audience = 'urn:bench:users';
const secret = 'the secret of a benchmark, 32 bytes or more';

/** A service has one source of keys for tokens, so it takes two servers to try all kinds. */
export type Takes = 'secret' | 'keySet';

export interface Credential {
  readonly name: string;
  readonly takenBy: Takes;
  readonly headers: Headers;
}

export interface Credentials {
  readonly apiKey: Credential;
  readonly hs256: Credential;
  readonly rs256: Credential;
  readonly es256: Credential;
  /** What a server is started with to take them. */
  readonly settings: Readonly<Record<Takes, Settings>>;
}

const sign = (alg: string, key: Parameters<SignJWT['sign']>[0], kid?: string): Promise<string> =>
  new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg, typ: 'at+jwt', ...(kid === undefined ? {} : { kid }) })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject('bench')
    .setIssuedAt()
    .setExpirationTime('24h')
    .sign(key);

/** Keys are made anew for each run, in `folder`. */
export async function makeCredentials(folder: string): Promise<Credentials> {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keySet = {
    keys: [
      { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', alg: 'RS256', use: 'sig' },
      { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec', alg: 'ES256', use: 'sig' },
    ],
  };
  const keySetFile = join(folder, 'key-set.json');
  writeFileSync(keySetFile, JSON.stringify(keySet));
  const apiKeyFile = join(folder, 'api-keys.json');
  const apiKey = addKey(apiKeyFile, { id: 'bench', scopes });
  const common = {
    USERS_PORT: '0',
    USERS_JWT_ISSUER: issuer,
    USERS_JWT_AUDIENCE: audience,
    USERS_API_KEYS_FILE: apiKeyFile,
  };
  const bearer = (name: string, takenBy: Takes, token: string): Credential => ({
    name,
    takenBy,
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    apiKey: {
      name: 'API key',
      takenBy: 'secret',
      headers: { authorization: `Basic ${Buffer.from(`bench:${apiKey}`).toString('base64')}` },
    },
    hs256: bearer('HS256', 'secret', await sign('HS256', new TextEncoder().encode(secret))),
    rs256: bearer('RS256', 'keySet', await sign('RS256', rsa.privateKey, 'rsa')),
    es256: bearer('ES256', 'keySet', await sign('ES256', ec.privateKey, 'ec')),
    settings: {
      secret: { ...common, USERS_JWT_SECRET: secret },
      keySet: { ...common, USERS_JWT_KEY_SET_FILE: keySetFile },
    },
  };
}
