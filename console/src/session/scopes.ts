/** The scopes on which the console depends. */
import { type Kind, type KindName, kindNames, kinds } from '../schema/kinds.ts';

const permissions = ['read', 'write', 'delete'] as const;
type Permission = (typeof permissions)[number];
type KindScope = `${Kind['plural']}:${Permission}`;
export type Scope = KindScope | 'history:read';

export const scopeOf = (kind: KindName, permission: Permission): KindScope =>
  `${kinds[kind].plural}:${permission}`;

export const scopes: readonly Scope[] = [
  ...kindNames.flatMap((kind) => permissions.map((permission) => scopeOf(kind, permission))),
  'history:read',
];
