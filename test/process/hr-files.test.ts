import { expect } from 'chai';
import { recordedFiles, tellFiles } from './hr-files.ts';

describe('Sixty files of users from spreadsheets, and twelve from other programs,', () => {
  it('get the recorded messages about their mistakes', async () => {
    expect(await tellFiles()).to.equal(recordedFiles());
  });
});
