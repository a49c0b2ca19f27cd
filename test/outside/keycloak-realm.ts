/** The realm that docs/authentication.md tells an administrator of Keycloak to set up, in the order of that page. */
import { scopes } from '../../src/domain/scopes.ts';
import type { Keycloak } from './keycloak.ts';

export const realm = 'company';
export const audience = 'https://directory.example';
export const password = 'a password of a person';

interface Named {
  readonly id: string;
  readonly name?: string;
  readonly clientId?: string;
}

const secret = 'a secret of a program, of some length';

export interface Realm {
  /** Omitted: the usual values for requests of programs. */
  tokenOf(clientId: string, more?: Readonly<Record<string, string>>): Promise<string>;
  /** A program. @param changes settings that differ from the page */
  addProgram(clientId: string, changes?: ClientChanges): Promise<void>;
  addConsole(clientId: string, address: string): Promise<void>;
  addPerson(username: string, hasRole: boolean): Promise<void>;
  /** Of the newest key, which signs from now on. @returns what ends it */
  rotateKeys(): Promise<{ withdrawOld(): Promise<void> }>;
}

interface ClientChanges {
  readonly scopes?: readonly string[];
  readonly hasRole?: boolean;
  /** *Use "at+jwt" as access token header type*. */
  readonly isAccessTokenType?: boolean;
}

/** Steps 1 to 3: the role, and the scopes that take it. */
async function addScopes({ send }: Keycloak): Promise<Named> {
  await send('POST', `/${realm}/roles`, { name: 'directory' });
  const role = await send<Named>('GET', `/${realm}/roles/directory`);
  for (const name of scopes)
    await send('POST', `/${realm}/client-scopes`, {
      name,
      protocol: 'openid-connect',
      attributes: { 'include.in.token.scope': 'true' },
      protocolMappers: [
        {
          name: 'directory',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-audience-mapper',
          config: { 'included.custom.audience': audience, 'access.token.claim': 'true' },
        },
      ],
    });
  for (const { id, name = '' } of await send<Named[]>('GET', `/${realm}/client-scopes`))
    if ((scopes as readonly string[]).includes(name))
      await send('POST', `/${realm}/client-scopes/${id}/scope-mappings/realm`, [role]);
  return role;
}

export async function setUpRealm(keycloak: Keycloak): Promise<Realm> {
  const { send, token } = keycloak;
  await send('POST', '', { realm, enabled: true });
  const role = await addScopes(keycloak);
  const giveRole = (user: Named) => send('POST', `/${realm}/users/${user.id}/role-mappings/realm`, [role]);

  /** Steps 4 and 5. */
  async function addClient(
    client: object,
    clientId: string,
    kind: 'default' | 'optional',
    added: readonly string[],
  ) {
    await send('POST', `/${realm}/clients`, { clientId, protocol: 'openid-connect', ...client });
    const [made] = await send<Named[]>('GET', `/${realm}/clients?clientId=${clientId}`);
    if (made === undefined) throw new Error(`there is no client ${clientId}`);
    for (const { id, name = '' } of await send<Named[]>('GET', `/${realm}/client-scopes`))
      if (added.includes(name)) await send('PUT', `/${realm}/clients/${made.id}/${kind}-client-scopes/${id}`);
    return made;
  }

  return {
    async tokenOf(clientId, more = {}) {
      const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, ...more };
      return (await token(realm, form)).access_token;
    },
    async addProgram(clientId, { scopes: added = scopes, hasRole = true, isAccessTokenType = true } = {}) {
      const client = {
        publicClient: false,
        serviceAccountsEnabled: true,
        standardFlowEnabled: false,
        secret,
        attributes: { 'access.token.header.type.rfc9068': String(isAccessTokenType) },
      };
      const { id } = await addClient(client, clientId, 'default', added);
      if (hasRole) await giveRole(await send('GET', `/${realm}/clients/${id}/service-account-user`));
    },
    async addConsole(clientId, address) {
      const client = {
        publicClient: true,
        standardFlowEnabled: true,
        redirectUris: [address],
        webOrigins: [new URL(address).origin],
        attributes: { 'pkce.code.challenge.method': 'S256', 'access.token.header.type.rfc9068': 'true' },
      };
      await addClient(client, clientId, 'optional', scopes);
    },
    async addPerson(username, hasRole) {
      await send('POST', `/${realm}/users`, {
        username,
        enabled: true,
        emailVerified: true,
        ...{ firstName: username, lastName: 'Example', email: `${username}@company.example` },
        credentials: [{ type: 'password', value: password, temporary: false }],
      });
      const [person] = await send<Named[]>('GET', `/${realm}/users?username=${username}`);
      if (hasRole && person !== undefined) await giveRole(person);
    },
    async rotateKeys() {
      const path = `/${realm}/components`;
      const type = 'org.keycloak.keys.KeyProvider';
      const all = await send<(Named & { readonly providerId: string })[]>('GET', `${path}?type=${type}`);
      const old = all.find(({ providerId }) => providerId === 'rsa-generated');
      if (old === undefined) throw new Error('the realm has no RSA key');
      const config = { algorithm: ['RS256'], priority: ['200'], enabled: ['true'], active: ['true'] };
      await send('POST', path, { name: 'next', providerId: 'rsa-generated', providerType: type, config });
      return { withdrawOld: () => send('DELETE', `${path}/${old.id}`) };
    },
  };
}
