import {
  constants,
  createPublicKey,
  generateKeyPairSync,
  type SignKeyObjectInput,
  sign as signatureOf,
} from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../../src/adapters/credentials/jwt/authenticator.ts';
import { requireScope } from '../../../../src/domain/scopes.ts';
import { refusal } from '../../../contract/authenticator.ts';
import * as tokens from './tokens.ts';
import { clock, type IssuerKey, issuerKey, seconds, sign, usual } from './tokens.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('A token', () => {
  const at = tokens.temporaryFolder();
  let keys: Record<'RS256' | 'ES256' | 'EdDSA', IssuerKey>;
  let key: IssuerKey;
  before(async () => {
    keys = {
      RS256: await issuerKey('rsa', 'RS256'),
      ES256: await issuerKey('ec', 'ES256'),
      EdDSA: await issuerKey('ed', 'EdDSA'),
    };
    key = keys.ES256;
    const set = { keys: Object.values(keys).map(({ jwk }) => jwk) };
    writeFileSync(at('keys.json'), JSON.stringify(set));
  });
  const authenticator = (changes: Partial<typeof usual> = {}) =>
    bearerAuthenticator(
      jwtTokens({ ...usual, ...changes, keys: { jwksFile: at('keys.json'), maxStaleSeconds: 60 } }, clock),
    );
  const scopesOf = async (token: string, changes: Partial<typeof usual> = {}) =>
    [...(await authenticator(changes).authenticate(token)).scopes].sort();
  const reason = async (token: string, changes: Partial<typeof usual> = {}) => {
    const { code, message } = await refusal(authenticator(changes), token);
    expect(code).to.equal('unauthenticated');
    return message;
  };

  for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
    it(`signed with ${alg} is accepted`, async () => {
      expect(await scopesOf(await sign(keys[alg]))).to.deep.equal(['users:read']);
    });
  }

  it('identifies the client by client_id, else by azp, else by sub', async () => {
    const named = [
      [{ client_id: 'erp', azp: 'web' }, 'erp'],
      [{ azp: 'web' }, 'web'],
      [{ client_id: '', azp: '' }, 'billing'],
      [{ sub: undefined }, ''],
    ] as const;
    for (const [changes, client] of named)
      expect((await authenticator().authenticate(await sign(key, changes))).id).to.equal(client);
  });

  it('identifies the person for which the client acts when its subject differs from the client', async () => {
    const person = { issuer: usual.issuer, subject: 'billing' };
    const named = [
      [{ client_id: 'erp' }, person],
      [{ azp: 'web' }, person],
      [{ client_id: 'billing' }, undefined],
      [{}, undefined],
      [{ client_id: 'erp', sub: undefined }, undefined],
    ] as const;
    for (const [changes, expected] of named)
      expect((await authenticator().authenticate(await sign(key, changes))).person).to.deep.equal(expected);
  });

  it('may carry its scopes in scope, or in scp as a list or a string, or else in roles', async () => {
    const carriers = [
      { scope: 'openid users:delete' },
      { scope: undefined, scp: ['users:delete', 'profile'] },
      { scope: undefined, scp: 'profile users:delete' },
      { scope: undefined, roles: ['users:delete', 'Auditor'] },
      { scope: 'users:delete', roles: ['users:read'] },
      { scope: undefined, scp: 'users:delete', roles: ['users:read'] },
    ];
    for (const carrier of carriers) {
      expect(await scopesOf(await sign(key, carrier))).to.deep.equal(['users:delete']);
    }
    for (const none of [{}, { roles: { realm: ['users:read'] } }, { roles: [7] }])
      expect(await scopesOf(await sign(key, { scope: undefined, ...none }))).to.deep.equal([]);
  });

  it('without a scope of this service is refused with the claim that counts and its names', async () => {
    const taken = '(scope goes before scp, and scp before roles)';
    const reasons: [Record<string, unknown>, string][] = [
      [{ scope: 'openid profile', roles: ['users:read'] }, `scope is "openid profile" ${taken}`],
      [{ scp: ['api://directory/users:write'] }, `scp is "api://directory/users:write" ${taken}`],
      [{ roles: ['ada@example.com', 'Auditor', 'x'.repeat(65)] }, `roles is "? Auditor ?" ${taken}`],
      [{ scope: '' }, `scope is "" ${taken}`],
      [{ scp: Array(60).fill('abcd') }, `scp is "${Array(10).fill('abcd').join(' ')} …" ${taken}`],
      ...[{ realm_access: { roles: ['users:read'] } }, { roles: { realm: ['users:read'] } }].map(
        (claims): [Record<string, unknown>, string] => [
          claims,
          'none of scope, scp and roles is in the token as a text or a list of texts',
        ],
      ),
    ];
    for (const [claims, what] of reasons) {
      const principal = await authenticator().authenticate(await sign(key, { scope: undefined, ...claims }));
      expect(() => requireScope(principal, 'users:read')).to.throw(
        `This takes the scope users:read. The credentials have no scope of this service: ${what}.`,
      );
    }
    const reader = await authenticator().authenticate(await sign(key));
    expect(() => requireScope(reader, 'users:delete')).to.throw(/^This takes the scope users:delete\.$/);
  });

  it('is accepted when it has this audience among others', async () => {
    const aud = ['https://else.example', tokens.audience];
    expect(await scopesOf(await sign(key, { aud }))).to.deep.equal(['users:read']);
  });

  const wrongSignature = 'The signature does not match the key (USERS_JWT_KEY_SET_FILE).';
  const hasIssuer = (article: string, value = '') =>
    `The token has ${article} issuer (iss)${value}, and must have the one in USERS_JWT_ISSUER.`;
  const hasAudience = (article: string, value = '') =>
    `The token has ${article} audience (aud)${value}, and must have the one in USERS_JWT_AUDIENCE.`;
  const wrongClaims: [string, Record<string, unknown>, string][] = [
    [
      'from another issuer',
      { iss: 'https://issuer.example/' },
      hasIssuer('the', ' "https://issuer.example/"'),
    ],
    ['without an issuer', { iss: undefined }, hasIssuer('no')],
    ['for another audience', { aud: 'account' }, hasAudience('the', ' "account"')],
    [
      'for other audiences',
      { aud: ['account', `${tokens.audience}/`] },
      hasAudience('the', ` ["account","${tokens.audience}/"]`),
    ],
    ['for the audience of another language', { aud: 'Größe' }, hasAudience('the', ' "Gr??e"')],
    [
      'for a long list of audiences',
      { aud: Array(60).fill('abcd') },
      hasAudience('the', ` ["abcd"${',"abcd"'.repeat(27)},"ab`),
    ],
    ['without an audience', { aud: undefined }, hasAudience('no')],
    ['that has expired', { exp: seconds(-30) }, 'The token expired 30 s ago (exp).'],
    ['that never expires', { exp: undefined }, 'The token does not say when it expires (exp).'],
    [
      'for later',
      { nbf: seconds(31) },
      'The token becomes valid in 31 s (nbf). USERS_JWT_LEEWAY allows for clocks that differ.',
    ],
  ];
  for (const [title, changes, message] of wrongClaims) {
    it(`${title} is refused`, async () => {
      expect(await reason(await sign(key, changes))).to.equal(message);
    });
  }

  it('with claims of the wrong type is refused', async () => {
    const wrong = {
      scope: [7, null, true, {}, [], ['users:read']],
      scp: [7, null, true, {}, ['users:read', 7], [['users:read']]],
      ...{ sub: [7, null, ['billing']], client_id: [7, null, {}], azp: [false, null, ['web']] },
      aud: [
        [tokens.audience, 7],
        [tokens.audience, null],
      ],
    };
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        expect(
          await reason(await sign(key, { [name]: value })),
          `${name}: ${JSON.stringify(value)}`,
        ).to.equal(`The claim ${name} of the token has the wrong type.`);
    const withoutScope = await sign(key, { scope: undefined, scp: { 0: 'users:read' } });
    expect(await reason(withoutScope)).to.equal('The claim scp of the token has the wrong type.');
  });

  it('is accepted within the leeway on both sides, and not a second beyond it', async () => {
    await scopesOf(await sign(key, { exp: seconds(-29), nbf: seconds(30) }));
    expect(await reason(await sign(key, { exp: seconds(-1) }), { leewaySeconds: 0 })).to.contain('expired');
  });

  it('has the configured type, in either case and with or without application/', async () => {
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/at+JWT']) {
      await scopesOf(await sign(key, {}, { typ }));
    }
    for (const typ of ['jwt', 'application/jwt', undefined])
      await scopesOf(await sign(key, {}, { typ }), { typ: 'JWT' });
  });

  it('of another type is refused', async () => {
    for (const typ of ['JWT', 'id+jwt', 'text/at+jwt', '', undefined]) {
      const what = typ || 'missing';
      expect(await reason(await sign(key, {}, { typ })), typ).to.equal(
        `This is not an access token: its type (typ) is ${what}, and must be at+jwt (USERS_JWT_TYP).`,
      );
    }
  });

  it('that is an ID token is refused as one, before its type or audience is checked', async () => {
    for (const mark of [{ at_hash: 'x' }, { c_hash: 'x' }, { typ: 'ID' }, { token_use: 'id' }]) {
      const token = await sign(key, { ...mark, aud: 'web' }, { typ: 'JWT' });
      for (const typ of ['JWT', 'at+jwt'] as const)
        expect(await reason(token, { typ })).to.equal('This is an ID token, not an access token.');
    }
    // Keycloak before release 25 also has it in access tokens.
    const withNonce = await sign(key, { nonce: 'n-0S6' }, { typ: 'JWT' });
    expect(await reason(withNonce)).to.equal(
      'This is not an access token: its type (typ) is JWT, and must be at+jwt (USERS_JWT_TYP). It has a nonce, as ID tokens do.',
    );
    expect(await scopesOf(withNonce, { typ: 'JWT' })).to.deep.equal(['users:read']);
  });

  it('with a critical extension is refused, known or not', async () => {
    const body = (header: object) =>
      `${encode({ alg: 'ES256', kid: 'ec', typ: 'at+jwt', ...header })}.e30.AAAA`;
    expect(await reason(body({ crit: ['exp'], exp: 1 }))).to.contain('not supported');
    expect(await reason(body({ crit: ['b64'], b64: true }))).to.contain('not supported');
  });

  it('changed after signing is refused', async () => {
    const [header, , signature] = (await sign(key)).split('.');
    const payload = encode({ ...tokens.claims, scope: 'users:delete' });
    expect(await reason(`${header}.${payload}.${signature}`)).to.equal(wrongSignature);
  });

  it('that was cut off or has extra characters is refused as such, not for a wrong signature', async () => {
    const bytes = { RS256: 256, ES256: 64, EdDSA: 64 };
    for (const alg of ['RS256', 'ES256', 'EdDSA'] as const) {
      const token = await sign(keys[alg]);
      expect(await reason(`${token}A`), alg).to.equal(
        `The signature of the token has ${bytes[alg] + 1} bytes instead of ${bytes[alg]}: the token was cut off, or has characters too many.`,
      );
      expect(await reason(`${token}B`), alg).to.match(/^This is not a JWT .* have characters too many /);
      expect(await reason(token.slice(0, -4)), alg).to.match(
        /^(?:The signature of the token has|This is not a JWT)/,
      );
    }
  });

  it('with a valid signature in another form (DER, another salt length) is refused', async () => {
    const rsaPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const ecPair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const set = [rsaPair, ecPair].map(({ publicKey }) => publicKey.export({ format: 'jwk' }));
    writeFileSync(at('forms.json'), JSON.stringify({ keys: set }));
    const options = {
      ...usual,
      algorithms: ['PS256', 'ES256'],
      keys: { jwksFile: at('forms.json'), maxStaleSeconds: 60 },
    };
    const strict = bearerAuthenticator(jwtTokens(options, clock));
    const signed = (alg: string, key: SignKeyObjectInput) => {
      const body = `${encode({ alg, typ: 'at+jwt' })}.${encode(tokens.claims)}`;
      return `${body}.${signatureOf('sha256', Buffer.from(body), key).toString('base64url')}`;
    };
    const pss = { key: rsaPair.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING };
    const ecdsa = { key: ecPair.privateKey };
    await strict.authenticate(signed('PS256', { ...pss, saltLength: 32 }));
    await strict.authenticate(signed('ES256', { ...ecdsa, dsaEncoding: 'ieee-p1363' }));
    for (const saltLength of [0, 20, 31, 33])
      expect((await refusal(strict, signed('PS256', { ...pss, saltLength }))).message).to.equal(
        wrongSignature,
      );
    const der = signed('ES256', { ...ecdsa, dsaEncoding: 'der' });
    expect((await refusal(strict, der)).message).to.match(
      /^The signature of the token has \d\d bytes instead of 64: /,
    );
  });

  const hasAlgorithm = (alg: string) =>
    `The algorithm (alg) of the token is ${alg}, and must be RS256 or ES256 or EdDSA (USERS_JWT_ALGORITHMS, USERS_JWT_KEY_SET_FILE).`;

  it('that is not signed is refused', async () => {
    for (const alg of ['none', 'None', 'NONE']) {
      const token = `${encode({ alg, typ: 'at+jwt' })}.${encode(tokens.claims)}.`;
      expect(await reason(token)).to.equal(hasAlgorithm(alg));
    }
  });

  it('signed with HMAC and the public key as its secret is refused', async () => {
    const pem = createPublicKey({ key: { ...keys.RS256.jwk }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    const forger = { alg: 'HS256', kid: 'rsa', privateKey: Buffer.from(pem) };
    expect(await reason(await sign(forger))).to.equal(hasAlgorithm('HS256'));
  });

  it('with an algorithm that its key does not fit is refused', async () => {
    expect(await reason(await sign({ ...keys.ES256, kid: 'rsa' }))).to.equal(
      'The token is signed with an unknown key: the key set (USERS_JWT_KEY_SET_FILE) has none for ES256 whose ID (kid) is rsa.',
    );
    const wide = { algorithms: ['RS256', 'ES256', 'ES384'] };
    const claimed = (alg: string) => `${encode({ alg, kid: 'ec', typ: 'at+jwt' })}.e30.${'A'.repeat(128)}`;
    expect(await reason(claimed('ES384'), wide)).to.contain('unknown key');
    expect(await reason(claimed('RS256'), wide)).to.contain('unknown key');
    expect(await reason(await sign(keys.RS256), { algorithms: ['ES256'] })).to.contain('must be ES256 (');
    const ps = await issuerKey('rsa', 'PS256');
    expect(await reason(await sign(ps))).to.equal(hasAlgorithm('PS256'));
  });

  it('that carries its own key is checked with the configured keys', async () => {
    const own = await issuerKey('ec');
    expect(await reason(await sign(own, {}, { jwk: own.jwk, jku: 'http://127.0.0.1:1/' }))).to.contain(
      'signature',
    );
  });

  it('of more than 8 KiB is refused even if it is valid', async () => {
    expect(await reason(await sign(key, { more: 'x'.repeat(8_192) }))).to.equal(
      'The token is longer than 8 KiB. Its issuer must leave claims out.',
    );
  });

  it('with arbitrary content never causes a fault of the service', async () => {
    const usualHeader = { alg: 'ES256', kid: 'ec', typ: 'at+jwt' };
    const headers: unknown[] = [null, [], 7, 'x', {}, { alg: 7 }, { alg: 'toString' }, { alg: '__proto__' }];
    for (const part of [
      { kid: 7 },
      { kid: null },
      { typ: 7 },
      { crit: 7 },
      { crit: [] },
      { b64: 7 },
      { enc: 'A' },
    ]) {
      headers.push({ ...usualHeader, ...part });
    }
    for (const header of headers) {
      for (const payload of ['', 'e30', encode(null), encode([]), '_w']) {
        await reason(`${encode(header)}.${payload}.`);
        await reason(`${encode(header)}.${payload}.${'A'.repeat(86)}`);
      }
    }
  });

  it('with stray bits at the end of its base64url is refused', async () => {
    const token = await sign(key);
    // 64 bytes leave four bits of the last character unused.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const stray = alphabet[alphabet.indexOf(token.at(-1) ?? '') + 1];
    expect(await reason(token.slice(0, -1) + stray)).to.match(/^This is not a JWT /);
  });
});
