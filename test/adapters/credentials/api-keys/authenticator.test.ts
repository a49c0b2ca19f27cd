import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { apiKeys } from '../../../../src/adapters/credentials/api-keys/authenticator.ts';
import { addKey, revokeKeys } from '../../../../src/adapters/credentials/api-keys/change-keys.ts';
import { hashOf } from '../../../../src/adapters/credentials/api-keys/key-file.ts';
import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import type { Authenticator } from '../../../../src/domain/ports.ts';
import type { Scope } from '../../../../src/domain/scopes.ts';
import { itIsAnAuthenticator, refusal } from '../../../contract/authenticator.ts';

const now = new Date('2026-06-01T12:00:00Z');
const clock = { now: () => now };
const basic = (id: string, secret: string) => Buffer.from(`${id}:${secret}`).toString('base64');
/** As it arrives: a character for each byte. */
const bearer = (id: string, secret: string) => Buffer.from(`${id}.${secret}`).toString('latin1');
const hash = hashOf('secret').toString('base64url');
const entry = { id: 'erp', hash, scopes: ['users:read'] };

describe('An API key', () => {
  let folder: string;
  let file: string;
  let problems: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
    file = join(folder, 'api-keys.json');
    problems = [];
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((authenticator) => authenticator.close()));
    rmSync(folder, { recursive: true });
  });

  const write = (...keys: unknown[]) => writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 });
  const opened: Authenticator[] = [];
  const openBoth = (maxStaleSeconds = 60) => {
    const onProblem = (message: string) => problems.push(message);
    const keys = apiKeys({ file, maxStaleSeconds, onProblem }, clock);
    const both = { basic: keys.basic, bearer: bearerAuthenticator(keys.bearer) };
    opened.push(both.basic, both.bearer);
    return both;
  };
  const open = (maxStaleSeconds = 60) => openBoth(maxStaleSeconds).basic;
  const forms = [
    ['Basic', basic, 'basic'],
    ['Bearer', bearer, 'bearer'],
  ] as const;

  for (const [scheme, form, which] of forms)
    describe(`as credentials of ${scheme}`, () => {
      itIsAnAuthenticator(async () => {
        write(entry);
        return {
          client: 'client',
          authenticator: openBoth()[which],
          credentials: async (scopes) =>
            form('client', addKey(file, { id: 'client', scopes: scopes as Scope[] })),
          forged: async () => form('client', 'x'.repeat(43)),
          withdraw: async () => write(entry),
          dispose: async () => undefined,
        };
      });
    });

  it('is its id and its secret, which may contain colons and any character', async () => {
    const secret = 'pässword:with:colons 😀';
    write({ ...entry, id: 'Büro 7', hash: hashOf(secret).toString('base64url') });
    const { scopes } = await open().authenticate(basic('Büro 7', secret));
    expect([...scopes]).to.deep.equal(['users:read']);
  });

  for (const [scheme, form, which] of forms)
    it(`is refused by ${scheme} with the same message for an unknown id and a wrong secret`, async () => {
      write(entry);
      const unknown = await refusal(openBoth()[which], form('crm', 'secret'));
      const wrong = await refusal(openBoth()[which], form('erp', 'Secret'));
      expect(unknown.message).to.equal('The API key is wrong.');
      expect(wrong.message).to.equal(unknown.message);
    });

  it('may have an id with dots and any character as a Bearer secret, where the last dot ends the id', async () => {
    for (const id of ['erp.eu.example', 'Büro 7', '世界.', '..', 'a@b.c', 'x=', 'eyJhbGciOiJIUzI1NiJ9']) {
      const secret = addKey(file, { id, scopes: ['users:read'] });
      expect((await openBoth().bearer.authenticate(bearer(id, secret))).id, id).to.equal(id);
    }
  });

  it('is refused as malformed when it is not an id, a dot and a secret in strict UTF-8', async () => {
    write(entry);
    const long = bearer('i'.repeat(129), 'secret');
    for (const credentials of [
      'erp',
      '.secret',
      'erp:secret',
      'e:p.secret',
      'b\xfcro.secret',
      '世.secret',
      // The low byte of its first character is an e.
      'ťrp.secret',
      long,
    ]) {
      const { message } = await refusal(openBoth().bearer, credentials);
      expect(message, credentials).to.match(/^This is not an API key /);
    }
  });

  it('is not created with an id that a Bearer field would change, or that would look like a token', () => {
    write(entry);
    for (const [id, reason] of [
      [' erp', 'begins with a space'],
      ['eyJhbGciOiJIUzI1NiJ9.e30', 'has the shape of a signed token'],
      ['e30.', 'has the shape of a signed token'],
    ] as const) {
      expect(() => addKey(file, { id, scopes: ['users:read'] }), id).to.throw(reason);
      expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal({ keys: [entry] });
    }
  });

  it('is refused when it is not exactly base64 of UTF-8 with a colon', async () => {
    write(entry);
    const unpadded = basic('erp', 'secret').replace(/=+$/, '');
    const latin1 = Buffer.from('b\xfcro:secret', 'latin1').toString('base64');
    const noColon = Buffer.from('erp').toString('base64');
    const noId = basic('', 'secret');
    const url = Buffer.from('erp:>>>???').toString('base64url');
    for (const credentials of [unpadded, latin1, noColon, noId, url, 'erp:secret']) {
      const { message } = await refusal(open(), credentials);
      expect(message, credentials).to.equal(
        'Basic takes <id>:<secret>, the first line of the command api-key, in UTF-8 and base64. This is something else.',
      );
    }
  });

  for (const [scheme, form, which] of forms)
    it(`is valid for ${scheme} until its expiry, exclusively`, async () => {
      const credentials = form('erp', 'secret');
      const authenticator = () => openBoth()[which];
      write({ ...entry, expires: '2026-06-01T12:00:00.001Z' });
      await authenticator().authenticate(credentials);
      for (const expires of ['2026-06-01T12:00:00Z', '2026-06-01T13:59:59+02:00']) {
        write({ ...entry, expires });
        expect((await refusal(authenticator(), credentials)).message).to.equal('The API key has expired.');
      }
      expect((await refusal(authenticator(), form('erp', 'else'))).message).to.equal('The API key is wrong.');
    });

  it('may share its id with another key, so that clients can switch', async () => {
    const first = addKey(file, { id: 'erp', scopes: ['users:read'] });
    const authenticator = open();
    const second = addKey(file, { id: 'erp', scopes: ['users:delete'] });
    expect([...(await authenticator.authenticate(basic('erp', first))).scopes]).to.deep.equal(['users:read']);
    expect([...(await authenticator.authenticate(basic('erp', second))).scopes]).to.deep.equal([
      'users:delete',
    ]);
    const { keys } = JSON.parse(readFileSync(file, 'utf8'));
    write(keys[1]);
    expect((await refusal(authenticator, basic('erp', first))).code).to.equal('unauthenticated');
    await authenticator.authenticate(basic('erp', second));
  });

  it('stays valid when a later version of the file is damaged, which is logged once', async () => {
    write(entry);
    const authenticator = open();
    write({ ...entry, scopes: ['users:admin'] });
    for (let use = 0; use < 3; use += 1) await authenticator.authenticate(basic('erp', 'secret'));
    expect(problems).to.have.length(1);
    expect(problems[0]).to.contain(file).and.to.contain('/keys/0/scopes/0');
  });

  for (const [scheme, form, which] of forms)
    it(`gets 503 for ${scheme}, not 401, when its file is missing for too long`, async () => {
      write(entry);
      const [patient, strict] = [openBoth()[which], openBoth(0)[which]];
      rmSync(file);
      await patient.authenticate(form('erp', 'secret'));
      for (const secret of ['secret', 'wrong']) {
        const { code, message } = await refusal(strict, form('erp', secret));
        expect([code, message]).to.deep.equal(['unavailable', 'The API keys are out of reach.']);
      }
      write(entry);
      await strict.authenticate(form('erp', 'secret'));
    });

  it('has its missing file reported once, although two schemes use the file', async () => {
    write(entry);
    const both = openBoth();
    rmSync(file);
    await both.basic.authenticate(basic('erp', 'secret'));
    await both.bearer.authenticate(bearer('erp', 'secret'));
    expect(problems).to.have.length(1);
  });

  it('is refused at once when the last key is properly removed from the file', async () => {
    const secret = addKey(file, { id: 'erp', scopes: ['users:read'] });
    const authenticator = open();
    await authenticator.authenticate(basic('erp', secret));
    revokeKeys(file, { id: 'erp' });
    expect((await refusal(authenticator, basic('erp', secret))).message).to.equal('The API key is wrong.');
  });

  it('is refused when users other than the owner may read or write the file', () => {
    write(entry);
    for (const mode of [0o640, 0o604, 0o620, 0o666]) {
      chmodSync(file, mode);
      expect(() => open(), mode.toString(8))
        .to.throw(file)
        .with.property('message')
        .that.contains('chmod 600');
    }
  });

  const mistakes: [string, unknown, string][] = [
    ['an unknown member', { ...entry, expire: '2027-01-01T00:00:00Z' }, '/keys/0/expire is not known here'],
    ['an unknown scope', { ...entry, scopes: ['users:read', 'users:admin'] }, '/keys/0/scopes/1'],
    ['no scope', { ...entry, scopes: [] }, '/keys/0/scopes'],
    ['a day that does not exist', { ...entry, expires: '2027-02-30T00:00:00Z' }, '/keys/0/expires'],
    ['a time without a zone', { ...entry, expires: '2027-01-01T00:00:00' }, '/keys/0/expires'],
    ['a leap second', { ...entry, expires: '2016-12-31T23:59:60Z' }, '/keys/0/expires'],
    ['a colon in an id', { ...entry, id: 'a:b' }, '/keys/0/id'],
    ['an empty id', { ...entry, id: '' }, '/keys/0/id'],
    ['a secret in place of its hash', { ...entry, hash: 'secret' }, '/keys/0/hash'],
    ['no hash', { id: 'erp', scopes: ['users:read'] }, '/keys/0'],
  ];
  for (const [title, key, place] of mistakes) {
    it(`file with ${title} is refused, naming the file and the place`, () => {
      write(key);
      expect(() => open())
        .to.throw(file)
        .with.property('message')
        .that.contains(place);
    });
  }

  it('file that is missing, not JSON or of another shape is refused by name', () => {
    expect(() => open()).to.throw(file);
    for (const text of ['', '[]', '{"keys":{}}', '{"keys":[],"more":1}', `{"keys":["${hash}`]) {
      writeFileSync(file, text, { mode: 0o600 });
      expect(() => open(), text)
        .to.throw(file)
        .with.property('message')
        .that.does.not.contain(hash);
    }
  });
});
