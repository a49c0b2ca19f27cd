/** What a person signs in with, and how a request carries it. */
import { texts } from '../texts/texts.ts';

export type Credentials =
  | { readonly kind: 'key'; readonly id: string; readonly secret: string }
  | { readonly kind: 'token'; readonly token: string }
  /** A token that the company's provider has issued. `subject` is the person by the ID token, if there was one. */
  | { readonly kind: 'provider'; readonly token: string; readonly subject?: Subject };

/** OpenID Connect Core §2: unique together, and never given to another person. */
export interface Subject {
  readonly iss: string;
  readonly sub: string;
}

const encodeBase64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The value of Authorization. */
export const authorizationOf = (credentials: Credentials): string =>
  credentials.kind === 'key'
    ? `Basic ${encodeBase64(`${credentials.id}:${credentials.secret}`)}`
    : `Bearer ${credentials.token}`;

function readClaims(token: string): Readonly<Record<string, unknown>> {
  try {
    const part = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** A client's own token names it as its subject (RFC 9068 §2.2): no person, since all who use the client share it. */
function subjectIn(token: string): Subject | undefined {
  const { iss, sub, client_id, azp } = readClaims(token);
  if (typeof iss !== 'string' || typeof sub !== 'string') return undefined;
  return sub === '' || sub === client_id || sub === azp ? undefined : { iss, sub };
}

/**
 * Equal for the same person alone: by an API key's ID, or by issuer and subject. A token without a subject is equal to itself only.
 * To be asked of credentials that the service has taken: nobody else has checked the claims.
 */
export function personOf(credentials: Credentials): string {
  if (credentials.kind === 'key') return JSON.stringify({ key: credentials.id });
  const { token } = credentials;
  const known = credentials.kind === 'provider' ? credentials.subject : undefined;
  const { iss, sub } = known ?? subjectIn(token) ?? {};
  return JSON.stringify(sub === undefined ? { token } : { iss, sub });
}

/** The first claim that is a text, and not an empty one. */
export const firstText = (...claims: readonly unknown[]): string | undefined =>
  claims.find((claim): claim is string => typeof claim === 'string' && claim !== '');

/** To show, and for nothing else: only the service can check a token. */
export function nameOf(credentials: Credentials): string {
  if (credentials.kind === 'key') return credentials.id;
  const { name, email, sub, client_id } = readClaims(credentials.token);
  return firstText(name, email, sub, client_id) ?? texts.session.unnamed;
}
