import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../../src/adapters/credentials/jwt/authenticator.ts';
import {
  developmentKey,
  developmentToken,
} from '../../../../src/adapters/credentials/jwt/development-key.ts';
import { refusal } from '../../../contract/authenticator.ts';
import { audience, issuer, temporaryFolder, usual } from './tokens.ts';

describe('The development key', () => {
  const at = temporaryFolder();
  const modeOf = (file: string) => statSync(file).mode & 0o777;

  it('is made once, with 256 bits, for its owner alone', () => {
    const file = at('new/folder/key');
    const key = developmentKey(file);
    expect(key).to.have.length(32);
    expect(Buffer.from(developmentKey(file)).equals(key)).to.equal(true);
    expect(modeOf(file)).to.equal(0o600);
    expect(modeOf(dirname(file))).to.equal(0o700);
    expect(Buffer.from(developmentKey(at('other'))).equals(key)).to.equal(false);
  });

  it('is refused when others may read or write it', () => {
    const file = at('open');
    developmentKey(file);
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(file, mode);
      expect(() => developmentKey(file))
        .to.throw(file)
        .with.property('message')
        .that.contains('chmod 600');
    }
  });

  it('never overwrites other content', () => {
    const file = at('else');
    for (const text of ['', 'short', 'A'.repeat(44), `${'A'.repeat(42)}B`]) {
      writeFileSync(file, text, { mode: 0o600 });
      expect(() => developmentKey(file), text).to.throw(file);
    }
    expect(existsSync(file)).to.equal(true);
  });

  it('signs tokens that the service accepts until they expire', async () => {
    const key = developmentKey(at('signing'));
    const scopes = ['users:write', 'users:delete'];
    const token = await developmentToken(key, { issuer, audience, scopes, seconds: 60, typ: 'at+jwt' });
    const options = { ...usual, algorithms: ['HS256'], leewaySeconds: 0, keys: { secret: key } };
    const later = (seconds: number) => {
      const time = new Date(Date.now() + seconds * 1_000);
      return bearerAuthenticator(jwtTokens(options, { now: () => time }));
    };
    const principal = await later(0).authenticate(token);
    expect([...principal.scopes].sort()).to.deep.equal(['users:delete', 'users:read', 'users:write']);
    expect((await refusal(later(61), token)).message).to.equal('The token expired 1 s ago (exp).');
  });
});
