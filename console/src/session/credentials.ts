/** What a person signs in with, and how a request carries it. */
export type Credentials =
  | { readonly kind: 'key'; readonly id: string; readonly secret: string }
  | { readonly kind: 'token'; readonly token: string }
  /** A token that the company's provider has issued. */
  | { readonly kind: 'provider'; readonly token: string };

function encodeBase64(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

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

/** To show, and for nothing else: only the service can check a token. */
export function nameOf(credentials: Credentials): string {
  if (credentials.kind === 'key') return credentials.id;
  const { name, email, sub, client_id } = readClaims(credentials.token);
  const named = [name, email, sub, client_id].find((claim) => typeof claim === 'string' && claim !== '');
  return typeof named === 'string' ? named : 'A token';
}
