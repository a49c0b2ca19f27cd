import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../../src/adapters/credentials/jwt/authenticator.ts';
import { itIsAnAuthenticator, refusal } from '../../../contract/authenticator.ts';
import { claims, clock, sign, usual } from './tokens.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('A shared secret', () => {
  const make = (bytes: number, ...algorithms: string[]) =>
    bearerAuthenticator(
      jwtTokens({ ...usual, algorithms, keys: { secret: new Uint8Array(bytes).fill(7) } }, clock),
    );
  const token = (bytes: number, alg: string) =>
    sign({ alg, kid: 'any', privateKey: new Uint8Array(bytes).fill(7) }, { scope: 'users:write' });

  describe('as a source of keys', () => {
    itIsAnAuthenticator(async () => {
      const [secret, other] = [randomBytes(32), randomBytes(32)];
      const withSecret = (bytes: Uint8Array) =>
        bearerAuthenticator(jwtTokens({ ...usual, algorithms: ['HS256'], keys: { secret: bytes } }, clock));
      const key = { alg: 'HS256', kid: 'any' };
      let authenticator = withSecret(secret);
      return {
        client: 'billing',
        get authenticator() {
          return authenticator;
        },
        credentials: (scopes) => sign({ ...key, privateKey: secret }, { scope: scopes.join(' ') }),
        forged: () => sign({ ...key, privateKey: other }),
        // A secret is changed by a restart, and the process may be the same.
        withdraw: async () => {
          authenticator = withSecret(other);
        },
        dispose: async () => undefined,
      };
    });
  });

  it('checks HMAC tokens', async () => {
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const { scopes } = await make(64, 'HS256', 'HS384', 'HS512').authenticate(await token(64, alg));
      expect([...scopes].sort()).to.deep.equal(['users:read', 'users:write']);
    }
  });

  it('refuses tokens of another secret and of algorithms that are not allowed', async () => {
    const authenticator = make(64, 'HS256');
    const other = sign({ alg: 'HS256', kid: 'any', privateKey: randomBytes(32) });
    expect((await refusal(authenticator, await other)).message).to.equal(
      'The signature does not match the key (USERS_JWT_SECRET).',
    );
    for (const appended of ['A', 'x'])
      expect((await refusal(authenticator, (await token(64, 'HS256')) + appended)).message).to.equal(
        'The signature of the token has 33 bytes instead of 32: the token was cut off, or has characters too many.',
      );
    const { message } = await refusal(authenticator, await token(64, 'HS384'));
    expect(message).to.equal(
      'The algorithm (alg) of the token is HS384, and must be HS256 (USERS_JWT_ALGORITHMS, USERS_JWT_SECRET).',
    );
  });

  it('refuses tokens whose times are not finite numbers, and uses the last of repeated claims', async () => {
    // SignJWT would not sign these.
    const secret = randomBytes(32);
    const token = (more: string) => {
      const payload = Buffer.from(JSON.stringify(claims).replace('}', `,${more}}`)).toString('base64url');
      const body = `${encode({ alg: 'HS256', typ: 'at+jwt' })}.${payload}`;
      return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
    };
    const hmac = bearerAuthenticator(jwtTokens({ ...usual, algorithms: ['HS256'], keys: { secret } }, clock));
    for (const more of ['"exp":"9999999999"', '"exp":1e999', '"nbf":-1e999', '"nbf":null', '"iat":1e999']) {
      expect((await refusal(hmac, token(more))).code, more).to.equal('unauthenticated');
    }
    await hmac.authenticate(token('"iss":"else","iss":"https://issuer.example"'));
    expect((await refusal(hmac, token('"iss":"else"'))).message).to.contain('issuer');
  });

  it('must be at least as long as the hash, and 32 bytes', () => {
    expect(() => make(31, 'HS256')).to.throw('31 bytes');
    expect(() => make(32, 'HS256', 'HS512')).to.throw('64');
    expect(() => make(32, 'HS256')).not.to.throw();
  });

  it('works with HMAC only, and key sets never do', () => {
    for (const algorithm of ['RS256', 'none', 'hs256']) expect(() => make(64, algorithm)).to.throw(algorithm);
    expect(() => make(64)).to.throw('empty');
    for (const algorithm of ['HS256', 'none', 'A128KW']) {
      const keys = { jwksFile: 'not-looked-at.json', maxStaleSeconds: 60 };
      const construct = () =>
        bearerAuthenticator(jwtTokens({ ...usual, algorithms: [algorithm], keys }, clock));
      expect(construct).to.throw(algorithm);
    }
  });
});
