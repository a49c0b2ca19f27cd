/** Where the keys that tokens are checked with come from. Which key is which is configuration; no verdict is kept. */
import { createSecretKey } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import { watchedFile } from '../watched-file.ts';
import { algorithms } from './algorithms.ts';
import { isJsonObject } from './compact.ts';
import { keysNamed, type SigningKey, type SigningKeys, signingKeys } from './json-web-keys.ts';

export interface KeySet {
  /**
   * The keys that may have signed a token with this `alg` and `kid`, without one all of the type. A promise only
   * when something has to be fetched first.
   * @throws DomainError `unavailable` when there is no usable set
   */
  find(alg: string, kid: unknown): readonly SigningKey[] | Promise<readonly SigningKey[]>;
  /** Gives up what is being fetched. */
  close(): void;
}

/** @throws Error naming the first algorithm that such keys can't serve, so that a wrong setting fails at once */
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
  const size = Math.max(32, ...allowed.map((name) => algorithms.get(name)?.least ?? 0));
  if (secret.length < size) {
    throw new Error(`The shared secret has ${secret.length} bytes; ${allowed.join(', ')} takes ${size}.`);
  }
  const key = createSecretKey(secret);
  const usable = [...algorithms].filter(([name]) => allowed.includes(name));
  const keys = new Map(usable.map(([name, { checkWith }]) => [name, [{ check: checkWith(key) }]]));
  return { find: (alg) => keys.get(alg) ?? [], close: () => undefined };
}

export interface FileKeySetOptions {
  /** Followed while the service runs, as `watchedFile` does. */
  readonly jwksFile: string;
  /** How long the last good version is used when the file is gone or damaged, in seconds. */
  readonly maxStaleSeconds: number;
  readonly onProblem: (message: string) => void;
}

/**
 * A JWKS file (RFC 7517 §5).
 * @throws Error naming the file and the key at fault
 */
export function fileKeySet({ jwksFile: file, ...options }: FileKeySetOptions): KeySet {
  // What it holds is public.
  const keys = watchedFile({ ...options, file, parse: parseKeySet, isPrivate: false });
  return {
    find(alg, kid) {
      const current = keys.current();
      if (current === undefined) throw outOfReach();
      return keysNamed(current, alg, kid);
    },
    close: () => keys.close(),
  };
}

/** While there are no keys, nobody can tell a good token from a bad one. */
export const outOfReach = (cause?: unknown): DomainError =>
  new DomainError('unavailable', 'The keys to check tokens with are out of reach.', { cause });

/** Looked through key by key when read: a mistake is told then, not when the first token meets it. */
function parseKeySet(text: string): SigningKeys {
  let set: unknown;
  try {
    set = JSON.parse(text);
  } catch {
    // The parser's own message would quote what stands there, which may be a private key.
    throw new Error('not JSON');
  }
  const list = isJsonObject(set) ? set.keys : undefined;
  if (!Array.isArray(list)) throw new Error('not a key set: it must be an object with a list of "keys"');
  const misfit = list.findIndex((jwk) => !isJsonObject(jwk));
  if (misfit !== -1) throw new Error(`/keys/${misfit} must be an object`);
  const { keys, faults } = signingKeys(list);
  if (faults.length > 0) throw new Error(faults[0]);
  return keys;
}
