/** What the credentials reach. The service is asked, since API keys don't tell. */

import { urlOf } from '../root.ts';
import { type Kind, type KindName, kindNames, kinds } from '../schema/kinds.ts';

type Permission = 'read' | 'write' | 'delete';
export type Scope = `${Kind['plural']}:${Permission}`;

export const scopeOf = (kind: KindName, permission: Permission): Scope =>
  `${kinds[kind].plural}:${permission}`;

/**
 * Requests that go no further than the check of the scope, which stands before everything else: nothing is read, made or deleted.
 * The first two ask for the media type of problems alone (406), the last names no resource (404).
 */
const probes: Readonly<Record<Permission, readonly [method: string, path: string]>> = {
  read: ['GET', ''],
  write: ['POST', ''],
  delete: ['DELETE', '/nobody'],
};
const permissions = Object.keys(probes) as readonly Permission[];

export const scopes: readonly Scope[] = kindNames.flatMap((kind) =>
  permissions.map((permission) => scopeOf(kind, permission)),
);

async function isGranted(scope: Scope, authorization: string): Promise<boolean> {
  const [plural, permission] = scope.split(':') as [Kind['plural'], Permission];
  const [method, path] = probes[permission];
  const headers = { Authorization: authorization, Accept: 'application/problem+json' };
  const response = await fetch(urlOf(plural + path), { method, headers, credentials: 'omit' });
  const { status, ok } = response;
  if (status === 401) {
    // A gateway's own page isn't a problem.
    const problem: { readonly detail?: string } = await response.json().catch(() => ({}));
    throw new RefusedCredentials(problem.detail);
  }
  if (status >= 500 || ok) throw new Error(`the service answers ${status}`);
  return status !== 403;
}

/** Its message is the service's reason; empty: there was none. */
export class RefusedCredentials extends Error {}

/** @throws RefusedCredentials; whatever `fetch` throws; Error when the service can't tell now */
export async function findScopes(authorization: string): Promise<readonly Scope[]> {
  const granted = await Promise.all(scopes.map((scope) => isGranted(scope, authorization)));
  return scopes.filter((_, index) => granted[index]);
}
