/** Generated texts that are JSON, or nearly so. */
import fc from 'fast-check';

interface JsonText {
  readonly text: string;
  /** A name stands twice in one object. */
  readonly repeats: boolean;
}

const leaf = fc
  .oneof(
    fc.string(),
    fc.constantFrom('":', '\\', '"a":1', ':', ',', '[{'),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
  )
  .map((value): JsonText => ({ text: JSON.stringify(value), repeats: false }));
// Not '"' beside '\\': once V8 12 or later (Node 24 and 26) has made an object with a member '\\', its JSON.parse takes the name '"' for
// '\\'. No document has a member of either name.
const name = fc.constantFrom('a', 'b', ':', '"', '__proto__', '1');
/** Between tokens. */
const space = fc.constantFrom('', '', ' ', '\n', '\r\n', '\t ');

const listOf = (items: readonly JsonText[], between: string): JsonText => ({
  text: `[${items.map(({ text }) => text).join(`,${between}`)}${between}]`,
  repeats: items.some(({ repeats }) => repeats),
});

const objectOf = (members: readonly (readonly [string, JsonText])[], between: string): JsonText => ({
  text: `{${members.map(([key, { text }]) => `${JSON.stringify(key)}${between}:${text}`).join()}${between}}`,
  repeats:
    new Set(members.map(([key]) => key)).size < members.length || members.some(([, { repeats }]) => repeats),
});

export const { jsonText } = fc.letrec<{ jsonText: JsonText }>((tie) => ({
  jsonText: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.tuple(fc.array(tie('jsonText'), { maxLength: 4 }), space).map((parts) => listOf(...parts)),
    fc
      .tuple(fc.array(fc.tuple(name, tie('jsonText')), { maxLength: 4 }), space)
      .map((parts) => objectOf(...parts)),
  ),
}));

/** Documents of lists, such as lists of operations. */
export const listDocument: fc.Arbitrary<JsonText> = fc
  .tuple(
    fc.array(
      fc.tuple(
        name,
        fc.tuple(fc.array(jsonText, { maxLength: 5 }), space).map((parts) => listOf(...parts)),
      ),
      { maxLength: 3 },
    ),
    space,
  )
  .map((parts) => objectOf(...parts));

/** With a character more, less or another: most of them are JSON no more. */
export const brokenText: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(jsonText, listDocument),
    fc.nat(),
    fc.constantFrom(
      '',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      '0',
      '-',
      '.',
      'e',
      'n',
      ' ',
      '\u00A0',
      '\u0001',
      '/',
    ),
    fc.nat({ max: 2 }),
  )
  .map(([{ text }, at, put, left]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + left);
  });
