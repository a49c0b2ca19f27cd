import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  createLocalJWKSet,
  errors,
  type JWK,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { bearerAuthenticator } from '../../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../../src/adapters/credentials/jwt/authenticator.ts';
import type { Authenticator, Principal } from '../../../../src/domain/ports.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { runs } from '../../../support/runs.ts';
import { changes, keyPairs, keySets, secret, signedTokens } from './arbitrary-tokens.ts';
import { isStricterHere, stricterTokens } from './stricter-than-jose.ts';
import { audience, issuer, temporaryFolder, usual, now as wholeSecond } from './tokens.ts';

const now = new Date(wholeSecond.getTime() + 900);
const clock = { now: () => now };

const publicAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const secretAlgorithms = ['HS256', 'HS384', 'HS512'];

/** What jose makes of a token, with the options that say the same as ours. */
async function joseAccepts(
  token: string,
  key: JWTVerifyGetKey | Uint8Array,
  algorithms: string[],
): Promise<boolean> {
  const rules: JWTVerifyOptions = {
    ...{ issuer, audience, algorithms, typ: 'at+jwt', clockTolerance: usual.leewaySeconds },
    ...{ requiredClaims: ['exp'], currentDate: now },
  };
  const accepted = (promise: Promise<unknown>) => promise.then(() => true);
  try {
    return await accepted(
      key instanceof Uint8Array ? jwtVerify(token, key, rules) : jwtVerify(token, key, rules),
    );
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return false;
    for await (const one of error) {
      if (await accepted(jwtVerify(token, one, rules)).catch(() => false)) return true;
    }
    return false;
  }
}

function verdict(authenticator: Authenticator, token: string): Principal | undefined {
  try {
    const principal = authenticator.authenticate(token);
    if (principal instanceof Promise) throw new Error('There was nothing to wait for.');
    return principal;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

const isLong = ({ kty, n = '' }: JWK) => kty !== 'RSA' || Buffer.from(n, 'base64url').length >= 256;

/** A file with a key too short to be safe is refused as a whole, where jose refuses the key's tokens. */
function openWithoutShort(file: string, keys: readonly JWK[]): Authenticator {
  writeFileSync(file, JSON.stringify({ keys }));
  const open = () =>
    bearerAuthenticator(
      jwtTokens(
        { ...usual, algorithms: publicAlgorithms, keys: { jwksFile: file, maxStaleSeconds: 60 } },
        clock,
      ),
    );
  try {
    return open();
  } catch (error) {
    if (keys.every(isLong)) throw error;
    expect(String(error)).to.contain('is an RSA key of 1536 bits');
    writeFileSync(file, JSON.stringify({ keys: keys.filter(isLong) }));
    return open();
  }
}

describe('A token', () => {
  const at = temporaryFolder();
  const openWithSecret = () =>
    bearerAuthenticator(jwtTokens({ ...usual, algorithms: secretAlgorithms, keys: { secret } }, clock));

  async function compare(
    token: string,
    ours: Authenticator,
    key: JWTVerifyGetKey | Uint8Array,
    algorithms: string[],
  ): Promise<'accepted' | 'refused' | 'stricter'> {
    const principal = verdict(ours, token);
    const accepts = await joseAccepts(token, key, algorithms);
    if (accepts && principal === undefined) {
      expect(isStricterHere(token), token).to.equal(true);
      return 'stricter';
    }
    expect(principal !== undefined, token).to.equal(accepts);
    return accepts ? 'accepted' : 'refused';
  }

  /** Fixed cases must not all be bad, nor all good: then the comparison would say nothing. */
  async function expectBoth<T>(
    cases: fc.Arbitrary<T>,
    count: number,
    compareAll: (one: T) => Promise<string[]>,
  ) {
    const ends: string[] = [];
    for (const one of fc.sample(cases, { numRuns: count, seed: 17 })) ends.push(...(await compareAll(one)));
    for (const end of ['accepted', 'refused'])
      expect(ends.filter((each) => each === end).length, end).to.be.above(ends.length / 50);
  }

  const withChanges = (token: fc.Arbitrary<string>) =>
    fc
      .tuple(token, fc.array(changes, { maxLength: 4 }))
      .map(([original, all]) => [original, ...all.map((change) => change(original))]);

  it('is accepted here exactly when jose accepts it, whatever the key set', async () => {
    const pairs = keyPairs();
    const file = at('keys.json');
    const token = fc.constantFrom(...pairs).chain(signedTokens);
    const cases = fc.record({
      set: keySets(pairs),
      // Many for each set: reading keys takes longer than checking with them.
      tokens: fc.array(withChanges(token), { minLength: 20, maxLength: 20 }),
    });
    const compareAll = async ({ set, tokens }: typeof cases extends fc.Arbitrary<infer T> ? T : never) => {
      const ours = openWithoutShort(file, set.keys);
      const theirs = createLocalJWKSet(set);
      return await Promise.all(tokens.flat().map((one) => compare(one, ours, theirs, publicAlgorithms)));
    };
    await fc.assert(
      fc.asyncProperty(cases, async (one) => void (await compareAll(one))),
      { numRuns: runs(40) },
    );
    await expectBoth(cases, 4, compareAll);
  });

  it('is accepted here exactly when jose accepts it with a shared secret', async () => {
    const ours = openWithSecret();
    const cases = withChanges(signedTokens(undefined));
    const compareAll = (tokens: readonly string[]) =>
      Promise.all(tokens.map((one) => compare(one, ours, secret, secretAlgorithms)));
    await fc.assert(
      fc.asyncProperty(cases, async (tokens) => void (await compareAll(tokens))),
      { numRuns: runs(1_000) },
    );
    await expectBoth(cases, 50, compareAll);
  });

  for (const [what, token] of Object.entries(stricterTokens))
    it(`is refused here, though jose accepts it, when it ${what}`, async () => {
      expect(await compare(token, openWithSecret(), secret, secretAlgorithms)).to.equal('stricter');
    });
});
