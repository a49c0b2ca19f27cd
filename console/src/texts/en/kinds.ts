/** Names of the kinds of resources, and the search for them. */
import { printNumber } from '../../language.ts';

const count = (one: string) => (many: number) => `${printNumber(many)} ${many === 1 ? one : `${one}s`}`;

export const kinds = {
  user: {
    plural: 'Users',
    count: count('user'),
    new: 'New user',
    /** The values by which a search finds them. */
    hint: 'Name, email address, number…',
    noMatch: 'No user matches.',
  },
  group: {
    plural: 'Groups',
    count: count('group'),
    new: 'New group',
    hint: 'Name, description…',
    noMatch: 'No group matches.',
  },
  member: { plural: 'Members', count: count('member') },
};
