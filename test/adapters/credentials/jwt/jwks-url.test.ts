import { expect } from 'chai';
import { itIsAnAuthenticator } from '../../../contract/authenticator.ts';
import { type KeySetAtUrl, keySetAtUrl, maxAgeSeconds } from './key-set-at-url.ts';
import { issuerKey, sign } from './tokens.ts';

describe('A key set at a URL', () => {
  describe('as a source of keys', () => {
    itIsAnAuthenticator(async () => {
      const at = await keySetAtUrl();
      const other = await issuerKey('one');
      return {
        client: 'billing',
        authenticator: at.authenticator,
        credentials: (scopes) => sign(at.key, { scope: scopes.join(' ') }),
        forged: () => sign(other),
        withdraw: async () => {
          at.issuer.keys = [other];
          at.passes(maxAgeSeconds);
        },
        dispose: () => at.close(),
      };
    });
  });

  describe('in use', () => {
    let at: KeySetAtUrl;
    beforeEach(async () => {
      at = await keySetAtUrl();
    });
    afterEach(() => at.close());

    it('is fetched at the first token and then reused', async () => {
      expect(at.issuer.fetches).to.equal(0);
      await Promise.all([at.accepted(at.token), at.accepted(at.token)]);
      await at.accepted(at.token);
      expect(at.issuer.fetches).to.equal(1);
    });

    it('is fetched at once when a token names a new key', async () => {
      await at.accepted(at.token);
      const fresh = await issuerKey('two');
      at.issuer.keys = [at.key, fresh];
      await at.accepted(await sign(fresh));
      await at.accepted(at.token);
      expect(at.issuer.fetches).to.equal(2);
    });

    it('is not fetched for every invented key id', async () => {
      await at.accepted(at.token);
      for (let index = 0; index < 20; index += 1) {
        const { code, message } = await at.refused(await sign({ ...at.key, kid: `made up ${index}` }));
        expect(code).to.equal('unauthenticated');
        expect(message).to.contain('has none for ES256 whose ID (kid) is of an unusual form.');
      }
      expect(at.issuer.fetches).to.equal(2);
      at.passes(10);
      await at.refused(await sign({ ...at.key, kid: 'made up' }));
      expect(at.issuer.fetches).to.equal(3);
    });

    it('refuses a withdrawn key once its time is over', async () => {
      await at.accepted(at.token);
      at.issuer.keys = [await issuerKey('two')];
      at.passes(maxAgeSeconds);
      expect((await at.refused(at.token)).code).to.equal('unauthenticated');
    });

    it('is never used beyond its time, even when its issuer is unreachable', async () => {
      await at.accepted(at.token);
      at.issuer.status = 500;
      at.passes(maxAgeSeconds - 1);
      await at.accepted(at.token);
      at.passes(1);
      expect((await at.refused(at.token)).code).to.equal('unavailable');
    });

    it('is fetched again after half of its time, and not before', async () => {
      await at.accepted(at.token);
      at.passes(maxAgeSeconds / 2 - 1);
      await at.accepted(at.token);
      expect(at.issuer.fetches).to.equal(1);
      at.passes(1);
      await at.renewed();
      expect(at.issuer.fetches).to.equal(2);
      at.passes(maxAgeSeconds / 2 - 1);
      await at.accepted(at.token);
      expect(at.issuer.fetches).to.equal(2);
    });

    it('keeps a withdrawn key no longer than until the next early fetch', async () => {
      await at.accepted(at.token);
      at.issuer.keys = [await issuerKey('two')];
      at.passes(maxAgeSeconds / 2);
      await at.renewed();
      expect((await at.refused(at.token)).code).to.equal('unauthenticated');
    });

    it('accepts tokens during an outage of the issuer that is shorter than the limit', async () => {
      await at.accepted(at.token);
      at.issuer.status = 503;
      at.passes(maxAgeSeconds / 2);
      await at.renewed();
      expect(at.issuer.fetches).to.equal(2);
      // The one fetch that an unknown key may cause; from here on none is due for a while.
      await at.renewed();
      await at.renewed();
      expect(at.issuer.fetches).to.equal(3);
      at.passes(10);
      await at.renewed();
      expect(at.issuer.fetches).to.equal(4);
      expect(at.problems).to.have.length(1);
      at.issuer.status = 200;
      at.passes(10);
      await at.renewed();
      at.passes(maxAgeSeconds / 2 - 1);
      await at.accepted(at.token);
    });
  });
});
