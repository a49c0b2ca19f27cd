/** What the credentials reach. The service is asked, since API keys don't tell. */
import { urlOf } from '../root.ts';

export const scopes = ['users:read', 'users:write', 'users:delete'] as const;
export type Scope = (typeof scopes)[number];

/**
 * Requests that go no further than the check of the scope, which stands before everything else: nothing is read, made or deleted.
 * The first asks for a media type that there is not (406), the last names no user (404).
 */
const probes: Readonly<Record<Scope, readonly [method: string, path: string]>> = {
  'users:read': ['GET', 'users'],
  'users:write': ['POST', 'users'],
  'users:delete': ['DELETE', 'users/nobody'],
};

async function isGranted(scope: Scope, authorization: string): Promise<boolean> {
  const [method, path] = probes[scope];
  const accept = method === 'DELETE' ? 'application/json' : 'application/x-nothing';
  const headers = { Authorization: authorization, Accept: accept };
  const { status, ok } = await fetch(urlOf(path), { method, headers, credentials: 'omit' });
  if (status === 401) throw new RefusedCredentials();
  if (status >= 500 || ok) throw new Error(`the service answers ${status}`);
  return status !== 403;
}

export class RefusedCredentials extends Error {}

/** @throws RefusedCredentials; whatever `fetch` throws; Error when the service can't tell now */
export async function findScopes(authorization: string): Promise<readonly Scope[]> {
  const granted = await Promise.all(scopes.map((scope) => isGranted(scope, authorization)));
  return scopes.filter((_, index) => granted[index]);
}
