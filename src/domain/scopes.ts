/** The scope of each operation: the one table that the use cases, HTTP and the contracts read. */

import { kindsOf } from './kinds.ts';
import { DomainError, type KindName } from './validation/errors.ts';

const permissions = {
  list: 'read',
  read: 'read',
  create: 'write',
  replace: 'write',
  patch: 'write',
  change: 'write',
  remove: 'delete',
} as const;
export type Operation = keyof typeof permissions;

/** Scopes for following the change log, and for seeing the values before and after in histories. */
const logScopes = ['changes:read', 'history:read'] as const;

/** Scopes are directory-wide. */
export type Scope = `${KindName}s:${(typeof permissions)[Operation]}` | (typeof logScopes)[number];

/** The scope that an operation on resources of the kind takes. */
export const scopeOf = (name: KindName, operation: Operation): Scope => `${name}s:${permissions[operation]}`;

export const scopes: readonly Scope[] = [
  ...kindsOf().all.flatMap(({ name }) =>
    (['read', 'write', 'delete'] as const).map((permission): Scope => `${name}s:${permission}`),
  ),
  ...logScopes,
];

/** Matches scopes of any kind: several installations, with other kinds, may share an issuer. */
const scopePattern = /^[a-z]+:(?:read|write|delete)$/;

/** A profile in a list of scopes: `as:phonebook`. */
const profilePrefix = 'as:';

export const profileName = /^[a-z0-9-]{1,64}$/;

export const profileScope = (profile: string): string => `${profilePrefix}${profile}`;

/** The profiles that a token names, without duplicates. In any case: an issuer's spelling must not make it one without a profile. */
export const profilesOf = (granted: readonly string[]): readonly string[] => [
  ...new Set(
    granted
      .filter((name) => name.toLowerCase().startsWith(profilePrefix))
      .map((name) => name.slice(profilePrefix.length)),
  ),
];

export interface Grant {
  readonly scopes: ReadonlySet<Scope>;
  /** Without scopes: what the credentials have instead. Fit for the client and for a log. */
  readonly whyNoScopes?: string | undefined;
}

/** Keeps scopes by their form, and adds the read scope that a write scope includes; ignores others in a token. */
export function scopesOf(granted: Iterable<string>): ReadonlySet<Scope> {
  const held = new Set<Scope>();
  for (const name of granted) {
    if (!scopePattern.test(name)) continue;
    held.add(name as Scope);
    if (!name.endsWith(':write')) continue;
    const read = name.replace(/:write$/, ':read') as Scope;
    // The log can't be written: another service's `history:write` grants nothing here.
    if (!logScopes.some((scope) => scope === read)) held.add(read);
  }
  return held;
}

/** @throws DomainError `insufficient-scope`, naming the first, if none is held */
export function requireAny(principal: Grant, wanted: readonly Scope[]): void {
  const [first] = wanted;
  if (first !== undefined && !wanted.some((scope) => principal.scopes.has(scope)))
    requireScope(principal, first);
}

/** @throws DomainError `insufficient-scope`, naming it */
export function requireScope({ scopes: held, whyNoScopes: why }: Grant, scope: Scope): void {
  if (held.has(scope)) return;
  const reason = why === undefined ? '' : `: ${why}`;
  const none = held.size === 0 ? ` The credentials have no scope of this service${reason}.` : '';
  throw new DomainError('insufficient-scope', `This takes the scope ${scope}.${none}`, { scope });
}
