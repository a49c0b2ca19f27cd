/** Checks a token's claims (RFC 7519 §4.1, RFC 9068 §4), after its signature. */
import type { Person } from '../../../domain/changes/change.ts';
import { profilesOf } from '../../../domain/scopes.ts';
import { DomainError, unauthenticated } from '../../../domain/validation/errors.ts';
import type { JsonObject } from './jws.ts';

export interface ClaimRules {
  /** Must be exactly `iss`. */
  readonly issuer: string;
  /** Must be exactly `aud` or one of its entries. */
  readonly audience: string;
  /** How far the issuer's clock may be off, for `exp` and `nbf`. */
  readonly leewaySeconds: number;
}

const isAudience = (aud: unknown, audience: string): boolean =>
  aud === audience || (Array.isArray(aud) && aud.includes(audience));

/** JSON allows 1e999, which JavaScript reads as Infinity: such a token would never expire. */
const isTime = (value: unknown): value is number => Number.isFinite(value);
const isTimeOrAbsent = (value: unknown): value is number | undefined => value === undefined || isTime(value);

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrTexts = (value: unknown): boolean =>
  isText(value) || (Array.isArray(value) && value.every(isText));

/** The types of the claims about client and scopes. A claim of another type is the issuer's mistake, never a default. */
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  // RFC 7519 §4.1.2 and §4.1.3
  sub: isText,
  aud: isTextOrTexts,
  // RFC 8693 §4.2 and §4.3, OpenID Connect Core §2
  scope: isText,
  client_id: isText,
  azp: isText,
  // Not standardized: Entra ID sends a text, others a list.
  scp: isTextOrTexts,
};

/** The token's signature is right, but the value may be of any type and length. @param name with the claim in brackets */
function mustHave(name: string, value: unknown, variable: string): string {
  const text = JSON.stringify(value)
    ?.replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 200);
  return `The token has ${text === undefined ? `no ${name}` : `the ${name} ${text}`}, and must have the one in ${variable}.`;
}

/**
 * A refusal shows what the token has and names the setting that differs. It doesn't show the setting: other customers of a provider may
 * have tokens that are signed with the same keys.
 * @throws DomainError `unauthenticated` for the first claim that fails at `now`
 */
export function checkClaims(claims: JsonObject, rules: ClaimRules, now: Date): void {
  refuseIdToken(claims);
  if (claims.iss !== rules.issuer)
    throw unauthenticated('token-issuer-wrong', mustHave('issuer (iss)', claims.iss, 'USERS_JWT_ISSUER'));
  if (!isAudience(claims.aud, rules.audience))
    throw unauthenticated(
      'token-audience-wrong',
      mustHave('audience (aud)', claims.aud, 'USERS_JWT_AUDIENCE'),
    );
  if (!isTime(claims.exp))
    throw unauthenticated('token-times-missing', 'The token does not say when it expires (exp).');
  if (!isTimeOrAbsent(claims.nbf))
    throw unauthenticated('token-times-missing', 'The token does not say when it becomes valid (nbf).');
  if (!isTimeOrAbsent(claims.iat))
    throw unauthenticated('token-times-missing', 'The token does not say when it was issued (iat).');
  const seconds = Math.floor(now.getTime() / 1_000);
  if (claims.nbf !== undefined && claims.nbf > seconds + rules.leewaySeconds)
    throw unauthenticated(
      'token-not-yet-valid',
      `The token becomes valid in ${claims.nbf - seconds} s (nbf). USERS_JWT_LEEWAY allows for clocks that differ.`,
    );
  if (claims.exp <= seconds - rules.leewaySeconds)
    throw unauthenticated('token-expired', `The token expired ${seconds - claims.exp} s ago (exp).`);
  for (const [name, isRight] of Object.entries(types))
    if (Object.hasOwn(claims, name) && !isRight(claims[name]))
      throw unauthenticated('token-malformed', `The claim ${name} of the token has the wrong type.`);
}

/**
 * Runs first: otherwise the type, issuer or audience of an ID token would suggest that a setting is wrong. The marks are those of OpenID Connect
 * Core §3.3.2.11, and Keycloak's and Cognito's own.
 * @throws DomainError
 */
export function refuseIdToken(claims: JsonObject): void {
  const isIdToken =
    claims.at_hash !== undefined ||
    claims.c_hash !== undefined ||
    claims.typ === 'ID' ||
    claims.token_use === 'id';
  if (isIdToken) throw unauthenticated('token-not-for-access', 'This is an ID token, not an access token.');
}

/**
 * RFC 8693 §4.2. Some issuers send `scp` instead; Entra ID names what an application may do without a person in `roles` (RFC 9068 §2.2.3.1).
 * @param claims that `checkClaims` has checked
 */
export function scopeNamesOf({ scope, scp, roles }: JsonObject): readonly string[] {
  const named = isTextOrTexts(roles) ? roles : undefined;
  const granted = (scope ?? scp ?? named ?? []) as string | readonly string[];
  return typeof granted === 'string' ? granted.split(' ') : granted;
}

/**
 * The access profile: a scope `as:NAME` in any of the claims. It only limits, so it counts in each of them.
 * @param claims that `checkClaims` has checked @throws DomainError `profile-refused` if there are several
 */
export function profileOf({ scope, scp, roles }: JsonObject): string | undefined {
  const names = [{ scope }, { scp }, { roles }].flatMap(scopeNamesOf);
  const [profile, ...others] = profilesOf(names);
  if (others.length === 0) return profile;
  throw new DomainError(
    'profile-refused',
    'The token names several access profiles (scopes as:…); it must name one.',
  );
}

/** For a refusal of a token that names no scope of this service. Repeats names only: a role may be a person's address. */
export function describeScopes(claims: JsonObject): string {
  const claim = ['scope', 'scp', 'roles'].find((name) => isTextOrTexts(claims[name]));
  if (claim === undefined) return 'none of scope, scp and roles is in the token as a text or a list of texts';
  const all = scopeNamesOf(claims);
  const names = all.slice(0, 10).map((name) => (/^[\w.+:/-]{0,64}$/.test(name) ? name : '?'));
  if (all.length > names.length) names.push('…');
  return `${claim} is "${names.join(' ')}" (scope goes before scp, and scp before roles)`;
}

/** RFC 9068 §2.2; `azp` is OpenID Connect's claim for the client. Empty when the token names no client. */
export const clientOf = ({ client_id: clientId, azp, sub }: JsonObject): string =>
  [clientId, azp, sub].filter(isText).find((name) => name !== '') ?? '';

/** The person for which the client acts: a subject that differs from the client (RFC 9068 §2.2). @param claims that `checkClaims` has checked */
export function personOf(claims: JsonObject): Person | undefined {
  const { iss, sub } = claims;
  return isText(sub) && sub !== '' && sub !== clientOf(claims)
    ? { issuer: String(iss), subject: sub }
    : undefined;
}
