/** Bearer tokens (RFC 6750): signed JWTs (RFC 7519), access tokens by RFC 9068 unless set otherwise. */
import type { Authenticator, Clock, Principal } from '../../domain/ports.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { type ClaimRules, checkClaims, refuse, scopeNames } from './claims.ts';
import { type CompactToken, type JsonObject, jsonObject, parseCompact } from './compact.ts';
import type { SigningKey } from './json-web-keys.ts';
import { checkAlgorithms, type FileKeySetOptions, fileKeySet, type KeySet, secretKeySet } from './key-set.ts';
import { type RemoteKeySetOptions, remoteKeySet } from './remote-key-set.ts';

/** Where the issuer's keys are: at a URL, in a JWKS file (read again when it changes), or one shared secret. */
export type KeySource =
  | Omit<RemoteKeySetOptions, 'onProblem'>
  | Omit<FileKeySetOptions, 'onProblem'>
  /** At least 32 bytes, and no fewer than the hash of any algorithm allowed. */
  | { readonly secret: Uint8Array };

export interface JwtOptions extends ClaimRules {
  /** The allow-list (RFC 8725 §3.1): HS256, HS384, HS512 for a secret; RS, PS, ES, EdDSA, Ed25519 for a set. */
  readonly algorithms: readonly string[];
  /** The header's `typ`. `JWT` is for issuers that don't follow RFC 9068. */
  readonly typ: 'at+jwt' | 'JWT';
  readonly keys: KeySource;
  /** Told what goes wrong with a key file or URL, and not at a client's rate; fit for a log. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** Checked before anything is decoded. */
const maxTokenLength = 8 * 1024;

/**
 * Checks each token whole, every time: `alg`, `typ`, signature, `iss`, `aud`, `exp` (required), `nbf`; `crit` and
 * ID tokens are refused, and so is a token longer than 8 KiB. Scopes come from `scope` or else `scp`. Answers at
 * once unless a key set has to be fetched first.
 * @throws Error when the keys don't fit the algorithms, the secret is too short or the key file is broken
 */
export function jwtAuthenticator(options: JwtOptions, clock: Clock): Authenticator {
  const keys = keySetOf(options);
  const algorithmOf = headerCheck(options);
  function principal(token: CompactToken, candidates: readonly SigningKey[]): Principal {
    checkSignature(token, candidates);
    const claims = jsonObject(token.payload);
    if (claims === undefined) throw refuse('The token is malformed.');
    checkClaims(claims, options, clock.now());
    return { scopes: scopesOf(scopeNames(claims)) };
  }
  return {
    scheme: 'Bearer',
    authenticate: (credentials) => {
      if (credentials.length > maxTokenLength) throw refuse('The token is too long.');
      const token = parseCompact(credentials);
      if (token === undefined) throw refuse('The token is malformed.');
      const found = keys.find(algorithmOf(token.header), token.header.kid);
      if (found instanceof Promise) return found.then((candidates) => principal(token, candidates));
      return principal(token, found);
    },
    close: async () => keys.close(),
  };
}

function keySetOf({ keys, algorithms, onProblem = () => undefined }: JwtOptions): KeySet {
  checkAlgorithms(algorithms, 'secret' in keys);
  if ('secret' in keys) return secretKeySet(keys.secret, algorithms);
  if ('jwksFile' in keys) return fileKeySet({ ...keys, onProblem });
  return remoteKeySet({ ...keys, onProblem });
}

/** Returns the algorithm, or throws for a header that no key could make good. */
function headerCheck({ algorithms, typ }: JwtOptions): (header: JsonObject) => string {
  const allowed = new Set(algorithms);
  // RFC 7515 §4.1.9: case doesn't matter, and application/ may be left out.
  const types = new Set([typ.toLowerCase(), `application/${typ.toLowerCase()}`]);
  return ({ alg, typ: type, crit }) => {
    if (crit !== undefined) throw refuse('The token uses something not supported here.');
    if (typeof alg !== 'string' || !allowed.has(alg)) {
      throw refuse('The algorithm of the token is not allowed.');
    }
    if (typeof type !== 'string' || !types.has(type.toLowerCase())) {
      throw refuse('This is not an access token.');
    }
    return alg;
  };
}

/** Without a `kid` any of the keys of that type may be the one. */
function checkSignature({ input, signature }: CompactToken, candidates: readonly SigningKey[]): void {
  if (candidates.length === 0) throw refuse('The token is signed with an unknown key.');
  if (!candidates.some(({ check }) => check(input, signature))) throw refuse('The signature is wrong.');
}
