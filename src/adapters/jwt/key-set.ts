/** Where the keys that tokens are checked with come from. Which key is which is configuration; no verdict is kept. */
import { createPublicKey } from 'node:crypto';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { watchedFile } from '../watched-file.ts';

/** Finds the key that a token's header names. */
export interface KeySet {
  /**
   * @throws JOSEError when no key fits (JWKSNoMatchingKey) or several do (JWKSMultipleMatchingKeys)
   * @throws DomainError `unavailable` when there is no usable set
   */
  readonly find: JWTVerifyGetKey;
  /** Gives up what is being fetched. */
  close(): void;
}

/** Bytes a secret must have for each algorithm at least: as many as its hash (RFC 7518 §3.2). */
const secretSizes: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };
const publicKeyAlgorithms: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** @throws Error naming the first algorithm that such keys can't serve, so that a wrong setting fails at once */
export function checkAlgorithms(algorithms: readonly string[], symmetric: boolean): void {
  if (algorithms.length === 0) throw new Error('The list of allowed algorithms is empty.');
  const fit = symmetric ? Object.keys(secretSizes) : publicKeyAlgorithms;
  const misfit = algorithms.find((algorithm) => !fit.includes(algorithm));
  if (misfit === undefined) return;
  const source = symmetric ? 'A shared secret' : 'A key set';
  throw new Error(`${source} can't serve the algorithm ${misfit}, only ${fit.join(', ')}.`);
}

/** @throws Error when the secret is shorter than 32 bytes or than an algorithm's hash */
export function secretKeySet(secret: Uint8Array, algorithms: readonly string[]): KeySet {
  const size = Math.max(32, ...algorithms.map((algorithm) => secretSizes[algorithm] ?? 0));
  if (secret.length < size) {
    throw new Error(`The shared secret has ${secret.length} bytes; ${algorithms.join(', ')} takes ${size}.`);
  }
  // Imported for each algorithm once: WebCrypto would otherwise do it for every token.
  const keys = new Map(algorithms.map((algorithm) => [algorithm, importSecret(secret, algorithm)]));
  return {
    find: ({ alg }) => {
      const key = keys.get(alg);
      if (key === undefined) throw new errors.JOSEAlgNotAllowed();
      return key;
    },
    close: () => undefined,
  };
}

function importSecret(secret: Uint8Array, algorithm: string) {
  const hash = algorithm.replace('HS', 'SHA-');
  return crypto.subtle.importKey('raw', Uint8Array.from(secret), { name: 'HMAC', hash }, false, ['verify']);
}

/**
 * A JWKS file (RFC 7517 §5), followed while the service runs as `watchedFile` does.
 * @throws Error naming the file and the key at fault
 */
export function fileKeySet(file: string, onProblem: (message: string) => void): KeySet {
  const current = watchedFile(file, (text) => createLocalJWKSet(parseKeySet(text)), onProblem);
  return { find: (header, token) => current()(header, token), close: () => undefined };
}

/** Looked through key by key when read: a mistake is told then, not when the first token meets it. */
function parseKeySet(text: string): JSONWebKeySet {
  let set: unknown;
  try {
    set = JSON.parse(text);
  } catch {
    // The parser's own message would quote what stands there, which may be a private key.
    throw new Error('not JSON');
  }
  const keys: unknown = typeof set === 'object' && set !== null && 'keys' in set ? set.keys : undefined;
  if (!Array.isArray(keys)) throw new Error('not a key set: it must be an object with a list of "keys"');
  keys.forEach(checkKey);
  return { keys };
}

function checkKey(key: unknown, index: number): void {
  const place = `/keys/${index}`;
  if (typeof key !== 'object' || key === null) throw new Error(`${place} must be an object`);
  const jwk: JWK = key;
  if (jwk.kty === 'oct' || jwk.d !== undefined) {
    throw new Error(`${place} is a secret or a private key; only public keys belong here`);
  }
  // Key types that aren't known are passed over (RFC 7517 §5), as are keys for other purposes.
  const types = ['RSA', 'EC', 'OKP'];
  if (!types.includes(jwk.kty ?? '') || (jwk.use !== undefined && jwk.use !== 'sig')) return;
  try {
    createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch {
    throw new Error(`${place} is not a valid ${jwk.kty} key`);
  }
}
