import { expect } from 'chai';
import fc from 'fast-check';
import Type from 'typebox';
import { xmlFile } from '../../../src/adapters/formats/file-formats.ts';
import { type Parsed, runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { UnreadableError } from '../../../src/adapters/formats/text/positions.ts';
import { xml } from '../../../src/adapters/formats/xml/xml.ts';
import { listsOf, readList, refusedList } from '../../contract/format-lists.ts';
import { countOf, runs } from '../../support/runs.ts';
import { anyDocument } from './arbitrary-documents.ts';
import { ours } from './xml-documents.ts';

const lists = listsOf(xml);

const inList = (inside: string, attributes = ours) => `<users ${attributes}>${inside}</users>`;
const titles = async (list: string | Uint8Array, charset?: string) => {
  const { items, error } = await readList(lists, list, [1], charset);
  expect(error).to.equal(undefined);
  return items.map(({ value, violations }) => {
    expect(violations).to.deep.equal([]);
    return (value as { title?: string }).title;
  });
};
const user = (title: string) => `<user><title>${title}</title></user>`;

/** Of the names that arbitrary documents have, half with elements inside and half with text. */
const tree = (levels: number) => {
  const names = [
    'a',
    'user',
    'role',
    'constructor',
    'toString',
    '__proto__',
    'prototype',
    'é',
    'a.b-c',
    '_',
    'element',
  ];
  const members = names.map((name, index): [string, Type.TSchema] => [
    name,
    Type.Optional(index % 2 === 0 && levels > 0 ? tree(levels - 1) : Type.String()),
  ]);
  return Type.Object(Object.fromEntries(members));
};

describe('A list in XML', () => {
  it('is read item by item with the same result as single documents, whatever XML they contain', async () => {
    const ofRoots = [tree(3), { one: 'root', many: 'roots', namespace: 'urn:roots' }] as const;
    const [document, roots] = [xml.codec(...ofRoots), xmlFile.codec(...ofRoots)];
    const readable = anyDocument.map((text) => text.replace(/^<\?xml .*?\?>/, ''));
    const alone = (text: string): Parsed | undefined => {
      try {
        return runToEnd(document.read(Buffer.from(text)));
      } catch (error) {
        if (error instanceof UnreadableError) return undefined;
        throw error;
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(readable, { maxLength: 3 }),
        fc.integer({ min: 1, max: 50 }),
        async (texts, size) => {
          const expected = texts.map(alone);
          const { items, error } = await readList(roots, `<roots>${texts.join('')}</roots>`, [size]);
          const firstBad = expected.indexOf(undefined);
          expect(error === undefined, error?.message).to.equal(firstBad < 0);
          const good = firstBad < 0 ? expected : expected.slice(0, firstBad);
          const values = items.slice(0, good.length).map(({ value, violations }) => ({ value, violations }));
          expect(values).to.deep.equal(good);
        },
      ),
      { numRuns: runs(1000) },
    );
    expect(countOf(readable, 200, (text) => alone(text) !== undefined)).to.be.above(100);
  });

  it('may have comments, instructions and white space around its items, whose positions do not include them', async () => {
    const list = `<?xml version="1.0"?>\n<!-- a --><?b c?>\n<users>\n <!-- <user/> -->${user('a')}<?b?>${user('b')}\r\n${user('c')} </users><!-- d -->\n`;
    expect(await titles(list)).to.deep.equal(['a', 'b', 'c']);
    const { items } = await readList(lists, list);
    const [first = '', second = ''] = (list.split('\n')[3] ?? '').split(user('a'));
    expect(items.map(({ position }) => position)).to.deep.equal([
      { line: 4, column: first.length + 1 },
      { line: 4, column: first.length + user('a').length + second.indexOf('<user>') + 1 },
      { line: 5, column: 1 },
    ]);
  });

  it('may have instructions whose content begins with a question mark, wherever a piece of the text ends', async () => {
    const odd = '<?b \r\n?c\r\n??>';
    const list = `${odd}<users>${user('a')}${odd}<user>${odd}<title>b</title></user>${user('c')}<?d ??></users>${odd}`;
    for (let size = 1; size <= list.length; size++) {
      const { items, error } = await readList(lists, list, [size]);
      expect(error, `${size}`).to.equal(undefined);
      expect(items.length, `${size}`).to.equal(3);
    }
  });

  it('may be empty, with one tag or two', async () => {
    for (const list of [`<users ${ours}/>`, '<users/>', inList(''), inList(' \n')])
      expect(await titles(list)).to.deep.equal([]);
  });

  it('may have a total in the syntax of XML Schema, and an item may not', async () => {
    for (const total of ['0', '1234', ' +007\n'])
      expect(await titles(inList(user('a'), `${ours} total="${total}"`)), total).to.deep.equal(['a']);
    const { items } = await readList(lists, inList('<user total="1"/>'));
    expect(items[0]?.violations).to.deep.equal([
      { pointer: '', detail: 'has an attribute that is not known here, total' },
    ]);
  });

  it('may have any prefix for its namespace, or no namespace', async () => {
    expect(await titles(inList(user('a'), ''))).to.deep.equal(['a']);
    const prefixed =
      '<u:users xmlns:u="urn:user-management:1"><u:user><u:title>a</u:title></u:user></u:users>';
    expect(await titles(prefixed)).to.deep.equal(['a']);
    const each = inList(`<v:user xmlns:v="urn:user-management:1"><v:title>a</v:title></v:user>${user('b')}`);
    expect(await titles(each)).to.deep.equal(['a', 'b']);
  });

  it('may name the location of its schema', async () => {
    const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"';
    expect(await titles(inList(user('a'), `${ours} ${xsi}`))).to.deep.equal(['a']);
  });

  it('has the same mistakes in items as in single documents', async () => {
    const list = inList(
      '<user><title/><title/></user><user><__proto__>a</__proto__></user><user a="b">c</user>',
    );
    const { items } = await readList(lists, list, [1]);
    expect(items.map(({ violations }) => violations)).to.deep.equal([
      [{ pointer: '/title', detail: 'occurs more than once' }],
      [{ pointer: '/__proto__', detail: 'is not known here' }],
      [
        { pointer: '', detail: 'has an attribute that is not known here, a' },
        { pointer: '', detail: 'must have elements inside, such as <id>, not text' },
      ],
    ]);
  });

  const all = 'é\u20AC\u{1F600}';
  const little = (text: string) => Buffer.from(text, 'utf16le');
  const big = (text: string) => little(text).swap16();
  const declared = (encoding: string, text: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>${inList(text)}`;
  const encoded: Readonly<Record<string, [bytes: Buffer, title: string, charset?: string]>> = {
    'UTF-8 when nothing says otherwise': [Buffer.from(inList(user(all))), all],
    'UTF-8 by its mark': [Buffer.from(`\uFEFF${inList(user(all))}`), all],
    'UTF-16, little-endian, by its mark': [little(`\uFEFF${inList(user(all))}`), all],
    'UTF-16, big-endian, by its mark': [big(`\uFEFF${declared('UTF-16', user(all))}`), all],
    'UTF-16, little-endian, by its first character': [little(inList(user(all))), all],
    'UTF-16 by the charset': [big(inList(user(all))), all, 'utf-16be'],
    'ISO-8859-1 by the declaration': [Buffer.from(declared('ISO-8859-1', user('é')), 'latin1'), 'é'],
    'windows-1252 by the declaration': [
      Buffer.from(declared('windows-1252', user('\x80')), 'latin1'),
      '\u20AC',
    ],
    'US-ASCII by the charset': [Buffer.from(inList(user('e'))), 'e', 'us-ascii'],
  };
  for (const [what, [bytes, title, charset]] of Object.entries(encoded)) {
    it(`is read byte by byte in ${what}`, async () => {
      expect(await titles(bytes, charset)).to.deep.equal([title]);
    });
  }

  it('is refused with the place of the first byte that is not in its encoding', async () => {
    const before = `${inList('').slice(0, -8)}\n${user('a')}\n<user><title>é`;
    const column = before.length - before.lastIndexOf('\n');
    const isCutOff = /^the text ends within a character of/;
    const bad: [bytes: Buffer, charset?: string | undefined, at?: number, told?: RegExp][] = [
      [
        Buffer.concat([Buffer.from(before), Buffer.from([0xe9, 0x3c])]),
        ...([undefined, column, /^the bytes are not UTF-8, and nothing names another encoding: /] as const),
      ],
      [Buffer.concat([Buffer.from(before), Buffer.from([0xe2, 0x82])]), undefined, column, isCutOff],
      [Buffer.concat([big(`\uFEFF${before}`), Buffer.from([0xd8])]), undefined, column, isCutOff],
      [Buffer.concat([little(`\uFEFF${before}`), Buffer.from([0x00, 0xdc, 0x3c, 0x00])])],
      [Buffer.concat([Buffer.from(before, 'latin1'), Buffer.from([0x81])]), 'windows-1252'],
      [Buffer.from(before, 'latin1'), 'us-ascii', column - 1],
    ];
    for (const [bytes, charset, at = column, told = /the bytes are not in the encoding they claim/] of bad) {
      for (const size of [1, 1000]) {
        const { items, error } = await readList(lists, bytes, [size], charset);
        expect(items).to.have.length(1);
        expect(error?.message).to.match(told);
        expect(error?.position).to.deep.equal({ line: 3, column: at });
      }
    }
  });

  const levels = (count: number) => '<a>'.repeat(count) + '</a>'.repeat(count);
  const refused: Readonly<
    Record<string, [list: string, message: RegExp, line: number, column: number, items?: number]>
  > = {
    'a DOCTYPE': [`<!DOCTYPE users>\n${inList('')}`, /a DOCTYPE is not read here/, 1, 17],
    'a DOCTYPE with entities': [
      '<!DOCTYPE users [<!ENTITY a "b">]><users/>',
      /a DOCTYPE is not read here/,
      1,
      35,
    ],
    'XML 1.1': [`<?xml version="1.1"?>${inList('')}`, /only XML 1.0/, 1, 22],
    'an encoding that there is not': [
      '<?xml version="1.0" encoding="utf-7"?><users/>',
      /is not supported/,
      1,
      1,
    ],
    'a second mark': [`\uFEFF\uFEFF${inList('')}`, /text data outside/, 1, 1],
    'another root': ['<people/>', /a list is <users>, in the namespace/, 1, 10],
    'another namespace': ['\n<users xmlns="urn:b"/>', /a list is <users>, in the namespace/, 2, 23],
    'an attribute that is not known': [
      `<users count="1" ${ours}/>`,
      /has an attribute that is not known here/,
      1,
      49,
    ],
    'a total of another namespace': [
      `<users xmlns:a="urn:a" a:total="1"/>`,
      /has an attribute that is not known here/,
      1,
      37,
    ],
    'a total that is no whole number': ['<users total="-1"/>', /total must be a whole number/, 1, 20],
    'a total that is empty': ['<users total=""/>', /total must be a whole number/, 1, 18],
    'a total twice': ['<users total="1" total="1"/>', /duplicate attribute/, 1, 29],
    'no value where there is a list': [
      `<users xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>`,
      /has an attribute that is not known here/,
      1,
      78,
    ],
    'another element beside': [
      '<users><user/>\n <total>1</total></users>',
      /nothing but <user> inside/,
      2,
      2,
      1,
    ],
    'a list within': ['<users><users><user/></users></users>', /nothing but <user> inside/, 1, 8],
    'an item of another namespace': [
      '<users><user xmlns="urn:user-management:1"/></users>',
      /nothing but <user> inside/,
      1,
      8,
    ],
    'text beside': ['<users><user/>x</users>', /must have elements inside, not text/, 1, 15, 1],
    'text by reference beside': ['<users>&#160;<user/></users>', /must have elements inside, not text/, 1, 8],
    'CDATA beside': ['<users><![CDATA[x]]></users>', /must have elements inside, not text/, 1, 8],
    'two lists': ['<users><user/></users>\n<users/>', /documents may contain only one root/, 2, 8, 1],
    'text behind': ['<users/>x', /text data outside of root node/, 1, 10],
    'an instruction with a question mark in its name': ['<users><?a?b?></users>', /question mark/, 1, 15],
    'an entity that is not declared': [
      '<users><user/><user>&a;</user></users>',
      /undefined entity/,
      1,
      24,
      1,
    ],
    'a prefix that is not declared': ['<users><a:user/></users>', /unbound namespace prefix/, 1, 17],
    'tags that cross': ['<users><user><title></user></title></users>', /unexpected close tag/, 1, 28],
    'an item that the end tag of another element ends': [
      '<users><user/><user><title>a</title></title></users>',
      /unexpected close tag/,
      1,
      45,
      1,
    ],
    'an item that the end tag of the list ends': [
      '<users><user><title/></users>',
      /unexpected close tag/,
      1,
      30,
    ],
    'nesting that is too deep': [
      `<users><user/>\n<user>${levels(32)}</user></users>`,
      /deeper than 32/,
      2,
      103,
      1,
    ],
    'nesting that is far too deep': [`<users>${'<user>'.repeat(50_000)}`, /deeper than 32/, 1, 206],
    'an item of too many elements': [
      `<users><user/><user>${'<a/>'.repeat(5000)}</user></users>`,
      /more than 4096/,
      1,
      16_405,
      1,
    ],
    'the end within an item': ['<users><user/>\n<user>', /unclosed tag/, 2, 7, 1],
    'the end behind the items': ['<users><user/>', /unclosed tag/, 1, 15, 1],
    'the end within a comment': ['<users/><!-- ', /unexpected end/, 1, 14],
    'nothing but a declaration': ['<?xml version="1.0"?>', /must contain a root element/, 1, 22],
  };
  for (const [what, [list, message, line, column, count = 0]] of Object.entries(refused)) {
    it(`is refused with its place: ${what}`, async () => {
      for (const sizes of [[1], [2, 3], [100_000]]) {
        const { items, error } = await readList(lists, list, sizes);
        expect(error?.message).to.match(message);
        expect(error?.position).to.deep.equal({ line, column });
        expect(items).to.have.length(count);
      }
    });
  }

  it('has positions in UTF-16 code units, as in other formats', async () => {
    for (const sizes of [[1], [1000]]) {
      const { items, error } = await readList(
        lists,
        '<users><user><title>\u{1F600}</title></user><user/>x</users>',
        sizes,
      );
      expect(items.map(({ position }) => position.column)).to.deep.equal([8, 38]);
      expect(error?.position).to.deep.equal({ line: 1, column: 45 });
    }
  });

  it('may have items that nest as deeply as a document', async () => {
    const { items, error } = await readList(lists, `<users><user>${levels(31)}</user></users>`);
    expect(error).to.equal(undefined);
    expect(items).to.have.length(1);
  });

  it('is refused if the text between two items has no end', async () => {
    for (const [begin, more] of [
      ['<users>', ' '],
      ['<users><user/><!--', 'x'],
      ['<users><user/><?x ', 'x'],
      ['<users a="', 'x'],
      ['<!DOCTYPE users [', ' '],
      ['<users><user>', '<!---->'],
    ] as const) {
      const { message } = await refusedList(lists, begin + more.repeat(300_000), [65_536]);
      expect(message).to.match(/has more than 262144 characters/);
    }
  });
});
