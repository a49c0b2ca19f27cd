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
import { DomainError } from '../../../../src/domain/base/errors.ts';
import type { Authenticator, Principal } from '../../../../src/domain/ports.ts';
import { runs } from '../../../support/runs.ts';
import { changes, keyPairs, keySets, secret, signedTokens } from './arbitrary-tokens.ts';
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

const strictly = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
const read = (part = '') => JSON.parse(new TextDecoder().decode(Buffer.from(part, 'base64url')));
const byteOrderMark = (part = '') => Buffer.from(part, 'base64url').indexOf('\ufeff') === 0;

/** Where more is asked here than jose asks: the whole list. */
function isStricterHere(token: string): boolean {
  const [header, payload] = token.split('.');
  if (token.length > 8_192 || !token.split('.').every(strictly)) return true;
  if (byteOrderMark(header) || byteOrderMark(payload) || 'crit' in read(header)) return true;
  const claims = read(payload);
  const isIdToken = 'at_hash' in claims;
  const isList = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');
  const isWrong = (value: unknown) => value !== undefined && typeof value !== 'string';
  return (
    isIdToken ||
    isWrong(claims.scope) ||
    [claims.scp, claims.aud].some((value) => isWrong(value) && !isList(value)) ||
    [claims.exp, claims.nbf, claims.iat].some((time) => Math.abs(time) === Number.POSITIVE_INFINITY)
  );
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

describe('What jose says of a token', () => {
  const at = temporaryFolder();
  const seen = { accepted: 0, refused: 0, stricter: 0 };
  beforeEach(() => Object.assign(seen, { accepted: 0, refused: 0, stricter: 0 }));
  /** The tokens must not all be bad, nor all good: then the comparison would say nothing. */
  const compared = () => {
    expect(seen.accepted, 'accepted').to.be.at.least(runs(50));
    expect(seen.refused, 'refused').to.be.at.least(runs(50));
    expect(seen.stricter, 'stricter').to.be.at.least(runs(1));
  };

  async function compare(
    token: string,
    ours: Authenticator,
    key: JWTVerifyGetKey | Uint8Array,
    algorithms: string[],
  ) {
    const principal = verdict(ours, token);
    const accepts = await joseAccepts(token, key, algorithms);
    if (accepts && principal === undefined) {
      expect(isStricterHere(token), token).to.equal(true);
      seen.stricter += 1;
    } else {
      expect(principal !== undefined, token).to.equal(accepts);
      seen[accepts ? 'accepted' : 'refused'] += 1;
    }
  }

  const withChanges = (token: fc.Arbitrary<string>) =>
    fc
      .tuple(token, fc.array(changes, { maxLength: 4 }))
      .map(([original, all]) => [original, ...all.map((change) => change(original))]);

  it('is said here too, whatever the key set and the token', async () => {
    const pairs = keyPairs();
    const file = at('keys.json');
    const token = fc.constantFrom(...pairs).chain(signedTokens);
    const cases = fc.record({
      set: keySets(pairs),
      // Many for each set: reading keys takes longer than checking with them.
      tokens: fc.array(withChanges(token), { minLength: 20, maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ set, tokens }) => {
        const ours = openWithoutShort(file, set.keys);
        const theirs = createLocalJWKSet(set);
        for (const one of tokens.flat()) await compare(one, ours, theirs, publicAlgorithms);
      }),
      { numRuns: runs(40) },
    );
    compared();
  });

  it('is said here too with a shared secret', async () => {
    const ours = bearerAuthenticator(
      jwtTokens({ ...usual, algorithms: secretAlgorithms, keys: { secret } }, clock),
    );
    await fc.assert(
      fc.asyncProperty(withChanges(signedTokens(undefined)), async (tokens) => {
        for (const one of tokens) await compare(one, ours, secret, secretAlgorithms);
      }),
      { numRuns: runs(1_000) },
    );
    compared();
  });
});
