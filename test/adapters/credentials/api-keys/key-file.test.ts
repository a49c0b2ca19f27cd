import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { addKey, listKeys, revokeKeys } from '../../../../src/adapters/credentials/api-keys/change-keys.ts';
import { hashOf } from '../../../../src/adapters/credentials/api-keys/key-file.ts';
import type { Scope } from '../../../../src/domain/scopes.ts';
import { missing } from '../../../support/left-out.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
  file = join(folder, 'api-keys.json');
});
afterEach(() => rmSync(folder, { recursive: true }));
const scopes: Scope[] = ['users:read'];

describe('Adding an API key', () => {
  it('creates the file, private to its owner, with the hash of 256 random bits', () => {
    const secret = addKey(file, { id: 'erp', scopes, expires: new Date('2027-01-01T00:00:00Z') });
    expect(Buffer.from(secret, 'base64url')).to.have.length(32);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const expected = { id: 'erp', hash: hashOf(secret).toString('base64url'), scopes };
    const expires = '2027-01-01T00:00:00.000Z';
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal({ keys: [{ ...expected, expires }] });
    expect(readdirSync(folder)).to.deep.equal(['api-keys.json']);
  });

  it('keeps the version of the contract that a client is pinned to, and lists it', () => {
    addKey(file, { id: 'erp', scopes, contract: '1.12' });
    expect(listKeys(file)[0]).to.include({ id: 'erp', contract: '1.12' });
    expect(() => addKey(file, { id: 'erp', scopes, contract: '1.11' })).to.throw('/keys/1/contract');
  });

  it('does not write to a broken file, or write an invalid key', () => {
    writeFileSync(file, '{"keys": [7]}');
    expect(() => addKey(file, { id: 'erp', scopes })).to.throw(file);
    expect(readFileSync(file, 'utf8')).to.equal('{"keys": [7]}');
    writeFileSync(file, '{"keys": []}');
    expect(() => addKey(file, { id: 'a:b', scopes })).to.throw('/keys/0/id');
    expect(() => addKey(file, { id: 'erp', scopes, expires: new Date(Number.NaN) })).to.throw(file);
    expect(readFileSync(file, 'utf8')).to.equal('{"keys": []}');
    expect(readdirSync(folder)).to.deep.equal(['api-keys.json']);
  });

  it('fails at once while another key is being added, and no key is lost', () => {
    writeFileSync(`${file}.new`, '');
    expect(() => addKey(file, { id: 'erp', scopes })).to.throw(`${file}.new`);
    expect(readdirSync(folder)).to.deep.equal(['api-keys.json.new']);
  });

  it('creates a missing folder, and fails at once when it cannot be created', () => {
    const below = join(folder, 'a', 'b', 'keys.json');
    addKey(below, { id: 'erp', scopes });
    expect(statSync(dirname(below)).mode & 0o777).to.equal(0o700);
    expect(() => addKey('/proc/users/keys.json', { id: 'erp', scopes })).to.throw('keeps no files (proc)');
  });

  it('gives a new file to the owner of its folder when root creates it, so that the service can read it', function () {
    if (process.getuid?.() !== 0) missing(this, 'root');
    chownSync(folder, 1234, 4321);
    addKey(file, { id: 'erp', scopes });
    const { uid, gid, mode } = statSync(file);
    expect([uid, gid, mode & 0o777]).to.deep.equal([1234, 4321, 0o600]);
  });

  it('keeps the owner of the file when root changes it, so that the service can read it', function () {
    if (process.getuid?.() !== 0) missing(this, 'root');
    addKey(file, { id: 'erp', scopes });
    chownSync(file, 1234, 4321);
    addKey(file, { id: 'crm', scopes });
    const { uid, gid, mode } = statSync(file);
    expect([uid, gid, mode & 0o777]).to.deep.equal([1234, 4321, 0o600]);
  });
});

describe('The API keys in a file', () => {
  const ids = () => listKeys(file).map(({ id }) => id);

  it('are listed with their fingerprints and without secrets', () => {
    const expires = new Date('2027-01-01T00:00:00Z');
    const secrets = [addKey(file, { id: 'erp', scopes }), addKey(file, { id: 'erp', scopes, expires })];
    const keys = listKeys(file);
    expect(keys.map(({ fingerprint: _, ...rest }) => rest)).to.deep.equal([
      { id: 'erp', scopes, expires: undefined },
      { id: 'erp', scopes, expires },
    ]);
    for (const [index, { fingerprint }] of keys.entries())
      expect(fingerprint).to.equal(
        hashOf(secrets[index] ?? '')
          .toString('hex')
          .slice(0, 8),
      );
  });

  it('are revoked by id, or one by its fingerprint, and the other keys stay in the file unchanged', () => {
    for (const id of ['erp', 'crm', 'erp', 'hr']) addKey(file, { id, scopes });
    const text = readFileSync(file, 'utf8');
    const [, crm, second] = listKeys(file);
    expect(revokeKeys(file, { id: 'erp', fingerprint: second?.fingerprint })).to.deep.equal([second]);
    expect(ids()).to.deep.equal(['erp', 'crm', 'hr']);
    expect(revokeKeys(file, { fingerprint: crm?.fingerprint })).to.deep.equal([crm]);
    expect(revokeKeys(file, { id: 'erp' })).to.have.length(1);
    expect(JSON.parse(readFileSync(file, 'utf8')).keys).to.deep.equal([JSON.parse(text).keys[3]]);
    revokeKeys(file, { id: 'hr' });
    expect(readFileSync(file, 'utf8')).to.equal('{\n  "keys": []\n}\n');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder)).to.deep.equal(['api-keys.json']);
  });

  it('stay unchanged when no key matches, when the file is damaged and while another process changes it', () => {
    addKey(file, { id: 'erp', scopes });
    const [key] = listKeys(file);
    const text = readFileSync(file, 'utf8');
    const strangers = [
      { id: 'ERP' },
      { fingerprint: '00000000' },
      { id: 'crm', fingerprint: key?.fingerprint },
    ];
    for (const chosen of strangers)
      expect(() => revokeKeys(file, chosen))
        .to.throw(file)
        .with.property('message')
        .that.contains('no such key');
    writeFileSync(`${file}.new`, '');
    expect(() => revokeKeys(file, { id: 'erp' })).to.throw('another process is changing the keys');
    rmSync(`${file}.new`);
    expect(readFileSync(file, 'utf8')).to.equal(text);
    writeFileSync(file, '{"keys": [7]}');
    expect(() => revokeKeys(file, { id: 'erp' })).to.throw(file);
    expect(() => listKeys(file)).to.throw(file);
    expect(readFileSync(file, 'utf8')).to.equal('{"keys": [7]}');
  });
});
