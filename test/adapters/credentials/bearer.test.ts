import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { apiKeys } from '../../../src/adapters/credentials/api-keys/authenticator.ts';
import {
  addKey,
  bearerSecretOf,
  revokeKeys,
} from '../../../src/adapters/credentials/api-keys/change-keys.ts';
import { bearerAuthenticator } from '../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../src/adapters/credentials/jwt/authenticator.ts';
import { noApiKeys, noTokens } from '../../../src/config/authentication.ts';
import type { Scope } from '../../../src/domain/scopes.ts';
import { itIsAnAuthenticator, refusal } from '../../contract/authenticator.ts';
import { clock, sign, temporaryFolder, usual } from './jwt/tokens.ts';

const key = (secret: Uint8Array) => ({ alg: 'HS256', kid: 'any', privateKey: secret });
const isNot = (forms: string) =>
  `This is not ${forms}. It may be cut off, have characters too many or the word Bearer twice, or be an opaque token.`;
const jwt = 'a JWT (three parts with dots between them)';
const apiKey = 'an API key (<id>.<secret>, the second line of the command api-key)';
const scopesIn = (scopes: readonly string[]) => ({ scope: scopes.join(' ') });

describe('Bearer credentials of two kinds', () => {
  const at = temporaryFolder();
  const secret = randomBytes(32);
  let file: string;
  beforeEach(() => {
    file = at(`${randomBytes(8).toString('hex')}.json`);
    addKey(file, { id: 'other', scopes: ['users:read'] });
  });

  const tokensOf = (taken = secret) =>
    jwtTokens({ ...usual, algorithms: ['HS256'], keys: { secret: taken } }, clock);
  const keysOfFile = () => apiKeys({ file, maxStaleSeconds: 60, onProblem: expect.fail }, clock).bearer;
  const both = (taken = secret) => bearerAuthenticator(tokensOf(taken), keysOfFile());

  describe('as tokens', () => {
    itIsAnAuthenticator(async () => {
      let authenticator = both();
      return {
        client: 'billing',
        get authenticator() {
          return authenticator;
        },
        credentials: (scopes) => sign(key(secret), scopesIn(scopes)),
        forged: () => sign(key(randomBytes(32))),
        async withdraw() {
          await authenticator.close();
          authenticator = both(randomBytes(32));
        },
        dispose: () => authenticator.close(),
      };
    });
  });

  describe('as API keys', () => {
    itIsAnAuthenticator(async () => {
      const authenticator = both();
      return {
        client: 'client',
        authenticator,
        credentials: async (scopes) =>
          bearerSecretOf('client', addKey(file, { id: 'client', scopes: scopes as Scope[] })),
        forged: async () => bearerSecretOf('client', 'x'.repeat(43)),
        withdraw: async () => void revokeKeys(file, { id: 'client' }),
        dispose: () => authenticator.close(),
      };
    });
  });

  it('are distinguished by their form; any other form is refused, naming both', async () => {
    const authenticator = both();
    const reason = async (credentials: string) => (await refusal(authenticator, credentials)).message;
    const token = await sign(key(randomBytes(32)));
    expect(await reason(token)).to.equal('The signature does not match the key (USERS_JWT_SECRET).');
    for (const other of [
      'erp',
      'opaque-4f1c',
      `${token},`,
      `Bearer ${token}`,
      'bearer erp.secret',
      token.slice(0, -2),
    ])
      expect(await reason(other), other).to.equal(isNot(`${jwt} or ${apiKey}`));
    expect(await reason('erp.eu.secret')).to.equal('The API key is wrong.');
    await authenticator.close();
  });

  it('are refused, naming the scheme that is not configured, or as malformed or wrong', async () => {
    const secretOfKey = bearerSecretOf('erp', addKey(file, { id: 'erp', scopes: ['users:read'] }));
    const [tokensOnly, keysOnly] = [
      bearerAuthenticator(tokensOf(), noApiKeys),
      bearerAuthenticator(noTokens, keysOfFile()),
    ];
    const { message } = await refusal(tokensOnly, secretOfKey);
    expect(message).to.equal('This service takes no API keys: USERS_API_KEYS_FILE is not set where it runs.');
    expect((await refusal(tokensOnly, 'erp.secret')).message).to.equal(isNot(jwt));
    await tokensOnly.authenticate(await sign(key(secret)));
    expect((await refusal(keysOnly, await sign(key(secret)))).message).to.match(
      /^This service takes no tokens: no USERS_JWT_\S+, .* is set where it runs\.$/,
    );
    expect((await refusal(keysOnly, 'erp')).message).to.equal(isNot(apiKey));
    expect((await refusal(keysOnly, 'x.y.z')).message).to.equal('The API key is wrong.');
    await keysOnly.authenticate(secretOfKey);
    await Promise.all([tokensOnly.close(), keysOnly.close()]);
  });

  it('that are the Basic form of an API key are refused with that explanation', async () => {
    for (const id of ['erp', 'erp.eu', 'Büro 7']) {
      const basicLine = Buffer.from(`${id}:${addKey(file, { id, scopes: ['users:read'] })}`).toString(
        'latin1',
      );
      const [tokensOnly, withKeys] = [bearerAuthenticator(tokensOf(), noApiKeys), both()];
      expect((await refusal(withKeys, basicLine)).message, id).to.equal(
        'This is the line of an API key for Basic. For Bearer, send the second line of the command api-key: <id>.<secret>.',
      );
      expect((await refusal(tokensOnly, basicLine)).message, id).to.contain('This service takes no API keys');
      await Promise.all([tokensOnly.close(), withKeys.close()]);
    }
  });
});
