/** JSON Web Keys (RFC 7517) made into keys that tokens can be checked with: once, when a set is read. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Algorithm, algorithms, type SignatureCheck } from './algorithms.ts';
import type { JsonObject } from './compact.ts';

/** A key together with one algorithm that it serves. */
export interface SigningKey {
  /** Undefined where the set gives no name, or the key is a shared secret. */
  readonly kid?: string | undefined;
  /** Undefined when the key can't be used: too short, private, or not what it says. */
  readonly check: SignatureCheck | undefined;
}

export type SigningKeys = ReadonlyMap<string, readonly SigningKey[]>;

/** Undefined when it isn't valid, or is private: whoever publishes that has lost it. */
export function publicKey(jwk: JsonObject): KeyObject | undefined {
  if (jwk.d !== undefined) return undefined;
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** The keys by algorithm. Those that aren't for checking signatures, or for none known here, are left out. */
export function signingKeys(set: readonly JsonObject[]): SigningKeys {
  const keys = new Map<string, SigningKey[]>();
  for (const jwk of set.filter(isForSignatures)) {
    const key = publicKey(jwk);
    const kid = typeof jwk.kid === 'string' ? jwk.kid : undefined;
    for (const [name, algorithm] of algorithms) {
      if (!isOfType(jwk, algorithm) || (jwk.alg !== undefined && jwk.alg !== name)) continue;
      const check = key && isLongEnough(key, algorithm) ? algorithm.checkWith(key) : undefined;
      keys.set(name, [...(keys.get(name) ?? []), { kid, check }]);
    }
  }
  return keys;
}

/** RFC 7517 §4.2 and §4.3. `ext` is WebCrypto's: anything but a boolean says that the key isn't what it seems. */
const isForSignatures = ({ use, key_ops: operations, ext }: JsonObject): boolean =>
  (use === undefined || use === 'sig') &&
  (ext === undefined || typeof ext === 'boolean') &&
  (operations === undefined ||
    (Array.isArray(operations) &&
      operations.every((operation) => typeof operation === 'string') &&
      new Set(operations).size === operations.length &&
      operations.includes('verify')));

const isOfType = ({ kty, crv }: JsonObject, algorithm: Algorithm): boolean =>
  kty !== 'oct' && kty === algorithm.kty && (algorithm.crv === undefined || algorithm.crv === crv);

const isLongEnough = ({ asymmetricKeyDetails }: KeyObject, { least }: Algorithm): boolean =>
  least === undefined || (asymmetricKeyDetails?.modulusLength ?? 0) >= least;

/** Those for `alg` with the name that a token gives, or all of them when it gives none. */
export function keysNamed(keys: SigningKeys, alg: string, kid: unknown): readonly SigningKey[] {
  const fit = keys.get(alg) ?? [];
  return kid === undefined ? fit : fit.filter((key) => key.kid === kid);
}
