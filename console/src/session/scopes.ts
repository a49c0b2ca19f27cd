/** The scopes on which the console depends, and what an access profile leaves of them. The service refuses the rest; the console does not offer it. */
import type { components } from '../contract.ts';
import { type Kind, type KindName, kindNames, kinds } from '../schema/kinds.ts';

const permissions = ['read', 'write', 'delete'] as const;
type Permission = (typeof permissions)[number];
type KindScope = `${Kind['plural']}:${Permission}`;
export type Scope = KindScope | 'changes:read' | 'history:read';

export const scopeOf = (kind: KindName, permission: Permission): KindScope =>
  `${kinds[kind].plural}:${permission}`;

export const scopes: readonly Scope[] = [
  ...kindNames.flatMap((kind) => permissions.map((permission) => scopeOf(kind, permission))),
  'changes:read',
  'history:read',
];

export type Access = components['schemas']['Access'];
type Profile = Access['profile'];

function mayUse(profile: NonNullable<Profile>, scope: Scope): boolean {
  const [plural, permission] = scope.split(':');
  if (plural !== 'users' && plural !== 'groups') return true;
  const rights = profile[plural];
  if (rights === undefined || permission === 'read') return rights !== undefined;
  return permission === 'delete' ? rights.delete : rights.create || rights.write.length > 0;
}

/** The scopes that the profile does not take away entirely. */
export const usableScopes = ({ scopes: held, profile }: Access): readonly Scope[] =>
  scopes.filter((scope) => held.includes(scope) && (profile === undefined || mayUse(profile, scope)));

const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);

/** Whether the names have the member, something in it, or something around it. */
const isNamed = (names: readonly string[], path: string): boolean =>
  names.some((name) => name === '*' || isWithin(path, name) || isWithin(name, path));

/** @param path of a field, or `members` */
export function isWritable(profile: Profile, kind: KindName, path: string): boolean {
  const rights = profile?.[kinds[kind].plural];
  return rights === undefined || isNamed(rights.write, path);
}

/** @param path of a field; `id` and `meta` are always visible */
export function isVisible(profile: Profile, kind: KindName, path: string): boolean {
  const rights = profile?.[kinds[kind].plural];
  if (rights === undefined || /^(id|meta)\b/.test(path)) return true;
  return isNamed(rights.read, path) && !rights.except.some((name) => isWithin(path, name));
}
