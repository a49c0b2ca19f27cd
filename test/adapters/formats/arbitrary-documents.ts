/** XML documents of every making, for readers to agree on. */
import fc from 'fast-check';

const join = (parts: readonly string[]): string => parts.join('');
const pieces = (piece: fc.Arbitrary<string>, maxLength: number) => fc.array(piece, { maxLength }).map(join);

/** Three characters of text must not make `]]>`, which is the end of CDATA alone. */
const joinContent = (parts: readonly string[]): string =>
  parts.reduce((text, part) => `${text}${text.endsWith(']]') && part.startsWith('>') ? ' ' : ''}${part}`, '');

/** Anything that may stand between two marks, none of which it holds. */
const without = (...marks: readonly string[]) =>
  pieces(
    fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '<',
        '>',
        '/',
        '&',
        '&lt;',
        '\r',
        '\r\n',
        '\n',
        ' ',
        '--',
        ']]',
        ']',
        '?',
        '<!',
      ),
      fc.constantFrom(
        '<a>',
        '</a>',
        '<a/>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<?',
        '?>',
        '<!DOCTYPE a>',
        'é',
      ),
      fc.constantFrom('a', ' name="x"', '__proto__="a"', "constructor='b'", '\u{1F600}', '\uFEFF', '\t'),
    ),
    5,
  ).filter((text) => marks.every((mark) => !text.includes(mark)));

const space = fc.constantFrom(' ', '\n', '\r\n', '\t', '  ', '\r');
const maybeSpace = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, space);
const reference = fc.constantFrom(
  '&amp;',
  '&lt;',
  '&gt;',
  '&quot;',
  '&apos;',
  '&#65;',
  '&#x41;',
  '&#x000aA;',
  '&#13;',
  '&#10;',
  '&#128512;',
  '&#x1F600;',
  '&amp;#65;',
  '&amp;amp;lt;',
);
const characters = fc.constantFrom(
  'a',
  'é',
  '\u{1F600}',
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\r\r\n',
  '>',
  "'",
  '"',
  '/',
  ']',
  '007',
  '\u0085',
  '\u2028',
  '\uFEFF',
  '\u00A0',
  '#text',
  '__proto__',
);
const cdata = without(']]>')
  .filter((text) => !text.endsWith(']'))
  .map((text) => `<![CDATA[${text}]]>`);
const comment = without('--')
  .filter((text) => !text.endsWith('-'))
  .map((text) => `<!--${text}-->`);
const instruction = fc
  .tuple(fc.constantFrom('a', 'xml-stylesheet', 'constructor', '__proto__'), without('?>'))
  .map(([target, text]) => `<?${target} ${text}?>`)
  .filter((text) => text.indexOf('?>') === text.length - 2);
const aside = fc.oneof(comment, instruction);
const value = fc.oneof(reference, characters, cdata, aside);

const name = fc.constantFrom(
  'a',
  'user',
  'role',
  'constructor',
  'toString',
  'hasOwnProperty',
  '__proto__',
  'prototype',
  'é',
  'a.b-c',
  '_',
  'element',
  'xmlParser',
  '\uFEFFa',
  'a\uFEFF',
  'a\u1680b',
  '\u{10000}',
);
const prefix = fc.constantFrom('', '', '', 'p:', 'q:', 'constructor:', '__proto__:');
const qualified = fc.tuple(prefix, name).map(join);
const inQuotes = fc
  .tuple(fc.constantFrom('"', "'"), pieces(fc.oneof(reference, characters), 3))
  .map(([quote, text]) => quote + text.replaceAll(quote, '') + quote);

/** No two of one name, nor two that only their prefixes tell apart: `p` and `q` may mean the same. */
const attributes = fc
  .uniqueArray(
    fc.tuple(
      fc.oneof(fc.constantFrom('name', 'xml:lang'), qualified),
      inQuotes,
      maybeSpace,
      maybeSpace,
      space,
    ),
    {
      selector: ([attribute]) => attribute.split(':').at(-1),
      maxLength: 3,
    },
  )
  .map((all) =>
    join(all.map(([attribute, text, before, after, gap]) => `${gap}${attribute}${before}=${after}${text}`)),
  );
const binding = fc.constantFrom(
  '',
  '',
  ' xmlns="urn:a"',
  ' xmlns=""',
  ' xmlns:p="urn:b"',
  " xmlns:q='urn:a'",
  ' xmlns:__proto__="urn:c"',
);

const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(qualified, binding, attributes, maybeSpace, maybeSpace, fc.boolean(), tie('content'))
    .map(([tag, bound, own, gap, last, empty, content]) =>
      empty ? `<${tag}${bound}${own}${gap}/>` : `<${tag}${bound}${own}${gap}>${content}</${tag}${last}>`,
    ),
  content: fc
    .array(fc.oneof({ depthSize: 'small' }, { weight: 2, arbitrary: value }, tie('element')), {
      maxLength: 6,
    })
    .map(joinContent),
}));

const bound = 'xmlns:p="urn:p" xmlns:q="urn:a" xmlns:constructor="urn:c" xmlns:__proto__="urn:d"';
const beside = pieces(fc.oneof(aside, space), 2);
const declaration = fc.constantFrom(
  '',
  '<?xml version="1.0"?>',
  "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>",
);
/** Well-formed, and otherwise of whatever leads readers astray. */
export const anyDocument = fc
  .tuple(
    declaration,
    beside,
    fc.array(fc.oneof(value, element, element), { maxLength: 8 }).map(joinContent),
    beside,
  )
  .map(([first, before, inside, after]) => `${first}${before}<root ${bound}>${inside}</root>${after}`);
