/** Checks the same credentials in Fastify's usual way: tokens by fast-jwt, API keys by hand. */
import { createHash, createPublicKey, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createVerifier } from 'fast-jwt';
import { parseKeyFile } from '../../src/adapters/credentials/api-keys/key-file.ts';
import type { Settings } from '../../src/config/settings.ts';

type Check = (credentials: string) => readonly string[] | undefined;

interface Key {
  readonly alg: 'RS256' | 'ES256' | 'HS256';
  readonly kid: string;
  readonly key: string;
}

function keysOf({ jwt }: Settings): Key[] {
  if (jwt.secret !== '') return [{ alg: 'HS256', kid: '', key: jwt.secret }];
  const { keys } = JSON.parse(readFileSync(jwt.keySetFile, 'utf8'));
  return keys.map((jwk: { kid: string; alg: Key['alg'] }) => ({
    kid: jwk.kid,
    alg: jwk.alg,
    key: createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
  }));
}

/** A verifier for each key, since one for all would have to be asynchronous. */
function createBearerCheck(settings: Settings): Check {
  const { issuer, audience, leeway } = settings.jwt;
  const verifiers = new Map(
    keysOf(settings).map(({ kid, alg, key }) => [
      kid,
      createVerifier({
        key,
        algorithms: [alg],
        allowedIss: issuer,
        allowedAud: audience,
        requiredClaims: ['exp'],
        checkTyp: 'at+jwt',
        clockTolerance: leeway * 1000,
        cache: false,
      }),
    ]),
  );
  return (token) => {
    try {
      const header = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString());
      const claims = verifiers.get(header.kid ?? '')?.(token);
      return claims === undefined ? undefined : String(claims.scope).split(' ');
    } catch {
      return undefined;
    }
  };
}

function createBasicCheck({ apiKeys }: Settings): Check {
  const keys = new Map(parseKeyFile(readFileSync(apiKeys.file, 'utf8')).map((key) => [key.id, key]));
  return (credentials) => {
    const text = Buffer.from(credentials, 'base64').toString();
    const colon = text.indexOf(':');
    const hash = createHash('sha256')
      .update(text.slice(colon + 1))
      .digest();
    const key = keys.get(text.slice(0, colon));
    return key !== undefined && timingSafeEqual(hash, key.hash) ? key.scopes : undefined;
  };
}

/** The check returns the scopes of an `Authorization` header, or undefined when it isn't valid. */
export function createCredentialCheck(settings: Settings): Check {
  const schemes = new Map([
    ['Bearer', createBearerCheck(settings)],
    ['Basic', createBasicCheck(settings)],
  ]);
  return (header) => {
    const space = header.indexOf(' ');
    return schemes.get(header.slice(0, space))?.(header.slice(space + 1));
  };
}
