/** Users of many kilobytes, for tables. */
import { csv } from '../../src/adapters/formats/csv/csv.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser } from '../support/a-user.ts';
import { userCodec } from '../support/kinds.ts';

export const codec = userCodec(csv);

const idAt = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

/** Long ones, so that they are read in many pieces. In the order of their ids. */
export const longUsers = (count: number, more: (at: number) => Partial<User> = () => ({})): User[] =>
  Array.from({ length: count }, (_, at) => {
    const attributes = Object.fromEntries(
      Array.from({ length: 14 }, (_, index) => [`a${index}`, 'x'.repeat(1024)]),
    );
    return aUser({ id: idAt(at), userName: `user${at}`, attributes, ...more(at) });
  });

/** Far from the first piece. */
export const [late, many] = [450, 500];
