import { expect } from 'chai';
import { exportJWK } from 'jose';
import { jwtAuthenticator } from '../../../src/adapters/jwt/authenticator.ts';
import type { Authenticator } from '../../../src/domain/ports.ts';
import { itIsAnAuthenticator, refusal } from '../../contract/authenticator.ts';
import { Issuer } from './issuer.ts';
import { clock, type IssuerKey, issuerKey, sign, usual } from './tokens.ts';

const maxAgeSeconds = 600;
const systemNow = Date.now;

describe('A key set at a URL', () => {
  let issuer: Issuer;
  let url: URL;
  let authenticator: Authenticator;
  let problems: string[];
  let key: IssuerKey;
  let token: string;

  const passes = (seconds: number) => {
    const later = Date.now() + seconds * 1_000;
    Date.now = () => later;
  };
  const open = (timeout = 5_000) =>
    jwtAuthenticator(
      {
        ...usual,
        keys: { jwksUrl: url, maxAgeSeconds, timeout },
        onProblem: (message) => problems.push(message),
      },
      clock,
    );
  const refused = (credentials: string) => refusal(authenticator, credentials);
  const accepted = (credentials: string) => authenticator.authenticate(credentials);
  /** One request that finds the set aging, and another that waits, for want of its key, for the fetch it started. */
  const renewed = async () => {
    const unknown = await sign({ ...key, kid: 'unknown' });
    await Promise.all([accepted(token), refused(unknown)]);
  };

  const start = async () => {
    const fixed = systemNow();
    Date.now = () => fixed;
    issuer = new Issuer();
    url = await issuer.start();
    problems = [];
    key = await issuerKey('one');
    token = await sign(key);
    issuer.keys = [key];
    authenticator = open();
  };
  const stop = async () => {
    Date.now = systemNow;
    await authenticator.close();
    await issuer.stop();
  };

  describe('as a source of keys', () => {
    itIsAnAuthenticator(async () => {
      await start();
      const other = await issuerKey('one');
      return {
        authenticator,
        credentials: (scopes) => sign(key, { scope: scopes.join(' ') }),
        forged: () => sign(other),
        withdraw: async () => {
          issuer.keys = [other];
          passes(maxAgeSeconds);
        },
        dispose: stop,
      };
    });
  });

  describe('in use', () => {
    beforeEach(start);
    afterEach(stop);

    it('is fetched at the first token and then used for all', async () => {
      expect(issuer.fetches).to.equal(0);
      await Promise.all([accepted(token), accepted(token)]);
      await accepted(token);
      expect(issuer.fetches).to.equal(1);
    });

    it('is fetched at once when a token names a key that is new', async () => {
      await accepted(token);
      const fresh = await issuerKey('two');
      issuer.keys = [key, fresh];
      await accepted(await sign(fresh));
      await accepted(token);
      expect(issuer.fetches).to.equal(2);
    });

    it('is not fetched for every key that someone makes up', async () => {
      await accepted(token);
      for (let index = 0; index < 20; index += 1) {
        const { code, message } = await refused(await sign({ ...key, kid: `made up ${index}` }));
        expect(code).to.equal('unauthenticated');
        expect(message).to.equal('The token is signed with an unknown key.');
      }
      expect(issuer.fetches).to.equal(2);
      passes(10);
      await refused(await sign({ ...key, kid: 'made up' }));
      expect(issuer.fetches).to.equal(3);
    });

    it('stops a withdrawn key when its time is over', async () => {
      await accepted(token);
      issuer.keys = [await issuerKey('two')];
      passes(maxAgeSeconds);
      expect((await refused(token)).code).to.equal('unauthenticated');
    });

    it('is never used beyond its time, even when its issuer is out of reach', async () => {
      await accepted(token);
      issuer.status = 500;
      passes(maxAgeSeconds - 1);
      await accepted(token);
      passes(1);
      expect((await refused(token)).code).to.equal('unavailable');
    });

    it('is fetched anew from half its time, and not before', async () => {
      await accepted(token);
      passes(maxAgeSeconds / 2 - 1);
      await accepted(token);
      expect(issuer.fetches).to.equal(1);
      passes(1);
      await renewed();
      expect(issuer.fetches).to.equal(2);
      passes(maxAgeSeconds / 2 - 1);
      await accepted(token);
      expect(issuer.fetches).to.equal(2);
    });

    it('keeps a key that was withdrawn no longer than the fetch ahead of its end', async () => {
      await accepted(token);
      issuer.keys = [await issuerKey('two')];
      passes(maxAgeSeconds / 2);
      await renewed();
      expect((await refused(token)).code).to.equal('unauthenticated');
    });

    it('lets nobody feel an outage of the issuer that ends within its time', async () => {
      await accepted(token);
      issuer.status = 503;
      passes(maxAgeSeconds / 2);
      await renewed();
      expect(issuer.fetches).to.equal(2);
      // The one fetch that an unknown key may cause; from here on none is due for a while.
      await renewed();
      await renewed();
      expect(issuer.fetches).to.equal(3);
      passes(10);
      await renewed();
      expect(issuer.fetches).to.equal(4);
      expect(problems).to.have.length(1);
      issuer.status = 200;
      passes(10);
      await renewed();
      passes(maxAgeSeconds / 2 - 1);
      await accepted(token);
    });

    it('that cannot be had makes the service unavailable, and the issuer is not stormed', async () => {
      issuer.status = 500;
      for (let request = 0; request < 5; request += 1) {
        expect((await refused(token)).code).to.equal('unavailable');
      }
      expect(issuer.fetches).to.equal(1);
      expect(problems).to.have.length(1);
      expect(problems[0]).to.contain('/jwks could').and.to.contain('500').and.not.to.contain('secret');
      issuer.status = 200;
      passes(1);
      await accepted(token);
    });

    it('that is garbage, a redirect, too large or too slow is no key set', async () => {
      const faults: (() => void)[] = [
        () => {
          issuer.body = 'not JSON';
        },
        () => {
          issuer.body = '{"keys": 7}';
        },
        () => {
          issuer.status = 302;
        },
        () => {
          issuer.body = JSON.stringify({ keys: [key.jwk], more: 'x'.repeat(256 * 1_024) });
        },
        () => {
          issuer.silent = true;
        },
      ];
      for (const fault of faults) {
        issuer.body = undefined;
        issuer.status = 200;
        fault();
        authenticator = open(issuer.silent ? 50 : 5_000);
        expect((await refused(token)).code).to.equal('unavailable');
      }
      expect(problems).to.have.length(faults.length);
    });

    it('with no address that answers makes the service unavailable', async () => {
      await issuer.stop();
      expect((await refused(token)).code).to.equal('unavailable');
      expect(problems[0]).to.contain('ECONNREFUSED');
    });

    it('has only its keys for signatures used', async () => {
      issuer.keys = [{ ...key, jwk: { ...key.jwk, use: 'enc' } }];
      expect((await refused(token)).message).to.contain('unknown key');
    });

    it('that publishes a private key has lost it: the key is not used', async () => {
      issuer.keys = [{ ...key, jwk: await exportJWK(key.privateKey) }];
      expect((await refused(await sign(key, {}, { kid: undefined }))).code).to.equal('unavailable');
    });

    it('is given up on closing, without a word', async () => {
      issuer.silent = true;
      authenticator = open(60_000);
      const waiting = refused(token);
      await authenticator.close();
      expect((await waiting).code).to.equal('unavailable');
      expect(problems).to.deep.equal([]);
    });
  });
});
