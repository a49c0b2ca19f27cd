import { inspect } from 'node:util';
import { expect } from 'chai';
import { mongoAddress } from '../../../../src/adapters/stores/mongodb/uri.ts';
import { openAt } from '../../../support/mongodb.ts';

describe('A connection string of MongoDB', () => {
  const refusal = async (uri: string): Promise<string> => {
    const cause = await openAt(uri).catch((reason: unknown) => reason);
    return inspect(cause, { depth: null });
  };

  for (const [options, told] of [
    ['w=1', /w=1/],
    ['w=0', /w=0/],
    ['w=2&journal=false', /w=2 and journal=false/],
    ['journal=false', /journal=false/],
    ['nonsense=1', /nonsense/],
    ['maxPoolSize=many', /maxPoolSize/],
  ] as const) {
    it(`is refused with ${options}, and not quoted`, async () => {
      const said = await refusal(`mongodb://someone:hush%21@127.0.0.1:1/users?${options}`);
      expect(said).to.match(told);
      expect(said).not.to.match(/hush|someone/);
    });
  }
  for (const uri of [
    'mongodb//someone:hush@host/users',
    'http://someone:hush@host/users',
    'mongodb://someone:hu/sh@host/users',
    'mongodb://someone:hush@host:port/users',
    'mongodb://someone:hu%sh@host/users',
    'mongodb://someone:hush@/users',
  ]) {
    it(`is not quoted when it is malformed: ${uri.replace(/hu.?.?sh/, '…')}`, async () => {
      const said = await refusal(uri);
      expect(said).to.match(/^Error: The MongoDB connection string can't be used: /);
      expect(said).not.to.match(/hu.?.?sh|someone/);
    });
  }
  it('is shown as hosts and database', () => {
    expect(mongoAddress('mongodb://u:p@a:1,b:2/dir?w=majority&x=y')).to.equal('a:1,b:2/dir');
    expect(mongoAddress('mongodb+srv://u:p@cluster.example')).to.equal('cluster.example/users');
    expect(mongoAddress('mongodb://a/?replicaSet=rs')).to.equal('a/users');
    expect(mongoAddress('mongodb://u:p@p@a')).not.to.include('p@');
  });
});
