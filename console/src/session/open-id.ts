/**
 * Signing in at the company's provider: OpenID Connect's authorization code flow with PKCE (RFC 7636), as a public client. A module
 * of its own, loaded where it is needed.
 */
import * as oauth from 'oauth4webapi';
import { type Credentials, firstText } from './credentials.ts';
import { keepPending, type Pending, type Provider } from './provider.ts';

/** The console's own address, which the provider has to know. */
const redirectUri = (): string => new URL('./', location.href).href;

/** The settings allow http for a provider on the same machine alone. */
const insecure = ({ issuer }: Provider) => ({ [oauth.allowInsecureRequests]: issuer.startsWith('http:') });

async function discover(provider: Provider): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(provider.issuer);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...insecure(provider) });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Leaves the page for the provider's. @throws whatever `fetch` and oauth4webapi throw */
export async function leaveForProvider(provider: Provider): Promise<void> {
  const { authorization_endpoint: endpoint } = await discover(provider);
  if (endpoint === undefined) throw new Error('the provider has no authorization endpoint');
  const pending: Pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    back: location.pathname + location.search,
  };
  const url = new URL(endpoint);
  const parameters = {
    client_id: provider.clientId,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: provider.scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    state: pending.state,
    nonce: pending.nonce,
    ...(provider.resource === '' ? {} : { resource: provider.resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  keepPending(pending);
  location.assign(url);
}

export interface ProviderSession {
  readonly credentials: Credentials;
  /** As the provider knows the person; empty: it doesn't say. */
  readonly name: string;
}

/** RFC 6749 §4.1.2.1, in an answer that belongs to our own request. */
export type ProviderRefusal = Pick<oauth.AuthorizationResponseError, 'error' | 'error_description'>;

/** Undefined for every other error. */
export const refusalIn = (error: unknown): ProviderRefusal | undefined =>
  error instanceof oauth.AuthorizationResponseError ? error : undefined;

/** @param parameters as the provider has sent them back @throws whatever `fetch` and oauth4webapi throw */
export async function redeemCode(
  provider: Provider,
  pending: Pending,
  parameters: URLSearchParams,
): Promise<ProviderSession> {
  const server = await discover(provider);
  const client: oauth.Client = { client_id: provider.clientId };
  const checked = oauth.validateAuthResponse(server, client, parameters, pending.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    checked,
    redirectUri(),
    pending.verifier,
    {
      ...insecure(provider),
      ...(provider.resource === '' ? {} : { additionalParameters: { resource: provider.resource } }),
    },
  );
  const isOpenId = provider.scope.split(' ').includes('openid');
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    response,
    isOpenId ? { expectedNonce: pending.nonce, requireIdToken: true } : {},
  );
  // A token of any other type is not to be sent as Bearer (RFC 6749 §7.1); the library also takes DPoP.
  if (tokens.token_type !== 'bearer') throw new Error(`a token of type ${tokens.token_type}`);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  const subject = claims === undefined ? {} : { subject: { iss: claims.iss, sub: claims.sub } };
  return {
    credentials: { kind: 'provider', token: tokens.access_token, ...subject },
    name: firstText(claims?.name, claims?.email, claims?.preferred_username, claims?.sub) ?? '',
  };
}
