/** JSON Web Keys (RFC 7517) made into keys that tokens can be checked with: once, when a set is read. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Algorithm, algorithms, type SignatureCheck } from './algorithms.ts';
import type { JsonObject } from './compact.ts';

const leastRsaBits = 2_048;
const mostRsaBits = 16_384;

/** A key together with one algorithm that it serves. */
export interface SigningKey {
  /** Undefined where the set gives no name, or the key is a shared secret. */
  readonly kid?: string | undefined;
  readonly check: SignatureCheck;
}

export type SigningKeys = ReadonlyMap<string, readonly SigningKey[]>;

/** The keys by algorithm, and what is wrong with each that was left out although it is for checking signatures. */
export interface ReadKeys {
  readonly keys: SigningKeys;
  /** Each begins with the key's place (RFC 6901); nothing secret. */
  readonly faults: readonly string[];
}

/** Those that aren't for checking signatures, or for no algorithm known here, are passed over (RFC 7517 §5). */
export function signingKeys(set: readonly JsonObject[]): ReadKeys {
  const keys = new Map<string, SigningKey[]>();
  const faults: string[] = [];
  for (const [index, jwk] of set.entries()) {
    const served = isForSignatures(jwk)
      ? [...algorithms].filter(([name, one]) => serves(jwk, name, one))
      : [];
    const read = isSecret(jwk) || served.length > 0 ? publicKey(jwk) : undefined;
    if (typeof read === 'string') faults.push(`/keys/${index} ${read}`);
    if (read === undefined || typeof read === 'string') continue;
    const kid = typeof jwk.kid === 'string' ? jwk.kid : undefined;
    for (const [name, algorithm] of served)
      keys.set(name, [...(keys.get(name) ?? []), { kid, check: algorithm.checkWith(read) }]);
  }
  return { keys, faults };
}

/** Whoever publishes such a key has lost it. */
const isSecret = ({ kty, d }: JsonObject): boolean => kty === 'oct' || d !== undefined;

/** Or why it can't be used. */
function publicKey(jwk: JsonObject): KeyObject | string {
  if (isSecret(jwk)) return 'is a secret or a private key; only public keys belong here';
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    return (key.asymmetricKeyType === 'rsa' ? weakness(key) : undefined) ?? key;
  } catch {
    // A point that isn't on its curve among them.
    return `is not a valid ${jwk.kty} key`;
  }
}

/** RFC 7518 §3.3 asks for 2,048 bits. With the exponent 1 everybody can sign; OpenSSL checks with none of more bits than the last. */
function weakness({ asymmetricKeyDetails = {} }: KeyObject): string | undefined {
  const { modulusLength: bits = 0, publicExponent: exponent = 0n } = asymmetricKeyDetails;
  if (bits < leastRsaBits) return `is an RSA key of ${bits} bits; it takes ${leastRsaBits}`;
  if (bits > mostRsaBits) return `is an RSA key of ${bits} bits; ${mostRsaBits} are the most`;
  return exponent < 3n || exponent % 2n === 0n ? `is an RSA key with the exponent ${exponent}` : undefined;
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

const serves = ({ kty, crv, alg }: JsonObject, name: string, algorithm: Algorithm): boolean =>
  kty !== 'oct' &&
  kty === algorithm.kty &&
  (algorithm.crv === undefined || algorithm.crv === crv) &&
  (alg === undefined || alg === name);

/** Those for `alg` with the name that a token gives, or all of them when it gives none. */
export function keysNamed(keys: SigningKeys, alg: string, kid: unknown): readonly SigningKey[] {
  const fit = keys.get(alg) ?? [];
  return kid === undefined ? fit : fit.filter((key) => key.kid === kid);
}
