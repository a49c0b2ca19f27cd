import { printNumber } from '../../language.ts';

/** Two people who change the same user or group; values and their comparison. */
export const change = {
  nothing: 'none',
  flags: { true: 'Yes', false: 'No' },
  overtaken: (name: string) => `Somebody else has changed ${name} in the meantime`,
  since: 'Changed after you opened it:',
  notSaved: 'None of your changes has been saved yet.',
  versions: { base: 'Original', theirs: 'Theirs', mine: 'Yours' },
  merged: 'Result',
  settled: (count: number) => `Other changes, merged: ${printNumber(count)}`,
  conflict: 'You both changed this: choose one.',
  compare: 'Compare',
  differences: 'Differences',
  otherGroups: 'Other groups',
  shared: 'Groups of both:',
  equal: 'All values are the same.',
  save: 'Save this version',
  edit: 'Continue in the form',
  discard: 'Discard my changes',
  left: (count: number) => (count === 1 ? '1 choice left' : `${printNumber(count)} choices left`),
};
