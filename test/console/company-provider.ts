/** A company's OpenID Connect provider, which accepts any name and password. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scopes } from '../../src/domain/scopes.ts';
import type { Environment } from '../support/process.ts';

/** What the console is called there. */
const clientId = 'console';
/** The resource that its tokens are for, which is their audience (RFC 8707). */
const resource = 'urn:example:users';

const resourceServer = {
  scope: scopes.join(' '),
  audience: resource,
  accessTokenFormat: 'jwt',
  accessTokenTTL: 3600,
  jwt: { sign: { alg: 'RS256' } },
};

const configuration = {
  clients: [
    {
      client_id: clientId,
      token_endpoint_auth_method: 'none',
      // Of an app on this machine, the port may be any.
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/console/'],
    },
  ],
  scopes: ['openid', ...scopes],
  clientBasedCORS: () => true,
  findAccount: async (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  // In seconds.
  ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 3600, IdToken: 600 },
  cookies: { keys: ['a key for cookies'] },
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: async () => resourceServer,
      useGrantedResource: async () => true,
    },
  },
};

export interface CompanyProvider {
  /** Settings of a service that takes its tokens. */
  readonly settings: Environment;
  close(): void;
}

export async function startCompanyProvider(): Promise<CompanyProvider> {
  const { Provider } = await import('oidc-provider');
  let answer: RequestListener = () => undefined;
  const server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answer = new Provider(issuer, configuration).callback();
  return {
    settings: {
      USERS_JWT_ISSUER: issuer,
      USERS_JWT_AUDIENCE: resource,
      USERS_JWT_KEY_SET_URL: `${issuer}/jwks`,
      USERS_CONSOLE_ISSUER: issuer,
      USERS_CONSOLE_CLIENT_ID: clientId,
      USERS_CONSOLE_RESOURCE: resource,
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
