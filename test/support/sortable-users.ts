/** Users with a value to be sorted by. */
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser } from './a-user.ts';

/** Ids that sort as the numbers do. */
export const idOf = (number: number): string =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

const instants = ['created', 'lastModified', 'validFrom', 'validUntil', 'nextAt'];

/** With this value for the order `by`; without it, the user lacks it where it may. */
export function sortable(by: string, number: number, value?: string): User {
  const user = aUser({ id: idOf(number) });
  if (value === undefined) return user;
  if (by === 'familyName') return { ...user, name: { familyName: value } };
  if (by === 'department') return { ...user, enterprise: { department: value } };
  if (by === 'nextAt') return { ...user, active: true, validUntil: value };
  if (by === 'created' || by === 'lastModified') return { ...user, meta: { ...user.meta, [by]: value } };
  return { ...user, [by]: value };
}

const dates = ['1999-12-31T23:59:59.999Z', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z'];
const names = ['adam', 'Ádele', 'Łem', 'lund', 'Ørn', 'østby', 'Zoë', 'zoe.a'];
/** Valid ones, in their order. */
export const valuesOf = (by: string): string[] => (instants.includes(by) ? dates : names);
