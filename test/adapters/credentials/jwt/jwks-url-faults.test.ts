import { expect } from 'chai';
import { exportJWK } from 'jose';
import { type KeySetAtUrl, keySetAtUrl, maxAgeSeconds } from './key-set-at-url.ts';
import { shortKey, sign } from './tokens.ts';

describe('A key set at a URL', () => {
  describe('in use', () => {
    let at: KeySetAtUrl;
    beforeEach(async () => {
      at = await keySetAtUrl();
    });
    afterEach(() => at.close());

    it('that cannot be fetched makes the service unavailable, without a flood of requests to the issuer', async () => {
      at.issuer.status = 500;
      for (let request = 0; request < 5; request += 1) {
        expect((await at.refused(at.token)).code).to.equal('unavailable');
      }
      expect(at.issuer.fetches).to.equal(1);
      expect(at.problems).to.have.length(1);
      expect(at.problems[0]).to.contain('/jwks could').and.to.contain('500').and.not.to.contain('secret');
      at.issuer.status = 200;
      at.passes(1);
      await at.accepted(at.token);
    });

    it('that is garbage, a redirect, too large or too slow is refused', async () => {
      const faults: (() => void)[] = [
        () => {
          at.issuer.body = 'not JSON';
        },
        () => {
          at.issuer.body = '{"keys": 7}';
        },
        () => {
          at.issuer.status = 302;
        },
        () => {
          at.issuer.body = JSON.stringify({ keys: [at.key.jwk], more: 'x'.repeat(256 * 1_024) });
        },
        () => {
          at.issuer.silent = true;
        },
      ];
      for (const fault of faults) {
        at.issuer.body = undefined;
        at.issuer.status = 200;
        fault();
        at.authenticator = at.open(at.issuer.silent ? 50 : undefined);
        expect((await at.refused(at.token)).code).to.equal('unavailable');
      }
      expect(at.problems).to.have.length(faults.length);
    });

    it('at an unreachable address makes the service unavailable', async () => {
      await at.issuer.stop();
      expect((await at.refused(at.token)).code).to.equal('unavailable');
      expect(at.problems[0]).to.contain('ECONNREFUSED');
    });

    it('is used only for its signature keys', async () => {
      at.issuer.keys = [{ ...at.key, jwk: { ...at.key.jwk, use: 'enc' } }];
      expect((await at.refused(at.token)).message).to.contain('unknown key');
    });

    it('with untrustworthy keys is used without them, which is logged once, and every forged token is refused', async () => {
      const [named, nameless] = [await shortKey(), await shortKey({ named: false })];
      const lost = await exportJWK(at.key.privateKey);
      const secret = { kty: 'oct', k: 'c2VjcmV0' };
      const keys = [at.key.jwk, named.jwk, nameless.jwk, lost, secret];
      at.issuer.body = JSON.stringify({ keys });
      for (const forged of [named.token, nameless.token]) {
        const { code, message } = await at.refused(forged);
        expect(code).to.equal('unauthenticated');
        expect(message).to.contain('unknown key: the key set (USERS_JWT_KEY_SET_URL) has none for RS256');
      }
      await at.accepted(at.token);
      at.passes(maxAgeSeconds);
      await at.accepted(at.token);
      expect(at.problems).to.have.length(1);
      expect(at.problems[0])
        .to.match(/^The key set at http:\S+\/jwks has keys that are not used: /)
        .and.to.contain('/keys/1 is an RSA key of 1024 bits; it takes 2048')
        .and.to.contain('/keys/3 is a secret or a private key')
        .and.to.contain('/keys/4 is a secret or a private key')
        .and.not.to.match(/c2VjcmV0|secret=x/);
    });

    it('without a usable key is reported, and every token is refused', async () => {
      at.issuer.keys = [];
      expect((await at.refused(at.token)).code).to.equal('unauthenticated');
      await at.refused(at.token);
      expect(at.problems).to.have.length(1);
      expect(at.problems[0]).to.match(/^The key set at http:\S+\/jwks has no key to check tokens with/);
    });

    it('that publishes a private key is used without that key', async () => {
      at.issuer.keys = [{ ...at.key, jwk: await exportJWK(at.key.privateKey) }];
      const nameless = await sign(at.key, {}, { kid: undefined });
      expect((await at.refused(nameless)).code).to.equal('unauthenticated');
      expect(at.problems.join()).to.contain('/keys/0 is a secret or a private key');
    });

    it('has its fetch aborted without a report when the service closes', async () => {
      at.issuer.silent = true;
      at.authenticator = at.open();
      const waiting = at.refused(at.token);
      await at.authenticator.close();
      expect((await waiting).code).to.equal('unavailable');
      expect(at.problems).to.deep.equal([]);
    });
  });
});
