/** Bearer tokens (RFC 6750): signed JWTs (RFC 7519), access tokens by RFC 9068 unless set otherwise. */
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import { DomainError } from '../../domain/errors.ts';
import type { Authenticator, Clock } from '../../domain/ports.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { checkAlgorithms, fileKeySet, type KeySet, secretKeySet } from './key-set.ts';
import { type RemoteKeySetOptions, remoteKeySet } from './remote-key-set.ts';

/** Where the issuer's keys are: at a URL, in a JWKS file (read again when it changes), or one shared secret. */
export type KeySource =
  | Omit<RemoteKeySetOptions, 'onProblem'>
  | { readonly jwksFile: string }
  /** At least 32 bytes, and no fewer than the hash of any algorithm allowed. */
  | { readonly secret: Uint8Array };

export interface JwtOptions {
  /** Compared with `iss`, to the character. */
  readonly issuer: string;
  /** Must be `aud` or one of its entries, to the character. */
  readonly audience: string;
  /** The allow-list (RFC 8725 §3.1): HS256, HS384, HS512 for a secret; RS, PS, ES, EdDSA, Ed25519 for a set. */
  readonly algorithms: readonly string[];
  /** The header's `typ`. `JWT` is for issuers that don't follow RFC 9068. */
  readonly typ: 'at+jwt' | 'JWT';
  /** How far the issuer's clock may be off, for `exp` and `nbf`. */
  readonly leewaySeconds: number;
  readonly keys: KeySource;
  /** Told what goes wrong with a key file or URL, once for each cause; fit for a log. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** Checked before anything is decoded. */
const maxTokenLength = 8 * 1024;

const refuse = (message: string): DomainError => new DomainError('unauthenticated', message);

/**
 * Checks each token whole, every time: signature, `typ`, `iss`, `aud`, `exp` (required), `nbf`; `crit` and ID
 * tokens are refused, and so is a token longer than 8 KiB. Scopes come from `scope` or else `scp`.
 * @throws Error when the keys don't fit the algorithms, the secret is too short or the key file is broken
 */
export function jwtAuthenticator(options: JwtOptions, clock: Clock): Authenticator {
  const keys = keySetOf(options);
  const rules: JWTVerifyOptions = {
    issuer: options.issuer,
    audience: options.audience,
    algorithms: [...options.algorithms],
    typ: options.typ,
    clockTolerance: options.leewaySeconds,
    requiredClaims: ['exp'],
  };
  return {
    scheme: 'Bearer',
    authenticate: async (token) => {
      if (token.length > maxTokenLength) throw refuse('The token is too long.');
      if (!isCompact(token)) throw refuse('The token is malformed.');
      try {
        const payload = await verify(token, keys.find, { ...rules, currentDate: clock.now() });
        if (isIdToken(payload)) throw refuse('This is not an access token.');
        return { scopes: scopesOf(scopeNames(payload)) };
      } catch (error) {
        throw failure(error);
      }
    },
    close: async () => keys.close(),
  };
}

function keySetOf({ keys, algorithms, onProblem = () => undefined }: JwtOptions): KeySet {
  checkAlgorithms(algorithms, 'secret' in keys);
  if ('secret' in keys) return secretKeySet(keys.secret, algorithms);
  if ('jwksFile' in keys) return fileKeySet(keys.jwksFile, onProblem);
  return remoteKeySet({ ...keys, onProblem });
}

/** Three parts of strict base64url (RFC 7515 §2): decoders overlook padding, spaces and stray bits at the end. */
function isCompact(token: string): boolean {
  const parts = token.split('.');
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}

async function verify(token: string, find: JWTVerifyGetKey, rules: JWTVerifyOptions): Promise<JWTPayload> {
  const findKey: JWTVerifyGetKey = (header, input) => {
    // jose knows `b64` and would let it pass; no extension is known here.
    if ('crit' in header) throw new errors.JOSENotSupported();
    return find(header, input);
  };
  try {
    return (await jwtVerify(token, findKey, rules)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // Without a `kid` any of the keys of that type may be the one.
    for await (const key of error) {
      const verified = await jwtVerify(token, key, rules).catch((reason: unknown) => {
        if (reason instanceof errors.JWSSignatureVerificationFailed) return undefined;
        throw reason;
      });
      if (verified !== undefined) return verified.payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** For `typ: JWT`, which ID tokens carry too. OpenID Connect Core §3.3.2.11; Keycloak's and Cognito's own marks. */
const isIdToken = (payload: JWTPayload): boolean =>
  'at_hash' in payload || 'c_hash' in payload || payload.typ === 'ID' || payload.token_use === 'id';

/** RFC 8693 §4.2; `scp` is what some issuers send instead, as a string or a list. */
function scopeNames({ scope, scp }: JWTPayload): string[] {
  const granted = typeof scope === 'string' ? scope : scp;
  if (typeof granted === 'string') return granted.split(' ');
  return Array.isArray(granted) ? granted.filter((name) => typeof name === 'string') : [];
}

const claimReasons: Readonly<Record<string, string>> = {
  typ: 'This is not an access token.',
  iss: 'The token is not from the issuer trusted here.',
  aud: 'The token is not for this audience.',
  nbf: 'The token is not valid yet.',
  exp: 'The token does not say when it expires.',
};

/** jose's errors carry the claims: neither they nor their messages leave this file. */
function failure(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof errors.JWTExpired) return refuse('The token has expired.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return refuse(claimReasons[error.claim] ?? 'The token has a claim that is not valid.');
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return refuse('The signature is wrong.');
  if (error instanceof errors.JWKSNoMatchingKey) return refuse('The token is signed with an unknown key.');
  if (error instanceof errors.JOSEAlgNotAllowed) return refuse('The algorithm of the token is not allowed.');
  if (error instanceof errors.JOSENotSupported) return refuse('The token uses something not supported here.');
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) {
    return refuse('The token is malformed.');
  }
  // What is left is a key that can't be used: too short, or not what it says. The token isn't to blame.
  return new DomainError('unavailable', 'The key to check the token with is not usable.', { cause: error });
}
