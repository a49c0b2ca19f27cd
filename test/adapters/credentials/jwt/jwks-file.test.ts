import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { JWK } from 'jose';
import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../../src/adapters/credentials/jwt/authenticator.ts';
import { itIsAnAuthenticator, refusal } from '../../../contract/authenticator.ts';
import {
  clock,
  type IssuerKey,
  issuerKey,
  seconds,
  shortKey,
  sign,
  temporaryFolder,
  usual,
} from './tokens.ts';

const write = (file: string, ...keys: JWK[]) => writeFileSync(file, JSON.stringify({ keys }));
describe('A key file', () => {
  const at = temporaryFolder();
  let key: IssuerKey;
  before(async () => {
    key = await issuerKey('one');
  });
  const open = (file: string, problems: string[] = []) => {
    const onProblem = (message: string) => problems.push(message);
    return bearerAuthenticator(
      jwtTokens({ ...usual, keys: { jwksFile: file, maxStaleSeconds: 60 }, onProblem }, clock),
    );
  };

  describe('as a source of keys', () => {
    itIsAnAuthenticator(async () => {
      const file = at('contract.json');
      const other = await issuerKey('one');
      write(file, key.jwk);
      return {
        client: 'billing',
        authenticator: open(file),
        credentials: (scopes) => sign(key, { scope: scopes.join(' ') }),
        forged: () => sign(other),
        withdraw: async () => write(file, other.jwk),
        dispose: async () => rmSync(file),
      };
    });
  });

  it('that is missing or broken fails the start with a message that names it', () => {
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

  it('with a private key or a secret is refused without quoting it', () => {
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

  it('that is damaged later is logged once, and the old keys stay in use', async () => {
    const file = at('later.json');
    write(file, key.jwk);
    const problems: string[] = [];
    const authenticator = open(file, problems);
    const token = await sign(key);
    const use = () => authenticator.authenticate(token);
    writeFileSync(file, '{"keys": [');
    for (let times = 0; times < 3; times += 1) await use();
    expect(problems).to.deep.equal([
      `${file}: not JSON (the last good version stays in use for 60 s at most)`,
    ]);
    rmSync(file);
    for (let times = 0; times < 3; times += 1) await use();
    expect(problems).to.have.length(2);
    write(file, key.jwk);
    await use();
    rmSync(file);
    await use();
    expect(problems).to.have.length(3);
  });

  it('that is replaced, in place or by renaming, is read at the next request', async () => {
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

  it('is read again when it changes without a new size, name or modification time', async () => {
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

  it('is read again after a long time when only its ctime has changed', async () => {
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

  it('is used only for its signature keys; unknown kinds are ignored', async () => {
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

  it('does not verify a token with an unknown key id', async () => {
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

  it('has each of its keys tried for a token without a key id', async () => {
    const file = at('nameless.json');
    const other = await issuerKey('two');
    write(file, other.jwk, key.jwk);
    const nameless = { kid: undefined };
    await open(file).authenticate(await sign(key, {}, nameless));
    const forged = await sign(await issuerKey('six'), {}, nameless);
    expect((await refusal(open(file), forged)).message).to.contain('The signature does not match');
    const expired = await sign(key, { exp: seconds(-60) }, nameless);
    expect((await refusal(open(file), expired)).message).to.contain('The token expired');
  });

  it('with an untrustworthy key is refused at the start, naming the key', async () => {
    const file = at('unfit.json');
    const rsa = (await issuerKey('rsa', 'RS256')).jwk;
    const { x = '' } = key.jwk;
    const short = (await shortKey()).jwk;
    const unfits: [JWK, string][] = [
      [short, '/keys/1 is an RSA key of 1024 bits; it takes 2048'],
      // Whatever is signed, its signature is itself.
      [{ ...rsa, e: 'AQ' }, '/keys/1 is an RSA key with the exponent 1'],
      [{ ...rsa, e: 'Ag' }, '/keys/1 is an RSA key with the exponent 2'],
      [{ ...rsa, n: Buffer.alloc(4096, 0xff).toString('base64url') }, '/keys/1 is an RSA key of 32768 bits'],
      [{ ...key.jwk, y: x }, '/keys/1 is not a valid EC key'],
      [{ ...key.jwk, crv: 'P-384' }, '/keys/1 is not a valid EC key'],
      [{ kty: 'OKP', crv: 'Ed25519', x: 'AQ' }, '/keys/1 is not a valid OKP key'],
      [{ ...rsa, n: '' }, '/keys/1 is an RSA key of 0 bits'],
    ];
    for (const [unfit, words] of unfits) {
      write(file, key.jwk, unfit);
      expect(() => open(file), words)
        .to.throw(file)
        .with.property('message')
        .that.contains(words);
    }
    // Those that are for something else, or of a kind not known here, trouble nobody.
    for (const other of [
      { ...short, use: 'enc' },
      { ...short, alg: 'RSA-OAEP' },
      { ...key.jwk, crv: 'P-999' },
    ]) {
      write(file, key.jwk, other);
      await open(file).authenticate(await sign(key));
    }
  });

  it('that later gets a key that is too short counts as damaged: the earlier keys stay in use, and tokens of the short one are refused', async () => {
    const file = at('short.json');
    write(file, key.jwk);
    const problems: string[] = [];
    const authenticator = open(file, problems);
    const { jwk, token } = await shortKey();
    write(file, key.jwk, jwk);
    expect((await refusal(authenticator, token)).code).to.equal('unauthenticated');
    await authenticator.authenticate(await sign(key));
    expect(problems.join()).to.contain('/keys/1 is an RSA key of 1024 bits');
  });

  it('that is missing for too long makes the service unavailable, also for forged tokens, until it is back', async () => {
    const file = at('gone.json');
    write(file, key.jwk);
    const keys = { jwksFile: file, maxStaleSeconds: 0 };
    const authenticator = bearerAuthenticator(jwtTokens({ ...usual, keys }, clock));
    const token = await sign(key);
    await authenticator.authenticate(token);
    rmSync(file);
    for (const one of [token, await sign(await issuerKey('one'))]) {
      const { code, message } = await refusal(authenticator, one);
      expect([code, message]).to.deep.equal([
        'unavailable',
        'The keys to check tokens with are out of reach.',
      ]);
    }
    write(file, key.jwk);
    await authenticator.authenticate(token);
    await authenticator.close();
  });
});
