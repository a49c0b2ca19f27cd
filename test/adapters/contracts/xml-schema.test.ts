import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { xsd } from '../../../src/adapters/contracts/xsd.ts';
import { toXsdPattern } from '../../../src/adapters/contracts/xsd-pattern.ts';
import { xml } from '../../../src/adapters/formats/xml/xml.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming } from '../../contract/format.ts';
import { needed } from '../../outside/tools.ts';
import { publishedText } from '../../support/contract.ts';
import { limits } from '../../support/limits.ts';
import { anyUser, largestUser } from '../../support/users.ts';
import { faultsBySchema } from '../../support/xml-schema.ts';

const userXsd = await publishedText('/schemas/user.xsd');
const codec = xml.codec<User>(User, naming);

describe('The published XML Schema', () => {
  it('accepts every possible user, on its own and in a list', function () {
    needed(this, 'xmllint');
    const users = [...fc.sample(anyUser(), 500), largestUser()];
    const { open, item, between, close } = codec.list;
    const list = open() + users.map((user) => item(user)).join(between) + close;
    const lists = [
      list,
      open() + close,
      open({ total: 0 }) + close,
      open({ total: 1234 }) + users.map(item).join(between) + close,
    ];
    const faults = faultsBySchema(userXsd, [...users.map((user) => codec.print(user)), ...lists]);
    expect(faults.filter((fault) => fault !== undefined)).to.deep.equal([]);
  });

  it('has the limits of the service', function () {
    needed(this, 'xmllint');
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

  it('accepts members in any order, each once', function () {
    needed(this, 'xmllint');
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

  it('supports numbers with limits and enumerations, for future fields', function () {
    needed(this, 'xmllint');
    const Thing = Type.Object(
      {
        size: Type.Integer({ minimum: 1, maximum: 3 }),
        colour: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['red', 'green'] })),
      },
      { additionalProperties: false },
    );
    const schemaOf = xsd({
      of: { schema: Thing, naming: { one: 'thing', many: 'things', namespace: 'urn:thing' } },
      about: [],
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

describe('A pattern translated for XML Schema', () => {
  it('loses its anchors and keeps its meaning', () => {
    expect(toXsdPattern('^(?:a|b)[\\d_-]{2}\\.$')).to.equal('(a|b)[0-9_\\-]{2}\\.');
    expect(toXsdPattern('^[-a]+$')).to.equal('[\\-a]+');
  });

  for (const pattern of ['a', '^a', '^a|b$', '^(?=a)b$', '^a+?$', '^a^b$', '^(a)\\1$', '^\\bx$']) {
    it(`is refused when XML Schema cannot express it: ${pattern}`, () => {
      expect(() => toXsdPattern(pattern)).to.throw(Error);
    });
  }
});
