/** Bodies that no honest client sends, by kind: each must get a 4xx and change nothing. */
import fc from 'fast-check';

interface HostileBody {
  readonly type: string;
  readonly body: Uint8Array;
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const json = (text: string): HostileBody => ({ type: 'application/json', body: utf8(text) });
const xml = (text: string): HostileBody => ({ type: 'application/xml', body: utf8(text) });
const inUser = (inside: string): string =>
  `<user xmlns="urn:user-management:1"><userName>hostile</userName>${inside}</user>`;
const member = (name: string, value: unknown): HostileBody =>
  json(JSON.stringify({ userName: 'hostile', [name]: value }));

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const notAString = fc.oneof(fc.integer(), fc.boolean(), fc.array(fc.integer(), { minLength: 1 }));
const depth = fc.integer({ min: 40, max: 40_000 });

const brokenJson = fc.oneof(
  word.map((text) => `{"userName":"hostile","title":${text}x}`),
  word.map((text) => `{"userName":"${text}"`),
  word.map((text) => `{userName:"${text}"}`),
  word.map((text) => `{"userName":"${text}",}`),
  word.map((text) => `{"userName":"hostile"} ${text}`),
  word.map((text) => `// ${text}\n{"userName":"hostile"}`),
  word.map((text) => `{"userName":"\u0001${text}"}`),
  fc.constant(''),
);
const brokenXml = fc.oneof(
  word.map((text) => inUser(`<${text}>`)),
  word.map((text) => inUser(`<title>${text}</titel>`)),
  word.map((text) => `${inUser('')}<${text}/>`),
  // With an x in front it is none of the five that XML has of itself.
  word.map((text) => inUser(`<title>&x${text};</title>`)),
  word.map((text) => inUser(`<title a="1" a="${text}">x</title>`)),
  word.map((text) => inUser(`<title>${text} & more</title>`)),
  word.map((text) => inUser(`<title>${text}]]></title>`)),
  word.map((text) => inUser(`<title>&#0;${text}</title>`)),
  word.map((text) => inUser(`<!-- ${text} -- -->`)),
  word.map((text) => inUser(`<${text}:title>x</${text}:title>`)),
  word.map((text) => `<?xml version="9.9"?>${inUser(`<title>${text}</title>`)}`),
  fc.constant(''),
);
const doctypes = word.map((text) => `<!DOCTYPE user [<!ELEMENT ${text} ANY>]>${inUser('')}`);
const bombs = fc.tuple(word, fc.integer({ min: 2, max: 30 })).map(([name, levels]) => {
  const entities = Array.from(
    { length: levels },
    (_, i) => `<!ENTITY ${name}${i + 1} "${`&${name}${i};`.repeat(10)}">`,
  );
  return `<!DOCTYPE user [<!ENTITY ${name}0 "lol">${entities.join('')}]>${inUser(`<title>&${name}${levels};</title>`)}`;
});
const latin = fc.constantFrom('é', 'ü', 'ß', 'ñ').chain((letter) => word.map((text) => letter + text));

/** Generators, by the fault of the body. */
export const hostileBodies: Readonly<Record<string, fc.Arbitrary<HostileBody>>> = {
  'malformed JSON': brokenJson.map(json),
  'malformed XML': brokenXml.map(xml),
  'wrong types': fc.oneof(
    fc
      .constantFrom('title', 'name', 'active', 'emails', 'roles', 'attributes')
      .chain((name) =>
        notAString
          .filter((value) => name !== 'active' || typeof value !== 'boolean')
          .map((value) => member(name, value)),
      ),
    fc.constantFrom('[]', '1', 'null', '"text"', '[{"userName":"hostile"}]').map(json),
    word.map((text) => xml(inUser(`<active>x${text}</active>`))),
  ),
  'unknown members': word.chain((name) =>
    fc.constantFrom(
      member(`x${name}`, 'x'),
      member('name', { [`x${name}`]: null }),
      xml(inUser(`<x${name}/>`)),
    ),
  ),
  'values that are too long': fc.integer({ min: 257, max: 30_000 }).chain((length) =>
    fc.constantFrom(
      member('title', 'x'.repeat(length)),
      xml(inUser(`<title>${'x'.repeat(length)}</title>`)),
      member(
        'roles',
        Array.from({ length }, (_, i) => `r${i}`),
      ),
    ),
  ),
  'a wrong charset': fc.oneof(
    latin.map((text) => ({
      type: 'application/xml; charset=us-ascii',
      body: utf8(inUser(`<title>${text}</title>`)),
    })),
    latin.map((text) => ({
      type: 'application/json; charset=utf-16',
      body: utf8(JSON.stringify({ userName: text })),
    })),
    word.map((text) => ({ type: `application/xml; charset=x-${text}`, body: utf8(inUser('')) })),
  ),
  'deep nesting': depth.chain((levels) =>
    fc.constantFrom(
      json('['.repeat(levels)),
      json(`{"a":`.repeat(levels)),
      json(`{"userName":"hostile","name":${'['.repeat(levels)}${']'.repeat(levels)}}`),
      xml(inUser('<a>'.repeat(levels) + '</a>'.repeat(levels))),
    ),
  ),
  'a DOCTYPE': doctypes.map(xml),
  'entity bombs': bombs.map(xml),
  'keys of the prototype': fc
    .constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty')
    .chain((name) =>
      fc.constantFrom(
        json(`{"userName":"hostile","${name}":{"active":false}}`),
        json(`{"userName":"hostile","name":{"${name}":"x"}}`),
        json(`{"userName":"hostile","attributes":{"${name}":{"x":"y"}}}`),
        xml(inUser(`<${name}>x</${name}>`)),
      ),
    ),
  'bytes that are not UTF-8': fc
    .tuple(word, fc.constantFrom([0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88]), fc.boolean())
    .map(([text, bytes, asJson]) => ({
      type: asJson ? 'application/json' : 'application/xml',
      body: Buffer.concat(
        asJson
          ? [utf8(`{"userName":"${text}`), Buffer.from(bytes), utf8('"}')]
          : [utf8(`<user><userName>${text}`), Buffer.from(bytes), utf8('</userName></user>')],
      ),
    })),
};
