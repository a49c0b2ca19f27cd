/** Key sets from a shared secret or a file, and the import of their keys (RFC 7517), once for each set that is read. Results of verifications are never cached. */
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { DomainError } from '../../../domain/validation/errors.ts';
import { isObject } from '../../../domain/validation/plain-values.ts';
import { parseJson, type WatchOptions, watchFile } from '../watched-file.ts';
import { type Algorithm, algorithms, type JsonObject, type SignatureCheck } from './jws.ts';

export interface KeySet {
  /**
   * The keys that may have signed a token with this `alg` and `kid`; all keys for `alg` when the token has no `kid`. A promise
   * only when the set has to be fetched first.
   * @throws DomainError `unavailable` when there is no usable set
   */
  find(alg: string, kid: unknown): readonly SigningKey[] | Promise<readonly SigningKey[]>;
  /** Aborts a pending fetch. */
  close(): void;
}

/** Makes a wrong setting fail at the start. @throws Error naming the first algorithm that such keys can't be used with */
export function checkAlgorithms(allowed: readonly string[], symmetric: boolean): void {
  if (allowed.length === 0) throw new Error('The list of allowed algorithms is empty.');
  const fit = [...algorithms].filter(([, { kty }]) => (kty === 'oct') === symmetric).map(([name]) => name);
  const misfit = allowed.find((algorithm) => !fit.includes(algorithm));
  if (misfit === undefined) return;
  const source = symmetric ? 'A shared secret' : 'A key set';
  throw new Error(`${source} can't serve the algorithm ${misfit}, only ${fit.join(', ')}.`);
}

/** @throws Error when the secret is shorter than 32 bytes or than an algorithm's hash */
export function secretKeySet(secret: Uint8Array, allowed: readonly string[]): KeySet {
  const size = Math.max(32, ...allowed.map((name) => algorithms.get(name)?.minBytes ?? 0));
  if (secret.length < size)
    throw new Error(`The shared secret has ${secret.length} bytes; ${allowed.join(', ')} takes ${size}.`);
  const key = createSecretKey(secret);
  const usable = [...algorithms].filter(([name]) => allowed.includes(name));
  const keys = new Map(usable.map(([name, algorithm]) => [name, [signingKey(algorithm, key)]]));
  return { find: (alg) => keys.get(alg) ?? [], close: () => undefined };
}

export interface FileKeySetOptions
  extends Pick<WatchOptions<object>, 'maxStaleSeconds' | 'onProblem' | 'onKeys'> {
  /** Read again when it changes, by `watchFile`. */
  readonly jwksFile: string;
}

/** A JWKS file (RFC 7517 §5). @throws Error naming the file and the key at fault */
export function fileKeySet({ jwksFile: file, ...options }: FileKeySetOptions): KeySet {
  // Not private, since it holds public keys only.
  const keys = watchFile({ ...options, file, parse: parseKeySet, isPrivate: false });
  return {
    find(alg, kid) {
      const current = keys.current();
      if (current === undefined) throw keysUnavailable();
      return findKeys(current, alg, kid);
    },
    close: () => keys.close(),
  };
}

/** Without keys no token can be checked, so this isn't the client's fault. */
export const keysUnavailable = (cause?: unknown): DomainError =>
  new DomainError('unavailable', 'The keys to check tokens with are out of reach.', { cause });

/** Imports every key, so that a mistake is reported when the file is read, not when the first token comes. */
function parseKeySet(text: string): SigningKeys {
  const set = parseJson(text);
  const list = isObject(set) ? set.keys : undefined;
  if (!Array.isArray(list)) throw new Error('not a key set: it must be an object with a list of "keys"');
  const misfit = list.findIndex((jwk) => !isObject(jwk));
  if (misfit !== -1) throw new Error(`/keys/${misfit} must be an object`);
  const { keys, faults } = readSigningKeys(list);
  if (faults.length > 0) throw new Error(faults[0]);
  return keys;
}

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

const signingKey = (algorithm: Algorithm, key: KeyObject): SigningKey => ({
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

const minRsaBits = 2_048;
const maxRsaBits = 16_384;

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
