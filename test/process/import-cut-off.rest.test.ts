import { itsEndIsFound } from './cut-files.ts';

describe('A file of users that was cut off at any byte', () => {
  itsEndIsFound();
});
