/** The credentials of a person, and how requests send them. `session.ts` keeps them until the sign-out. */
import { texts } from '../texts/texts.ts';
import { firstText } from './provider.ts';

export type Credentials =
  | { readonly kind: 'key'; readonly id: string; readonly secret: string }
  | { readonly kind: 'token'; readonly token: string }
  /** A token from the company's provider. `subject` is the person in the ID token, if there was one. */
  | { readonly kind: 'provider'; readonly token: string; readonly subject?: Subject };

/** OpenID Connect Core §2: together they are unique, and never reassigned to another person. */
interface Subject {
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

/** A client's own token has the client as its subject (RFC 9068 §2.2), which is no person: all users of the client share it. */
function subjectIn(token: string): Subject | undefined {
  const { iss, sub, client_id, azp } = readClaims(token);
  if (typeof iss !== 'string' || typeof sub !== 'string') return undefined;
  return sub === '' || sub === client_id || sub === azp ? undefined : { iss, sub };
}

/**
 * Equal only for the same person: an API key by its ID, a token by issuer and subject. A token without a subject equals only itself.
 * Use it only with credentials that the service has accepted: nothing else has checked the claims.
 */
export function personOf(credentials: Credentials): string {
  if (credentials.kind === 'key') return JSON.stringify({ key: credentials.id });
  const { token } = credentials;
  const known = credentials.kind === 'provider' ? credentials.subject : undefined;
  const { iss, sub } = known ?? subjectIn(token) ?? {};
  return JSON.stringify(sub === undefined ? { token } : { iss, sub });
}

/** Only for display: only the service can check a token. */
export function nameOf(credentials: Credentials): string {
  if (credentials.kind === 'key') return credentials.id;
  const { name, email, sub, client_id } = readClaims(credentials.token);
  return firstText(name, email, sub, client_id) ?? texts.session.unnamed;
}
