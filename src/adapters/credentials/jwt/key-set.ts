/** Key sets from a shared secret or a file. Results of verifications are never cached. */
import { createSecretKey } from 'node:crypto';
import { DomainError } from '../../../domain/validation/errors.ts';
import { isObject } from '../../../domain/validation/plain-values.ts';
import { parseJson, type WatchOptions, watchFile } from '../watched-file.ts';
import { algorithms } from './algorithms.ts';
import { findKeys, readSigningKeys, type SigningKey, type SigningKeys, signingKey } from './json-web-keys.ts';

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
  if (secret.length < size) {
    throw new Error(`The shared secret has ${secret.length} bytes; ${allowed.join(', ')} takes ${size}.`);
  }
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

/**
 * A JWKS file (RFC 7517 §5).
 * @throws Error naming the file and the key at fault
 */
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
