import { readMeta } from '../root.ts';

/** The company's own OpenID Connect provider, if the service's settings, in the head of the page, name one. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** RFC 8707; empty: not sent. */
  readonly resource: string;
}

function readProvider(): Provider | undefined {
  const issuer = readMeta('openid-issuer');
  if (issuer === '') return undefined;
  return {
    issuer,
    clientId: readMeta('openid-client'),
    scope: readMeta('openid-scope'),
    resource: readMeta('openid-resource'),
  };
}

export const provider: Provider | undefined = readProvider();

/** Stored until the provider sends the browser back. */
export interface Pending {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  /** The address of the view before the sign-in. */
  readonly back: string;
}

const key = 'console.pending';

export const keepPending = (pending: Pending): void => sessionStorage.setItem(key, JSON.stringify(pending));

export function readPending(): Pending | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : JSON.parse(text);
}

/** A code can be used once. */
export const dropPending = (): void => sessionStorage.removeItem(key);

/** Whether the provider has sent the browser here. */
export const isReturning = (): boolean => {
  const query = new URLSearchParams(location.search);
  return provider !== undefined && query.has('state') && (query.has('code') || query.has('error'));
};

/** The first claim that is a text, and not an empty one. */
export const firstText = (...claims: readonly unknown[]): string | undefined =>
  claims.find((claim): claim is string => typeof claim === 'string' && claim !== '');
