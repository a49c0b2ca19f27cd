/** Keys and tokens as an issuer would make them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { JwtOptions } from '../../../src/adapters/jwt/authenticator.ts';

export const now = new Date('2026-06-01T12:00:00Z');
export const clock = { now: () => now };
export const seconds = (after: number): number => now.getTime() / 1_000 + after;

export const issuer = 'https://issuer.example';
export const audience = 'https://users.example';
export const usual: Omit<JwtOptions, 'keys'> = {
  issuer,
  audience,
  algorithms: ['RS256', 'ES256', 'EdDSA'],
  typ: 'at+jwt',
  leewaySeconds: 30,
};

export interface IssuerKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: CryptoKey;
  /** The public half. */
  readonly jwk: JWK;
}

export async function issuerKey(kid: string, alg = 'ES256'): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
}

export const claims: JWTPayload = {
  iss: issuer,
  aud: audience,
  sub: 'billing',
  iat: seconds(-10),
  exp: seconds(300),
  scope: 'users:read',
};

/** A token with the usual claims and header; what is given replaces them, undefined removes. */
export function sign(
  key: Pick<IssuerKey, 'alg' | 'kid'> & { readonly privateKey: CryptoKey | Uint8Array },
  changes: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  return new SignJWT({ ...claims, ...changes })
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
    .sign(key.privateKey);
}

/** A folder that is gone after the tests of the surrounding `describe`. */
export function temporaryFolder(): (name: string) => string {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token signed with an RSA key that is too short to be safe, its name in the token unless `named` is false, and its public half. */
export async function shortKey({ named = true } = {}): Promise<{ jwk: JWK; token: string }> {
  const publicExponent = Uint8Array.of(1, 0, 1);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1_024, publicExponent, hash: 'SHA-256' };
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { n = '', e = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const header = { alg: 'RS256', kid: named ? 'short' : undefined, typ: 'at+jwt' };
  const body = `${encode(header)}.${encode(claims)}`;
  const signature = await crypto.subtle.sign(algorithm.name, pair.privateKey, Buffer.from(body));
  const token = `${body}.${Buffer.from(signature).toString('base64url')}`;
  return { jwk: { kty: 'RSA', n, e, kid: 'short' }, token };
}
