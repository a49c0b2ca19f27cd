/**
 * Signed tokens: JWTs (RFC 7519), by default access tokens of RFC 9068.
 *
 * In: the text of a token. Out: its principal. The checks in their order:
 * 1. `jws.ts` splits the token; credentials of another form are left to the other kinds;
 * 2. the header: `crit`, `alg`, `typ`;
 * 3. `key-set.ts` finds the keys for `alg` and `kid`: of a secret, of a file, or of the issuer's URL (`remote-key-set.ts`);
 * 4. `jws.ts` verifies the signature;
 * 5. `claims.ts` checks the claims, and reads client and scopes from them.
 *
 * On a first reading skip `remote-key-set.ts`, and `development-key.ts`, which signs tokens on a developer's machine.
 */

import type { Clock, Principal } from '../../../domain/ports.ts';
import { scopesOf } from '../../../domain/scopes.ts';
import { unauthenticated } from '../../../domain/validation/errors.ts';
import type { BearerKind } from '../bearer.ts';
import {
  type ClaimRules,
  checkClaims,
  clientOf,
  describeScopes,
  personOf,
  profileOf,
  refuseIdToken,
  scopeNamesOf,
} from './claims.ts';
import { type Jws, parseJsonObject, parseJws } from './jws.ts';
import type { SigningKey } from './key-set.ts';
import { checkAlgorithms, type FileKeySetOptions, fileKeySet, type KeySet, secretKeySet } from './key-set.ts';
import { type RemoteKeySetOptions, remoteKeySet } from './remote-key-set.ts';

/** The issuer's keys: at a URL, in a JWKS file (read again when it changes), or one shared secret. */
export type KeySource =
  | Omit<RemoteKeySetOptions, 'onProblem'>
  | Omit<FileKeySetOptions, 'onProblem'>
  /** At least 32 bytes, and as long as the longest hash of the allowed algorithms. */
  | { readonly secret: Uint8Array };

export function variableOf(keys: KeySource): string {
  if ('secret' in keys) return 'USERS_JWT_SECRET';
  return 'jwksFile' in keys ? 'USERS_JWT_KEY_SET_FILE' : 'USERS_JWT_KEY_SET_URL';
}

export interface JwtOptions extends ClaimRules {
  /** The allow-list (RFC 8725 §3.1): HS256, HS384, HS512 for a secret; the RS, PS and ES families, EdDSA and Ed25519 for a set. */
  readonly algorithms: readonly string[];
  /** The header's `typ`. `JWT` is for issuers that don't follow RFC 9068. */
  readonly typ: 'at+jwt' | 'JWT';
  readonly keys: KeySource;
  /** Called for problems with a key file or URL, never at a client's rate. Messages are fit for a log. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** UTF-16 code units; checked before anything is decoded. */
const maxTokenLength = 8 * 1024;

/**
 * Checks each token completely at every request: `alg`, `typ`, signature, `iss`, `aud`, `exp` (required), `nbf`. Refuses `crit`, ID tokens and tokens
 * above 8 KiB. Scopes come from `scope`, else `scp`. Synchronous unless a key set has to be fetched first. @throws Error if the keys don't fit the
 * algorithms, the secret is too short or the key file is broken
 */
export function jwtTokens(options: JwtOptions, clock: Clock): BearerKind {
  const keys = openKeySet(options);
  const checkHeader = createHeaderCheck(options);
  const place = variableOf(options.keys);
  function toPrincipal(token: Jws, candidates: readonly SigningKey[]): Principal {
    checkSignature(token, candidates, place);
    const claims = parseJsonObject(token.payload);
    if (claims === undefined)
      throw unauthenticated('token-malformed', 'The claims of the token are not a JSON object.');
    checkClaims(claims, options, clock.now());
    const scopes = scopesOf(scopeNamesOf(claims));
    return {
      id: clientOf(claims),
      person: personOf(claims),
      profile: profileOf(claims),
      expires: (Number(claims.exp) + options.leewaySeconds) * 1000,
      scopes,
      whyNoScopes: scopes.size === 0 ? describeScopes(claims) : undefined,
    };
  }
  return {
    form: 'a JWT (three parts with dots between them)',
    authenticate: (credentials) => {
      if (credentials.length > maxTokenLength)
        throw unauthenticated(
          'token-too-long',
          'The token is longer than 8 KiB. Its issuer must leave claims out.',
        );
      const token = parseJws(credentials);
      if (token === undefined) return undefined;
      const found = keys.find(checkHeader(token), token.header.kid);
      if (found instanceof Promise) return found.then((candidates) => toPrincipal(token, candidates));
      return toPrincipal(token, found);
    },
    inspect: () => countKeys(keys, options),
    close: async () => keys.close(),
  };
}

/** Fetches the keys first when they are at the issuer's URL. */
async function countKeys(keys: KeySet, { algorithms, issuer }: JwtOptions): Promise<string> {
  const counts: string[] = [];
  let all = 0;
  for (const algorithm of algorithms) {
    const { length } = await keys.find(algorithm, undefined);
    all += length;
    counts.push(`${algorithm} ${length}`);
  }
  const told = `keys for tokens of ${issuer}, by algorithm: ${counts.join(', ')}`;
  if (all === 0) throw new Error(`there are no ${told}`);
  return told;
}

function openKeySet({ keys, algorithms, onProblem = () => undefined }: JwtOptions): KeySet {
  checkAlgorithms(algorithms, 'secret' in keys);
  if ('secret' in keys) return secretKeySet(keys.secret, algorithms);
  if ('jwksFile' in keys) return fileKeySet({ ...keys, onProblem });
  return remoteKeySet({ ...keys, onProblem });
}

/** The part of an unverified header that a refusal may repeat: names only. */
function describeParameter(value: unknown): string {
  if (value === undefined || value === '') return 'missing';
  return typeof value === 'string' && /^[\w.+/-]{1,64}$/.test(value) ? value : 'of an unusual form';
}

/** The check returns the algorithm. It throws for a header that no key could make valid. */
function createHeaderCheck({ algorithms, typ, keys }: JwtOptions): (token: Jws) => string {
  const allowed = new Set(algorithms);
  // RFC 7515 §4.1.9: `application/` may be left out. Media types are case-insensitive.
  const wanted = typ.toLowerCase();
  const types = new Set([wanted, `application/${wanted}`]);
  // RFC 7519 §5.1: `typ` is optional for JWT, and Okta leaves it out.
  if (wanted === 'jwt') types.add('');
  return ({ header: { alg, typ: type = '', crit }, payload }) => {
    if (crit !== undefined)
      throw unauthenticated(
        'token-unsupported',
        'The token has critical extensions (crit), which are not supported.',
      );
    if (typeof alg !== 'string' || !allowed.has(alg))
      throw unauthenticated(
        'token-algorithm-refused',
        `The algorithm (alg) of the token is ${describeParameter(alg)}, and must be ${algorithms.join(' or ')} (USERS_JWT_ALGORITHMS, ${variableOf(keys)}).`,
      );
    if (typeof type !== 'string' || !types.has(type.toLowerCase())) {
      // Not verified yet: these claims only choose the message.
      const claims = parseJsonObject(payload) ?? {};
      refuseIdToken(claims);
      const nonce = claims.nonce === undefined ? '' : ' It has a nonce, as ID tokens do.';
      throw unauthenticated(
        'token-not-for-access',
        `This is not an access token: its type (typ) is ${describeParameter(type)}, and must be ${typ} (USERS_JWT_TYP).${nonce}`,
      );
    }
    return alg;
  };
}

/** A token without a `kid` has several candidates. @param place the variable that names it */
function checkSignature(
  { header, input, signature }: Jws,
  candidates: readonly SigningKey[],
  place: string,
): void {
  const { alg, kid } = header;
  const named = kid === undefined ? '' : ` whose ID (kid) is ${describeParameter(kid)}`;
  if (candidates.length === 0)
    throw unauthenticated(
      'token-key-unknown',
      `The token is signed with an unknown key: the key set (${place}) has none for ${alg}${named}.`,
    );
  if (candidates.some(({ check }) => check(input, signature))) return;
  const lengths = new Set(candidates.map(({ signatureBytes }) => signatureBytes));
  if (!lengths.has(signature.length))
    throw unauthenticated(
      'token-malformed',
      `The signature of the token has ${signature.length} bytes instead of ${[...lengths].join(' or ')}: the token was cut off, or has characters too many.`,
    );
  throw unauthenticated('token-signature-wrong', `The signature does not match the key (${place}).`);
}
