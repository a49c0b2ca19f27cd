/** Users of an export, and the lines of its file. */
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser } from '../support/a-user.ts';

/** In the order of their ids. */
export const someUsers = (count: number, more: (at: number) => Partial<User> = () => ({})): User[] =>
  Array.from({ length: count }, (_, at) => {
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    return aUser({ id, userName: `user${at}`, ...more(at) });
  });

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
