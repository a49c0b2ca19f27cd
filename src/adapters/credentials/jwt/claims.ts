/** What a token says of itself (RFC 7519 §4.1, RFC 9068 §4), once its signature has proved right. */
import { DomainError } from '../../../domain/errors.ts';
import type { JsonObject } from './compact.ts';

export interface ClaimRules {
  /** Compared with `iss`, to the character. */
  readonly issuer: string;
  /** Must be `aud` or one of its entries, to the character. */
  readonly audience: string;
  /** How far the issuer's clock may be off, for `exp` and `nbf`. */
  readonly leewaySeconds: number;
}

export const refuse = (message: string): DomainError => new DomainError('unauthenticated', message);

const isAudience = (aud: unknown, audience: string): boolean =>
  aud === audience || (Array.isArray(aud) && aud.includes(audience));

/** JSON has numbers that are none here, such as 1e999, which would never come. */
const isTime = (value: unknown): value is number => Number.isFinite(value);
const isTimeOrAbsent = (value: unknown): value is number | undefined => value === undefined || isTime(value);

/** @throws DomainError `unauthenticated` for the first claim that doesn't hold at `now` */
export function checkClaims(claims: JsonObject, rules: ClaimRules, now: Date): void {
  if (claims.iss !== rules.issuer) throw refuse('The token is not from the issuer trusted here.');
  if (!isAudience(claims.aud, rules.audience)) throw refuse('The token is not for this audience.');
  if (!isTime(claims.exp)) throw refuse('The token does not say when it expires.');
  if (!isTimeOrAbsent(claims.nbf)) throw refuse('The token does not say when it becomes valid.');
  if (!isTimeOrAbsent(claims.iat)) throw refuse('The token does not say when it was issued.');
  const seconds = Math.floor(now.getTime() / 1_000);
  if (claims.nbf !== undefined && claims.nbf > seconds + rules.leewaySeconds) {
    throw refuse('The token is not valid yet.');
  }
  if (claims.exp <= seconds - rules.leewaySeconds) throw refuse('The token has expired.');
  if (isIdToken(claims)) throw refuse('This is not an access token.');
}

/** For `typ: JWT`, which ID tokens carry too. OpenID Connect Core §3.3.2.11; Keycloak's and Cognito's own marks. */
const isIdToken = (claims: JsonObject): boolean =>
  claims.at_hash !== undefined ||
  claims.c_hash !== undefined ||
  claims.typ === 'ID' ||
  claims.token_use === 'id';

/** RFC 8693 §4.2; `scp` is what some issuers send instead, as a string or a list. */
export function scopeNames({ scope, scp }: JsonObject): string[] {
  const granted = typeof scope === 'string' ? scope : scp;
  if (typeof granted === 'string') return granted.split(' ');
  return Array.isArray(granted) ? granted.filter((name) => typeof name === 'string') : [];
}
