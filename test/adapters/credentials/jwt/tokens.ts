/** Keys and tokens as an issuer would make them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { JwtOptions } from '../../../../src/adapters/credentials/jwt/authenticator.ts';

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
