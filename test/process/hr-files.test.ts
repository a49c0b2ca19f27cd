import { expect } from 'chai';
import { recordedFiles, tellFiles } from './hr-files.ts';

describe('Sixty files of users that people made with a spreadsheet, and twelve as other programs save them,', () => {
  it('are told what is wrong with them as recorded, in words that a reader of the record can act on', async () => {
    expect(await tellFiles()).to.equal(recordedFiles());
  });
});
