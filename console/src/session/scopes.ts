/** The scopes of the credentials. The service is asked, since API keys do not contain them. */

import { urlOf } from '../root.ts';
import { type Kind, type KindName, kindNames, kinds } from '../schema/kinds.ts';

type Permission = 'read' | 'write' | 'delete';
type KindScope = `${Kind['plural']}:${Permission}`;
export type Scope = KindScope | 'history:read';

export const scopeOf = (kind: KindName, permission: Permission): KindScope =>
  `${kinds[kind].plural}:${permission}`;

type Probe = readonly [scope: Scope, method: string, path: string];

const probesOf = (kind: KindName): readonly Probe[] => [
  [scopeOf(kind, 'read'), 'GET', kinds[kind].plural],
  [scopeOf(kind, 'write'), 'POST', kinds[kind].plural],
  [scopeOf(kind, 'delete'), 'DELETE', `${kinds[kind].plural}/nobody`],
];

/**
 * Requests that end right after the check of the scope, which comes first: nothing is read, created or deleted.
 * They accept only the media type of problems (406), or name no resource (404).
 */
const probes: readonly Probe[] = [
  ...kindNames.flatMap(probesOf),
  ['history:read', 'GET', 'users/nobody/history'],
];

export const scopes: readonly Scope[] = probes.map(([scope]) => scope);

async function isGranted([, method, path]: Probe, authorization: string): Promise<boolean> {
  const headers = { Authorization: authorization, Accept: 'application/problem+json' };
  const response = await fetch(urlOf(path), { method, headers, credentials: 'omit' });
  const { status, ok } = response;
  if (status === 401) {
    // A gateway's own page is no problem document.
    const problem: { readonly detail?: string } = await response.json().catch(() => ({}));
    throw new RefusedCredentials(problem.detail);
  }
  if (status >= 500 || ok) throw new Error(`the service answers ${status}`);
  return status !== 403;
}

/** Its message is the service's reason, or empty. */
export class RefusedCredentials extends Error {}

/** @throws RefusedCredentials; as `fetch`; Error when the service cannot say now */
export async function findScopes(authorization: string): Promise<readonly Scope[]> {
  const granted = await Promise.all(probes.map((probe) => isGranted(probe, authorization)));
  return scopes.filter((_, index) => granted[index]);
}
