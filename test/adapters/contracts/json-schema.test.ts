import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { textPattern } from '../../../src/adapters/contracts/body-schemas.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { mergePatch } from '../../../src/domain/resource/build.ts';
import { DomainError } from '../../../src/domain/validation/errors.ts';
import { normalize, validator as ownValidator } from '../../../src/domain/validation/schema-validator.ts';
import { aUser } from '../../support/a-user.ts';
import { closed, publishedJson, validator } from '../../support/contract.ts';
import { checkPatch, readInput } from '../../support/kinds.ts';
import { limits } from '../../support/limits.ts';
import { countOf, runs } from '../../support/runs.ts';
import { withTolerated } from '../../support/tolerated.ts';
import { anyUser, largestUser } from '../../support/users.ts';

const published = await publishedJson('/schemas/user.json');
const validate = ownValidator(User);

const tolerant = { ...(published as object), $defs: withTolerated(published.$defs, '#/$defs/') };

/** The schema of this name, as another validator reads it. */
function schema(name: string, of: object = published) {
  const ajv = validator();
  ajv.addSchema(closed(of));
  return ajv.compile({ $ref: `${published.$id}#/$defs/${name}` });
}

describe('The published JSON Schema', () => {
  const isUser = schema('User');

  it('accepts every possible user', () => {
    const users = [...fc.sample(anyUser(), 500), largestUser()];
    for (const user of users) expect(isUser(user), JSON.stringify(isUser.errors)).to.equal(true);
  });

  it('accepts every possible user as a request', () => {
    const isInput = schema('UserInput');
    for (const user of fc.sample(anyUser(), 300))
      expect(isInput(user), JSON.stringify(isInput.errors)).to.equal(true);
  });

  it('has the limits of the service', () => {
    const isInput = schema('UserInput');
    for (const { name, within, beyond } of limits) {
      expect(validate(within).violations, name).to.deep.equal([]);
      expect(validate(beyond).violations, name).to.not.deep.equal([]);
      expect([isUser(within), isUser(beyond)], name).to.deep.equal([true, false]);
      expect([isInput(within), isInput(beyond)], name).to.deep.equal([true, false]);
    }
  });

  it('has valid ECMA-262 patterns, and none of the service’s own keywords', () => {
    const patterns: string[] = [];
    const keywords = new Set<string>();
    JSON.stringify(published, (name, value: unknown) => {
      if (name === 'pattern') patterns.push(String(value));
      keywords.add(name);
      return value;
    });
    expect(patterns.length).to.be.above(10);
    for (const pattern of patterns)
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.to.throw();
    for (const own of ['item', 'entry', 'must', 'search', 'sort', '~kind', '~optional'])
      expect(keywords).not.to.include(own);
  });

  it('allows in texts exactly the characters that the service allows', () => {
    const pattern = new RegExp(textPattern, 'u');
    const one = Type.Object({ text: Type.String() });
    const differing: number[] = [];
    for (let code = 0; code < 0x11000; code += 1) {
      // Lone surrogates: no UTF-8 has them.
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCodePoint(code);
      if (pattern.test(text) !== (normalize(one, { text }).violations.length === 0)) differing.push(code);
    }
    expect(differing).to.deep.equal([]);
  });
});

describe('A request that is valid by the published JSON Schema', () => {
  const stored = aUser({ userName: 'stored', title: 'first' });
  const accepts = (doing: () => unknown): boolean => {
    try {
      doing();
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  };
  const { nothing } = fc.letrec((tie) => ({
    nothing: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom(null, ''),
      fc.array(tie('nothing'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('value', 'givenName', 'x'), tie('nothing'), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    ),
  }));
  const scalar = fc.constantFrom(
    'a',
    'en',
    'NL',
    'a@b',
    'ä',
    'a\u0001',
    true,
    false,
    0,
    1.5,
    'x'.repeat(300),
  );
  const object = fc.dictionary(
    fc.constantFrom('value', 'type', 'givenName', 'formatted', 'country', 'x'),
    fc.oneof(nothing, scalar),
    { maxKeys: 3, noNullPrototype: true },
  );
  const value = fc.oneof(
    ...[nothing, scalar, object, fc.array(fc.oneof(nothing, scalar, object), { maxLength: 3 })],
  );
  const members = fc.constantFrom(...Object.keys(User.properties), 'x');
  const body = fc.dictionary(members, value, { maxKeys: 4, noNullPrototype: true });
  /** Where no schema can follow: empty items are gone before the rest is compared and counted. */
  const beyond = (input: Readonly<Record<string, unknown>>): boolean => {
    const { roles } = input;
    if (!Array.isArray(roles)) return false;
    return roles.some((one, at) => roles.slice(0, at).some((other) => isDeepStrictEqual(one, other)));
  };

  it('is accepted', () => {
    const isInput = schema('UserInput');
    fc.assert(
      fc.property(body, (sent) => {
        const input = { ...sent, userName: 'ada' };
        fc.pre(!beyond(input) && isInput(input));
        expect(
          accepts(() => readInput(input)),
          JSON.stringify(input),
        ).to.equal(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it('together with tolerated empty values is exactly what the service accepts', () => {
    const isInput = schema('UserInput', tolerant);
    const inputs = fc
      .tuple(body, fc.boolean())
      .map(([sent, named]) => (named ? { ...sent, userName: 'ada' } : sent));
    const isTaken = (input: object) => accepts(() => readInput(input));
    fc.assert(
      fc.property(inputs, (input) => {
        fc.pre(!beyond(input));
        expect(isInput(input), JSON.stringify(input)).to.equal(isTaken(input));
      }),
      { numRuns: runs(3000) },
    );
    expect(countOf(inputs, 500, isTaken)).to.be.above(50);
  });

  it('in a PATCH, together with tolerated empty values, is exactly what the service accepts', () => {
    const isPatch = schema('UserPatch', tolerant);
    fc.assert(
      fc.property(body, (patch) => {
        const { id: _other, ...sent } = patch;
        fc.pre(!beyond(sent));
        const own = accepts(() => readInput(mergePatch(stored, checkPatch(sent)), stored));
        expect(isPatch(sent), JSON.stringify(sent)).to.equal(own);
      }),
      { numRuns: runs(3000) },
    );
  });
});
