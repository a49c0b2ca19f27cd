/** Names of the kinds of resources. */
import { printNumber } from '../../language.ts';

const count = (one: string) => (many: number) => `${printNumber(many)} ${many === 1 ? one : `${one}s`}`;

export const kinds = {
  user: { plural: 'Users', count: count('user'), new: 'New user' },
  group: { plural: 'Groups', count: count('group'), new: 'New group' },
  member: { plural: 'Members', count: count('member') },
};
