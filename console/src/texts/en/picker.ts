/** Fields that find values as the person types. */
export const picker = {
  hint: { user: 'Name, email address, number…', group: 'Name, description…' },
  noMatch: { user: 'No user matches.', group: 'No group matches.' },
  more: 'There are more: typing narrows them down.',
  unknownCode: 'This browser does not know this code.',
  open: (name: string) => `Open ${name}`,
  notInDirectory: 'Not a user of this directory.',
};
