import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JWK } from 'jose';
import { jwtAuthenticator } from '../../../../src/adapters/credentials/jwt/authenticator.ts';
import { itIsAnAuthenticator, refusal } from '../../../contract/authenticator.ts';
import { claims, clock, type IssuerKey, issuerKey, seconds, sign, temporaryFolder, usual } from './tokens.ts';

const write = (file: string, ...keys: JWK[]) => writeFileSync(file, JSON.stringify({ keys }));
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token signed with an RSA key that is too short to be safe, and its public half. */
async function shortKey(): Promise<{ jwk: JWK; token: string }> {
  const publicExponent = Uint8Array.of(1, 0, 1);
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1_024, publicExponent, hash: 'SHA-256' };
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { n = '', e = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const body = `${encode({ alg: 'RS256', kid: 'short', typ: 'at+jwt' })}.${encode(claims)}`;
  const signature = await crypto.subtle.sign(algorithm.name, pair.privateKey, Buffer.from(body));
  const token = `${body}.${Buffer.from(signature).toString('base64url')}`;
  return { jwk: { kty: 'RSA', n, e, kid: 'short' }, token };
}

describe('A key file', () => {
  const at = temporaryFolder();
  let key: IssuerKey;
  before(async () => {
    key = await issuerKey('one');
  });
  const open = (file: string, problems: string[] = []) => {
    const onProblem = (message: string) => problems.push(message);
    return jwtAuthenticator({ ...usual, keys: { jwksFile: file }, onProblem }, clock);
  };

  describe('as a source of keys', () => {
    itIsAnAuthenticator(async () => {
      const file = at('contract.json');
      const other = await issuerKey('one');
      write(file, key.jwk);
      return {
        authenticator: open(file),
        credentials: (scopes) => sign(key, { scope: scopes.join(' ') }),
        forged: () => sign(other),
        withdraw: async () => write(file, other.jwk),
        dispose: async () => rmSync(file),
      };
    });
  });

  it('that is missing or broken at the start fails it, named', () => {
    const file = at('broken.json');
    expect(() => open(file)).to.throw(file);
    const texts = [
      '',
      '{"keys": [',
      '{}',
      '[]',
      '{"keys":[7]}',
      '{"keys":[[]]}',
      '{"keys":[{"kty":"EC","crv":"P-256"}]}',
    ];
    for (const text of texts) {
      writeFileSync(file, text);
      expect(() => open(file), text).to.throw(file);
    }
  });

  it('with a private key or a secret in it is refused, without showing it', () => {
    const file = at('private.json');
    const leaks = [
      { ...key.jwk, d: 'c2VjcmV0' },
      { kty: 'oct', k: 'c2VjcmV0' },
    ];
    for (const leak of leaks) {
      write(file, key.jwk, leak);
      const thrown = expect(() => open(file)).to.throw('/keys/1 is a secret or a private key');
      thrown.with.property('message').that.does.not.contain('c2VjcmV0');
    }
  });

  it('that breaks later keeps the old keys in use, and is told once', async () => {
    const file = at('later.json');
    write(file, key.jwk);
    const problems: string[] = [];
    const authenticator = open(file, problems);
    const token = await sign(key);
    const use = () => authenticator.authenticate(token);
    writeFileSync(file, '{"keys": [');
    for (let times = 0; times < 3; times += 1) await use();
    expect(problems).to.deep.equal([`${file}: not JSON (the last good version stays in use)`]);
    rmSync(file);
    for (let times = 0; times < 3; times += 1) await use();
    expect(problems).to.have.length(2);
    write(file, key.jwk);
    await use();
    rmSync(file);
    await use();
    expect(problems).to.have.length(3);
  });

  it('that is replaced is read at the next request, in place or by renaming', async () => {
    const file = at('replaced.json');
    const [second, third] = [await issuerKey('two'), await issuerKey('six')];
    write(file, key.jwk);
    const authenticator = open(file);
    await authenticator.authenticate(await sign(key));
    write(file, second.jwk);
    await authenticator.authenticate(await sign(second));
    expect((await refusal(authenticator, await sign(key))).message).to.contain('unknown key');
    write(`${file}.new`, third.jwk);
    renameSync(`${file}.new`, file);
    await authenticator.authenticate(await sign(third));
    expect((await refusal(authenticator, await sign(second))).code).to.equal('unauthenticated');
  });

  it('is seen to change even when size, name and times of modification stay', async () => {
    const file = at('same.json');
    const second = await issuerKey('two');
    write(file, key.jwk);
    const authenticator = open(file);
    const tokens = [await sign(key), await sign(second)] as const;
    for (let round = 0; round < 20; round += 1) {
      write(file, key.jwk);
      await authenticator.authenticate(tokens[0]);
      write(file, second.jwk);
      await authenticator.authenticate(tokens[1]);
    }
  });

  it('is seen to change after a long rest, even when only its time of change tells', async () => {
    const file = at('rested.json');
    const second = await issuerKey('two');
    write(file, key.jwk);
    const [then, now] = [new Date('2026-01-01T00:00:00Z'), Date.now];
    utimesSync(file, then, then);
    Date.now = () => now() + 60_000;
    try {
      const authenticator = open(file);
      await authenticator.authenticate(await sign(key));
      write(file, second.jwk);
      utimesSync(file, then, then);
      await authenticator.authenticate(await sign(second));
      expect((await refusal(authenticator, await sign(key))).code).to.equal('unauthenticated');
    } finally {
      Date.now = now;
    }
  });

  it('has only its keys for signatures used, and unknown kinds passed over', async () => {
    const file = at('use.json');
    const unfits: Record<string, unknown>[] = [
      ...[{ use: 'enc' }, { key_ops: ['deriveBits'] }, { key_ops: ['verify', 'verify'] }],
      ...[{ key_ops: 'verify' }, { alg: 'ES384' }, { alg: null }, { ext: 'yes' }],
    ];
    for (const unfit of unfits) {
      write(file, { ...key.jwk, ...unfit }, { kty: 'future', kid: 'one' });
      expect((await refusal(open(file), await sign(key))).message).to.contain('unknown key');
    }
    write(file, { ...key.jwk, use: 'sig', key_ops: ['verify'], alg: 'ES256' });
    await open(file).authenticate(await sign(key));
  });

  it('has no key for a name that is none', async () => {
    const file = at('names.json');
    writeFileSync(
      file,
      JSON.stringify({
        keys: [
          { ...key.jwk, kid: 7 },
          { ...key.jwk, kid: null },
        ],
      }),
    );
    for (const kid of [7, null, '7']) {
      const token = await sign(key, {}, { kid });
      expect((await refusal(open(file), token)).message).to.contain('unknown key');
    }
  });

  it('has each of its keys tried for a token that names none', async () => {
    const file = at('nameless.json');
    const other = await issuerKey('two');
    write(file, other.jwk, key.jwk);
    const nameless = { kid: undefined };
    await open(file).authenticate(await sign(key, {}, nameless));
    const forged = await sign(await issuerKey('six'), {}, nameless);
    expect((await refusal(open(file), forged)).message).to.equal('The signature is wrong.');
    const expired = await sign(key, { exp: seconds(-60) }, nameless);
    expect((await refusal(open(file), expired)).message).to.equal('The token has expired.');
  });

  it('with a key too short to be safe makes the service unavailable to its tokens, and only to them', async () => {
    const file = at('short.json');
    const { jwk, token } = await shortKey();
    write(file, jwk, key.jwk);
    expect((await refusal(open(file), token)).code).to.equal('unavailable');
    await open(file).authenticate(await sign(key));
  });
});
