/**
 * Signing in at the company's provider: OpenID Connect's authorization code flow with PKCE (RFC 7636), as a public client. A module
 * that is loaded only when it is needed.
 */
import * as oauth from 'oauth4webapi';
import type { Credentials } from './credentials.ts';
import { firstText, keepPending, type Pending, type Provider } from './provider.ts';

/** The console's own address, which must be registered at the provider. */
const redirectUri = (): string => new URL('./', location.href).href;

/** The settings allow http only for a provider on the same machine. */
const insecure = ({ issuer }: Provider) => ({ [oauth.allowInsecureRequests]: issuer.startsWith('http:') });

async function discover(provider: Provider): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(provider.issuer);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...insecure(provider) });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** Leaves this page for the provider's. @throws as `fetch` and oauth4webapi */
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

interface ProviderSession {
  readonly credentials: Credentials;
  /** The provider's name of the person; may be empty. */
  readonly name: string;
}

/** The error in an answer to our own request (RFC 6749 §4.1.2.1). */
export type ProviderRefusal = Pick<oauth.AuthorizationResponseError, 'error' | 'error_description'>;

/** Undefined for every other error. */
export const refusalIn = (error: unknown): ProviderRefusal | undefined =>
  error instanceof oauth.AuthorizationResponseError ? error : undefined;

/** @param parameters that the provider has sent back @throws as `fetch` and oauth4webapi */
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
  // A token of any other type must not be sent as Bearer (RFC 6749 §7.1); the library also accepts DPoP.
  if (tokens.token_type !== 'bearer') throw new Error(`a token of type ${tokens.token_type}`);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  const subject = claims === undefined ? {} : { subject: { iss: claims.iss, sub: claims.sub } };
  return {
    credentials: { kind: 'provider', token: tokens.access_token, ...subject },
    name: firstText(claims?.name, claims?.email, claims?.preferred_username, claims?.sub) ?? '',
  };
}
