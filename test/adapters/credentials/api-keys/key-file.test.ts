import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { addKey, hashOf } from '../../../../src/adapters/credentials/api-keys/key-file.ts';
import type { Scope } from '../../../../src/domain/scopes.ts';

describe('Adding an API key', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
    file = join(folder, 'api-keys.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const scopes: Scope[] = ['users:read'];

  it('makes the file, for its owner alone, with the hash of 256 random bits', () => {
    const secret = addKey(file, { id: 'erp', scopes, expires: new Date('2027-01-01T00:00:00Z') });
    expect(Buffer.from(secret, 'base64url')).to.have.length(32);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const expected = { id: 'erp', hash: hashOf(secret).toString('base64url'), scopes };
    const expires = '2027-01-01T00:00:00.000Z';
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal({ keys: [{ ...expected, expires }] });
    expect(readdirSync(folder)).to.deep.equal(['api-keys.json']);
  });

  it('leaves a file alone that is broken, and one whose new key would be', () => {
    writeFileSync(file, '{"keys": [7]}');
    expect(() => addKey(file, { id: 'erp', scopes })).to.throw(file);
    expect(readFileSync(file, 'utf8')).to.equal('{"keys": [7]}');
    writeFileSync(file, '{"keys": []}');
    expect(() => addKey(file, { id: 'a:b', scopes })).to.throw('/keys/0/id');
    expect(() => addKey(file, { id: 'erp', scopes, expires: new Date(Number.NaN) })).to.throw(file);
    expect(readFileSync(file, 'utf8')).to.equal('{"keys": []}');
    expect(readdirSync(folder)).to.deep.equal(['api-keys.json']);
  });

  it('waits for no other that is under way, and loses none of its keys', () => {
    writeFileSync(`${file}.new`, '');
    expect(() => addKey(file, { id: 'erp', scopes })).to.throw(`${file}.new`);
    expect(readdirSync(folder)).to.deep.equal(['api-keys.json.new']);
  });
});
