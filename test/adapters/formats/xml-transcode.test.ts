import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { xml } from '../../../src/adapters/formats/xml/xml.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming } from '../../contract/format.ts';
import { aUser } from '../../support/a-user.ts';
import { fullestUser } from '../../support/fullest-user.ts';
import { runs } from '../../support/runs.ts';
import { editedText, shuffle, storedText, strangeText, tornTexts } from '../../support/stored-texts.ts';
import { anyUser, largestUser } from '../../support/users.ts';

const codec = xml.codec<User>(User, naming);
const { transcoder } = codec;
if (transcoder === undefined) throw new Error('XML has no transcoder');

const printed = (text: string): string => codec.print(JSON.parse(text));
const printedItem = (text: string): string => codec.list.item(JSON.parse(text));

/** In UTF-8, which has no half of a surrogate pair. */
const sent = (text: string): string => Buffer.from(text).toString();

/** Undefined, or what is printed for the values in it. */
function expectNothingElse(text: string): void {
  const transcoded = transcoder?.print(text);
  if (transcoded === undefined) return;
  expect(transcoded).to.equal(sent(printed(text)));
}

describe('A stored user that is sent in XML', () => {
  it('is identical to the XML of its parsed values', () => {
    fc.assert(
      fc.property(storedText(), (text) => {
        expect(transcoder.print(text)).to.equal(printed(text));
        expect(transcoder.item(text)).to.equal(printedItem(text));
      }),
      { numRuns: runs(600) },
    );
  });

  it('may have names that are alike, such as lk and n-', () => {
    const names = ['lk', 'n-', 'Aa', 'BB', 'AaAa', 'BBBB', 'AaBB', 'aa', 'ab', 'ba'];
    const text = JSON.stringify(aUser({ attributes: Object.fromEntries(names.map((name) => [name, 'x'])) }));
    expect(transcoder.print(text)).to.equal(printed(text));
  });

  it('may be the largest user, and the one with the most members', () => {
    for (const user of [largestUser(), fullestUser()])
      expect(transcoder.print(JSON.stringify(user))).to.equal(codec.print(user));
  });

  it('has its members in the order of the schema, whatever the order in the text', () => {
    fc.assert(
      fc.property(anyUser(), fc.nat(1000), (user, seed) => {
        const text = JSON.stringify(shuffle(user, seed));
        expect(transcoder.print(text)).to.equal(printed(text));
      }),
    );
  });

  it('is left to the printer if the text has something that no user has, and only then', () => {
    const user = JSON.stringify(aUser({ title: 'x' }));
    const swap = (other: string): string => user.replace('"title":"x"', other);
    const entry = (value: string): string => `"attributes":{"a":${value}}`;
    for (const kept of [
      '"title":"\\n\\t\\r\\"\\\\"',
      '"title":true',
      ...['0', '-0.25', '9007199254740991', 'true', '[1,"x",true]', '["<"]'].map(entry),
      '"title":""',
      '"roles":[]',
      '"name":{}',
    ])
      expect(transcoder.print(swap(kept)), kept).to.equal(printed(swap(kept)));
    for (const unexpected of [
      ...['"title":7', '"title":null', '"title":"\\u003c"', '"title":"\\/"', '"title":{}', '"title":[]'],
      ...['"title": "x"', '"title":"x","title":"y"', '"Title":"x"', '"titlé":"x"', '"__proto__":"x"'],
      ...['1e3', '1.50', '-0', '01', '1-2', '-', '.5', 'null', '[]', '[1,]', '[[1]]', '{}'].map(entry),
      ...['"attributes":{"1":"x"}', '"attributes":{"a b":"x"}', '"attributes":{"":"x"}', '"roles":{}'],
      ...['"attributes":{"a":"x","a":"y"}', '"attributes":{"é":"x"}', '"name":[]', '"emails":[{"value":1}]'],
      ...[
        '"name":{"givenName":"a","givenName":"b"}',
        '"name":{"givenName":"a","familyName":"b","givenName":"c"}',
      ],
    ])
      expect(transcoder.print(swap(unexpected)), unexpected).to.equal(undefined);
  });

  it('has no part of the previous user, wherever the text breaks off', () => {
    const before = JSON.stringify(largestUser());
    const text = JSON.stringify(aUser({ displayName: 'Ada', roles: ['x', 'y'], attributes: { a: 'b' } }));
    for (let length = 0; length < text.length; length += 1) {
      expect(transcoder.print(before)).to.be.a('string');
      expect(transcoder.print(text.slice(0, length)), `${length} characters`).to.equal(undefined);
    }
  });

  it('may not contain two users, or a part of a user', () => {
    for (const texts of tornTexts(JSON.stringify(aUser()), JSON.stringify(aUser())))
      expect(texts.map((text) => transcoder.item(text))).to.include(undefined);
  });

  it('is left to the printer if the text is larger than any user', () => {
    const huge = JSON.stringify(aUser({ title: 'x'.repeat(70_000) }));
    expect(transcoder.print(huge)).to.equal(undefined);
    const swelling = JSON.stringify(aUser({ x509Certificates: Array(20_000).fill({}) }));
    expectNothingElse(swelling);
    expectNothingElse(JSON.stringify(aUser({ title: '&'.repeat(60_000) })));
  });

  it('has exactly its values, also if its stored text was edited by hand', () => {
    fc.assert(fc.property(editedText(), expectNothingElse), { numRuns: runs(3000) });
  });

  it('has exactly its values, with any values in any members', () => {
    fc.assert(fc.property(strangeText(), expectNothingElse), { numRuns: runs(2000) });
  });
});

describe('A stored document of another schema that is sent in XML', () => {
  const schema = Type.Object({
    é: Type.Optional(Type.String()),
    a: Type.Optional(
      Type.Record(
        Type.String({ pattern: '' }),
        Type.Record(Type.String({ pattern: '' }), Type.String(), { entry: 'inner' }),
        { entry: 'outer' },
      ),
    ),
    aLongNameOfMoreThanSixteenCharacters: Type.Optional(
      Type.Array(Type.Array(Type.Boolean(), { item: 'i' }), { item: 'list' }),
    ),
    n: Type.Optional(Type.Number()),
  });
  const other = xml.codec<object>(schema, { one: 'thing', many: 'things', namespace: 'urn:x' });

  it('may have names of any length, maps in maps and lists in lists', () => {
    for (const document of [
      {},
      { é: '\u{1F600}' },
      { a: { b: { c: 'd', e: 'f' }, c: { c: '<' }, d: {} }, é: 'x' },
      { aLongNameOfMoreThanSixteenCharacters: [[true, false], [], [false]], é: '' },
    ])
      expect(other.transcoder?.print(JSON.stringify(document))).to.equal(other.print(document));
  });

  it('is left to the printer if it has a number', () => {
    expect(other.transcoder?.print('{"n":1}')).to.equal(undefined);
  });

  it('may have the same names in maps inside maps', () => {
    expect(other.transcoder?.print('{"a":{"b":{"x":"1","y":"2"},"b":{}}}')).to.equal(undefined);
    expect(other.transcoder?.print('{"a":{"b":{"x":"1","x":"2"}}}')).to.equal(undefined);
  });
});
