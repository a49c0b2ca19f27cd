import { expect } from 'chai';
import { describeCount } from '../../src/domain/validation/describe-count.ts';

describe('A number in a sentence', () => {
  it('has the matching form of the noun', () => {
    const told = [0, 1, 2].map((count) => describeCount(count, 'user is', 'users are'));
    expect(told).to.deep.equal(['0 users are', '1 user is', '2 users are']);
    expect(describeCount(1000, 'user', 'users', '1,000')).to.equal('1,000 users');
  });
});
