import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { textPattern } from '../../../src/adapters/contracts/accepted.ts';
import { xsd } from '../../../src/adapters/contracts/xsd.ts';
import { xsdPattern } from '../../../src/adapters/contracts/xsd-pattern.ts';
import { xml } from '../../../src/adapters/formats/xml.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import { User } from '../../../src/domain/user.ts';
import { checkPatch, readInput, readPatch } from '../../../src/domain/user-input.ts';
import { validator as ownValidator, tidy } from '../../../src/domain/validation.ts';
import { naming } from '../../contract/format.ts';
import { aUser } from '../../support/a-user.ts';
import { closed, publishedJson, publishedText, validator } from '../../support/contract.ts';
import { limits } from '../../support/limits.ts';
import { anyUser, largestUser } from '../../support/users.ts';
import { faultsBySchema, hasXmllint } from '../../support/xml-schema.ts';

const published = await publishedJson('/schemas/user.json');
const userXsd = await publishedText('/schemas/user.xsd');
const codec = xml.codec<User>(User, naming);
const validate = ownValidator(User);

/** The schema of this name, as another validator reads it. */
function schema(name: string) {
  const ajv = validator();
  ajv.addSchema(closed(published));
  return ajv.compile({ $ref: `${published.$id}#/$defs/${name}` });
}

function needXmllint(context: Mocha.Context): void {
  if (hasXmllint()) return;
  if (process.env.CI) throw new Error('xmllint is missing');
  context.skip();
}

describe('The published JSON Schema', () => {
  const isUser = schema('User');

  it('takes every user that there may be', () => {
    const users = [...fc.sample(anyUser(), 500), largestUser()];
    for (const user of users) expect(isUser(user), JSON.stringify(isUser.errors)).to.equal(true);
  });

  it('takes every user as what a client may send', () => {
    const isInput = schema('UserInput');
    for (const user of fc.sample(anyUser(), 300))
      expect(isInput(user), JSON.stringify(isInput.errors)).to.equal(true);
  });

  it('has the limits that the service has', () => {
    const isInput = schema('UserInput');
    for (const { name, within, beyond } of limits) {
      expect(validate(within).violations, name).to.deep.equal([]);
      expect(validate(beyond).violations, name).to.not.deep.equal([]);
      expect([isUser(within), isUser(beyond)], name).to.deep.equal([true, false]);
      expect([isInput(within), isInput(beyond)], name).to.deep.equal([true, false]);
    }
  });

  it('has patterns that every reader of ECMA-262 takes, and no keyword of ours', () => {
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
    for (const own of ['item', 'entry', 'must', '~kind', '~optional']) expect(keywords).not.to.include(own);
  });

  it('lets texts have the characters that the service lets them have', () => {
    const pattern = new RegExp(textPattern, 'u');
    const one = Type.Object({ text: Type.String() });
    const differing: number[] = [];
    for (let code = 0; code < 0x11000; code += 1) {
      // Lone surrogates: no UTF-8 has them.
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const text = String.fromCodePoint(code);
      if (pattern.test(text) !== (tidy(one, { text }).violations.length === 0)) differing.push(code);
    }
    expect(differing).to.deep.equal([]);
  });
});

describe('What the published JSON Schema says that a client may send', () => {
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
    return Array.isArray(roles) && new Set(roles.map((one) => JSON.stringify(one))).size < roles.length;
  };

  it('is what the service accepts, neither more nor less', () => {
    const isInput = schema('UserInput');
    let taken = 0;
    fc.assert(
      fc.property(fc.tuple(body, fc.boolean()), ([sent, named]) => {
        const input = named ? { ...sent, userName: 'ada' } : sent;
        fc.pre(!beyond(input));
        const own = accepts(() => readInput(input));
        expect(isInput(input), JSON.stringify(input)).to.equal(own);
        if (own) taken += 1;
      }),
      { numRuns: 3000 },
    );
    expect(taken).to.be.above(300);
  });

  it('in a PATCH is what the service accepts, neither more nor less', () => {
    const isPatch = schema('UserPatch');
    fc.assert(
      fc.property(body, (patch) => {
        const { id: _other, ...sent } = patch;
        fc.pre(!beyond(sent));
        const own = accepts(() => readPatch(checkPatch(sent), stored));
        expect(isPatch(sent), JSON.stringify(sent)).to.equal(own);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('The published XML Schema', () => {
  it('takes every user that there may be, on its own and in a list', function () {
    needXmllint(this);
    const users = [...fc.sample(anyUser(), 500), largestUser()];
    const { open, item, between, close } = codec.list;
    const list = open + users.map((user) => item(user)).join(between) + close;
    const faults = faultsBySchema(userXsd, [...users.map((user) => codec.print(user)), list, open + close]);
    expect(faults.filter((fault) => fault !== undefined)).to.deep.equal([]);
  });

  it('has the limits that the service has', function () {
    needXmllint(this);
    const within = faultsBySchema(
      userXsd,
      limits.map((limit) => codec.print(limit.within)),
    );
    const beyond = faultsBySchema(
      userXsd,
      limits.map((limit) => codec.print(limit.beyond)),
    );
    for (const [index, { name }] of limits.entries()) {
      expect(within[index], name).to.equal(undefined);
      expect(beyond[index], name).to.be.a('string');
    }
  });

  it('takes members in any order, and each once', function () {
    needXmllint(this);
    const user = (inside: string) => `<user xmlns="${naming.namespace}">${inside}</user>`;
    const [swapped, repeated, none, foreign] = faultsBySchema(userXsd, [
      user('<roles><role>a</role></roles><userName>ada</userName><active> 1 </active>'),
      user('<userName>ada</userName><userName>ada</userName>'),
      '<user><userName>ada</userName></user>',
      user('<userName>ada</userName><x/>'),
    ]);
    expect(swapped).to.equal(undefined);
    expect([repeated, none, foreign].map((fault) => typeof fault)).to.deep.equal([
      'string',
      'string',
      'string',
    ]);
  });

  it('says what a field to come will need: numbers with limits and enumerations', function () {
    needXmllint(this);
    const Thing = Type.Object(
      {
        size: Type.Integer({ minimum: 1, maximum: 3 }),
        colour: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['red', 'green'] })),
      },
      { additionalProperties: false },
    );
    const schemaOf = xsd({
      ...{ schema: Thing, naming: { one: 'thing', many: 'things', namespace: 'urn:thing' } },
      ...{ required: ['size'], list: false, about: [] },
    });
    const thing = (inside: string) => `<thing xmlns="urn:thing">${inside}</thing>`;
    const faults = faultsBySchema(schemaOf, [
      thing('<size>3</size><colour>red</colour>'),
      thing('<size>4</size>'),
      thing('<size>1</size><colour>blue</colour>'),
    ]);
    expect(faults.map((fault) => typeof fault)).to.deep.equal(['undefined', 'string', 'string']);
  });
});

describe('A pattern on its way to XML Schema', () => {
  it('loses its anchors and keeps its meaning', () => {
    expect(xsdPattern('^(?:a|b)[\\d_-]{2}\\.$')).to.equal('(a|b)[0-9_\\-]{2}\\.');
    expect(xsdPattern('^[-a]+$')).to.equal('[\\-a]+');
  });

  for (const pattern of ['a', '^a', '^a|b$', '^(?=a)b$', '^a+?$', '^a^b$', '^(a)\\1$', '^\\bx$']) {
    it(`is refused when XML Schema cannot say it: ${pattern}`, () => {
      expect(() => xsdPattern(pattern)).to.throw(Error);
    });
  }
});
