/** Users as a table can hold them: a reader removes blanks at the ends of cells. */
import type { User } from '../../src/domain/kinds/user/user.ts';

export const tidyText = (text: string): string =>
  text.trim() === '' ? '' : text.replace(/^[^\S\r\n]+|[^\S\r\n]+$/g, '');

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function tidy(value: unknown): unknown {
  if (typeof value === 'string') return tidyText(value) || '-';
  // Two texts may become one, which a list without duplicates has once.
  if (Array.isArray(value)) return [...new Set(value.map(tidy))];
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tidy(inner)]));
}

/** The user without blanks at the ends of texts; a blank text becomes a dash. */
export const tidyUser = (user: User): User => tidy(user) as User;
