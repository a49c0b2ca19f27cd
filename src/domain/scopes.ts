/** The scope of each operation: the one table that the use cases, HTTP and the contracts read. */
import { DomainError } from './base/errors.ts';
import type { Principal } from './ports.ts';

/** Scopes are directory-wide. */
export const operations = {
  list: 'users:read',
  read: 'users:read',
  create: 'users:write',
  replace: 'users:write',
  patch: 'users:write',
  change: 'users:write',
  remove: 'users:delete',
} as const;
export type Operation = keyof typeof operations;
export type Scope = (typeof operations)[Operation];

export const scopes: readonly Scope[] = [...new Set(Object.values(operations))];

/** A scope that includes another. */
const includes: Partial<Record<Scope, Scope>> = { 'users:write': 'users:read' };

/** Keeps known scopes and adds the scopes that they include; unknown scopes in a token are ignored. */
export function scopesOf(granted: Iterable<string>): ReadonlySet<Scope> {
  const known = new Set<Scope>();
  for (const name of granted) {
    const scope = scopes.find((candidate) => candidate === name);
    if (scope === undefined) continue;
    known.add(scope);
    const included = includes[scope];
    if (included !== undefined) known.add(included);
  }
  return known;
}

/** @throws DomainError `insufficient-scope`, naming it */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.has(scope)) return;
  throw new DomainError('insufficient-scope', `This takes the scope ${scope}.`, { scope });
}

/** @throws DomainError `insufficient-scope` naming the scope that `operation` takes */
export const authorize = (principal: Principal, operation: Operation): void =>
  requireScope(principal, operations[operation]);
