import { expect } from 'chai';
import { isFirstTry } from './tries.ts';

describe('A file that fails once', () => {
  it('passes when it is alone', () => {
    expect(isFirstTry('fails-once'), 'the first try').to.equal(false);
  });
});
