import { inspect } from 'node:util';
import { expect } from 'chai';
import { mongoAddress } from '../../../../src/adapters/stores/mongodb/connection/client.ts';
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
  for (const password of ['p@ss', 'p/ss', 'p:ss', 'p%ss'])
    it(`is refused with advice for the unencoded password ${password}`, async () => {
      const said = await refusal(`mongodb://someone:${password}@host/users`);
      expect(said).to.contain('(USERS_MONGODB_URI: write @ : / % in a password as %40 %3A %2F %25)');
    });
  it('is refused without that advice when the password is encoded', async () => {
    expect(await refusal('mongodb://someone:hush%40@host:port/users')).not.to.contain('%40 %3A');
  });
  for (const database of ['a%2Fb', 'a.b', 'a%00b', 'a%20b', 'a$b', 'a"b', 'a\\b', 'x'.repeat(64)])
    it(`is refused for the invalid name of a database: ${database.slice(0, 8)}`, async () => {
      const said = await refusal(`mongodb://someone:hush%21@127.0.0.1:1/${database}`);
      expect(said).to.match(/names a database that there can not be|connection string can't be used/);
      expect(said).not.to.match(/hush|someone/);
    });
  for (const [option, file, reason] of [
    ['tlsCAFile', '/dev/zero', 'not a regular file'],
    ['tlsCertificateKeyFile', '/nowhere/key.pem', 'ENOENT'],
    ['tlsCRLFile', '/dev', 'not a regular file'],
  ] as const)
    it(`is refused with ${option}=${file}, which cannot be read`, async () => {
      const said = await refusal(
        `mongodb://127.0.0.1:1/users?tls=true&${option}=${encodeURIComponent(file)}`,
      );
      expect(said).to.contain(file).and.to.contain(reason);
    });
  it('is shown as hosts and database', () => {
    expect(mongoAddress('mongodb://u:p@a:1,b:2/dir?w=majority&x=y')).to.equal('a:1,b:2/dir');
    expect(mongoAddress('mongodb+srv://u:p@cluster.example')).to.equal('cluster.example/users');
    expect(mongoAddress('mongodb://a/?replicaSet=rs')).to.equal('a/users');
    expect(mongoAddress('mongodb://u:p@p@a')).not.to.include('p@');
  });
});
