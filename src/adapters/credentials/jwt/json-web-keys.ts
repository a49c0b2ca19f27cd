/** Imports JSON Web Keys (RFC 7517), once for each set that is read. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Algorithm, algorithms, type SignatureCheck } from './algorithms.ts';
import type { JsonObject } from './parse-jws.ts';

const minRsaBits = 2_048;
const maxRsaBits = 16_384;

/** A key with one algorithm it may be used with. */
export interface SigningKey {
  /** Undefined for a shared secret, or a key without a name in the set. */
  readonly kid?: string | undefined;
  readonly check: SignatureCheck;
  readonly signatureBytes: number;
}

export type SigningKeys = ReadonlyMap<string, readonly SigningKey[]>;

interface ReadKeys {
  /** By algorithm. */
  readonly keys: SigningKeys;
  /** Why keys for checking signatures can't be used, each with the key's pointer first (RFC 6901). Nothing secret. */
  readonly faults: readonly string[];
}

/** Keys for other uses or unknown algorithms are ignored (RFC 7517 §5). */
export function readSigningKeys(set: readonly JsonObject[]): ReadKeys {
  const keys = new Map<string, SigningKey[]>();
  const faults: string[] = [];
  for (const [index, jwk] of set.entries()) {
    const served = isForSignatures(jwk)
      ? [...algorithms].filter(([name, one]) => canUse(jwk, name, one))
      : [];
    const read = isSecret(jwk) || served.length > 0 ? importPublicKey(jwk) : undefined;
    if (typeof read === 'string') faults.push(`/keys/${index} ${read}`);
    if (read === undefined || typeof read === 'string') continue;
    const kid = typeof jwk.kid === 'string' ? jwk.kid : undefined;
    for (const [name, algorithm] of served)
      keys.set(name, [...(keys.get(name) ?? []), { kid, ...signingKey(algorithm, read) }]);
  }
  return { keys, faults };
}

export const signingKey = (algorithm: Algorithm, key: KeyObject): SigningKey => ({
  check: algorithm.createCheck(key),
  signatureBytes: algorithm.signatureBytes(key),
});

/** Once published, a secret is worthless. */
const isSecret = ({ kty, d }: JsonObject): boolean => kty === 'oct' || d !== undefined;

/** @returns a text when the key can't be used, which says why */
function importPublicKey(jwk: JsonObject): KeyObject | string {
  if (isSecret(jwk)) return 'is a secret or a private key; only public keys belong here';
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    return (key.asymmetricKeyType === 'rsa' ? findWeakness(key) : undefined) ?? key;
  } catch {
    // Among others for a point that isn't on its curve.
    return `is not a valid ${jwk.kty} key`;
  }
}

/** RFC 7518 §3.3 requires 2,048 bits, and OpenSSL verifies with 16,384 at most. With the exponent 1 any client could sign. */
function findWeakness({ asymmetricKeyDetails = {} }: KeyObject): string | undefined {
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails;
  if (bits < minRsaBits) return `is an RSA key of ${bits} bits; it takes ${minRsaBits}`;
  if (bits > maxRsaBits) return `is an RSA key of ${bits} bits; ${maxRsaBits} are the most`;
  return exponent < 3n || exponent % 2n === 0n ? `is an RSA key with the exponent ${exponent}` : undefined;
}

/** RFC 7517 §4.2 and §4.3. `ext` is WebCrypto's; a value that isn't a boolean makes the key suspect. */
const isForSignatures = ({ use, key_ops: operations, ext }: JsonObject): boolean =>
  (use === undefined || use === 'sig') &&
  (ext === undefined || typeof ext === 'boolean') &&
  (operations === undefined ||
    (Array.isArray(operations) &&
      operations.every((operation) => typeof operation === 'string') &&
      new Set(operations).size === operations.length &&
      operations.includes('verify')));

const canUse = ({ kty, crv, alg }: JsonObject, name: string, algorithm: Algorithm): boolean =>
  kty !== 'oct' &&
  kty === algorithm.kty &&
  (algorithm.crv === undefined || algorithm.crv === crv) &&
  (alg === undefined || alg === name);

/** The keys for `alg` with this name, or all for `alg` when the token gives no name. */
export function findKeys(keys: SigningKeys, alg: string, kid: unknown): readonly SigningKey[] {
  const fit = keys.get(alg) ?? [];
  return kid === undefined ? fit : fit.filter((key) => key.kid === kid);
}
