import type { KeptUser } from '../../../domain/stored-user.ts';
import type { User } from '../../../domain/user.ts';
import type { Codec } from '../../formats/format.ts';

/** Prints users as stores hand them out: where the format is canonical JSON itself, a stored text passes through unparsed. */
export type UserPrinter = Pick<Codec<KeptUser>, 'print' | 'list'>;

export function userPrinter({ isCanonical, print, list }: Codec<User>): UserPrinter {
  const text = (user: KeptUser): string => user.text;
  return isCanonical
    ? { print: text, list: { ...list, item: text } }
    : { print: ({ user }) => print(user), list: { ...list, item: ({ user }) => list.item(user) } };
}
