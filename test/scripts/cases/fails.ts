import { expect } from 'chai';
import { deadline } from '../../support/deadlines.ts';

describe('A file that fails', () => {
  it('passes in part', () => undefined);
  it('shows the difference', () => {
    expect({ status: 503 }).to.deep.equal({ status: 200 });
  });
  it('fails when a promise rejects beside it', async () => {
    void Promise.reject(new Error('rejected beside it'));
    await new Promise((resolve) => setTimeout(resolve, deadline));
  });
});

describe('A suite whose hook fails', () => {
  before(() => {
    throw new Error('no store');
  });
  it('fails its first test', () => undefined);
  it('fails its last test', () => undefined);
});
