import { expect } from 'chai';
import { runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { xml } from '../../../src/adapters/formats/xml/xml.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming, unreadable } from '../../contract/format.ts';

const codec = xml.codec<User>(User, naming);
const inUser = (title: string, encoding?: string) =>
  `${encoding === undefined ? '' : `<?xml version="1.0" encoding="${encoding}"?>`}<user><title>${title}</title></user>`;
const titleOf = (bytes: Buffer, charset?: string): unknown => {
  const { value, violations } = runToEnd(codec.read(bytes, charset));
  expect(violations).to.deep.equal([]);
  return (value as { title?: unknown }).title;
};

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => Buffer.from(text, 'utf16le').swap16();
const mark = '\uFEFF';
const all = 'é\u20AC\u{1F600}';

describe('The encoding of an XML document', () => {
  const read: Readonly<Record<string, [bytes: Buffer, title: string, charset?: string]>> = {
    'is UTF-8 when nothing says otherwise': [utf8(inUser(all)), all],
    'may be UTF-8 by the declaration': [utf8(inUser(all, 'utf-8')), all],
    'may be UTF-8 by its mark': [utf8(mark + inUser(all, 'UTF-8')), all],
    'may be UTF-16, little-endian, by its mark': [little(mark + inUser(all)), all],
    'may be UTF-16, big-endian, by its mark': [big(mark + inUser(all, 'UTF-16')), all],
    'may be UTF-16, little-endian, by its first character': [little(inUser(all, 'UTF-16')), all],
    'may be UTF-16, big-endian, by its first character': [big(inUser(all, 'UTF-16BE')), all],
    'may be UTF-16 by the charset': [little(inUser(all)), all, 'utf-16le'],
    'may be UTF-16 of either order by the charset': [little(inUser(all)), all, 'UTF-16'],
    'is UTF-16, big-endian, if neither charset nor text names the order': [
      big(`\n${inUser(all)}`),
      all,
      'utf-16',
    ],
    'may be ISO-8859-1 by the declaration': [latin1(inUser('é', 'ISO-8859-1')), 'é'],
    'may be ISO-8859-1 by a declaration in single quotes': [
      latin1(`<?xml version='1.0'  encoding = 'iso-8859-1' ?><user><title>é</title></user>`),
      'é',
    ],
    'may be ISO-8859-1 by a declaration with very much space': [
      utf8(`<?xml version="1.0"${' '.repeat(2000)}encoding="ISO-8859-1"?><user><title>é</title></user>`),
      'Ã©',
    ],
    'may be ISO-8859-1, which has control characters where windows-1252 has others': [
      latin1(inUser('\u0080', 'latin1')),
      '\u0080',
    ],
    'may be windows-1252 by the declaration': [
      latin1(inUser('\u0080\u0099é', 'windows-1252')),
      '\u20AC\u2122é',
    ],
    'may be windows-1252 by the charset': [latin1(inUser('\u0080')), '\u20AC', 'Windows-1252'],
    'may be US-ASCII': [latin1(inUser('e', 'US-ASCII')), 'e'],
    'is that of the charset if the declaration names another': [
      latin1(inUser('é', 'UTF-8')),
      'é',
      'iso-8859-1',
    ],
    'is what the mark says, also where charset and declaration say otherwise': [
      utf8(mark + inUser(all, 'iso-8859-1')),
      all,
      'us-ascii',
    ],
  };
  for (const [title, [bytes, text, charset]] of Object.entries(read)) {
    it(title, () => {
      expect(titleOf(bytes, charset)).to.equal(text);
    });
  }

  const wrong: Readonly<Record<string, [bytes: Buffer, charset?: string]>> = {
    'UTF-8 and are ISO-8859-1': [latin1(inUser('é', 'UTF-8'))],
    'UTF-8 by the charset and are windows-1252': [latin1(inUser('é')), 'utf-8'],
    'UTF-16 and have half a surrogate pair': [little(`${mark}${inUser('\uD800')}`)],
    'UTF-16 and are odd in number': [Buffer.concat([little(mark + inUser('e')), Buffer.from([0])])],
    'US-ASCII and are UTF-8': [utf8(inUser('é', 'us-ascii'))],
    'windows-1252 and have what it leaves out': [latin1(inUser('\u0081', 'windows-1252'))],
    'US-ASCII by the charset and are not': [utf8(inUser('é')), 'us-ascii'],
  };
  for (const [what, [bytes, charset]] of Object.entries(wrong)) {
    it(`is refused if the bytes claim to be ${what}`, () => {
      expect(unreadable(() => runToEnd(codec.read(bytes, charset))).message).to.match(
        /^the bytes are not in the encoding/,
      );
    });
  }

  for (const [what, bytes] of Object.entries({
    'ISO-8859-1': latin1(inUser('é')),
    'cut off within a character': utf8(inUser('é')).subarray(0, 14),
    'a surrogate': Buffer.concat([utf8('<user>'), Buffer.from([0xed, 0xa0, 0x80]), utf8('</user>')]),
    'more than a character needs': Buffer.concat([
      ...[utf8('<user>'), Buffer.from([0xc0, 0xbc]), utf8('</user>')],
    ]),
  }))
    it(`is asked for if nothing names it and the bytes are ${what}`, () => {
      expect(unreadable(() => runToEnd(codec.read(bytes))).message).to.match(
        /^the bytes are not UTF-8, and nothing names another encoding: send UTF-8, or name it in the XML decl/,
      );
    });

  it('is reported as a contradiction if the bytes are UTF-8 and claim to be UTF-16, in even and odd number', () => {
    const faultOf = (text: string, charset?: string) =>
      unreadable(() => runToEnd(codec.read(utf8(text), charset))).message;
    for (const text of ['abc', 'abcd']) {
      const said = (source: string, name: string) =>
        `${source} says ${name}, but the document is not in UTF-16: name the encoding in which it is sent, such as UTF-8`;
      for (const name of ['utf-16', 'UTF-16', 'utf-16le'])
        expect(faultOf(inUser(text, name))).to.equal(said('the XML declaration', name.toLowerCase()));
      expect(faultOf(inUser(text), 'utf-16be')).to.equal(said('the charset of Content-Type', 'utf-16be'));
    }
  });

  it('is refused if it is not supported, with a list of those that are', () => {
    for (const encoding of ['UTF-7', 'UTF-32', 'EBCDIC-CP-US', 'Shift_JIS', 'constructor', '__proto__', '']) {
      expect(unreadable(() => runToEnd(codec.read(utf8(inUser('x')), encoding))).message).to.equal(
        'the encoding is not supported: there are UTF-8, UTF-16, US-ASCII, ISO-8859-1 and windows-1252',
      );
    }
    expect(unreadable(() => runToEnd(codec.read(utf8(inUser('x', 'x-secret'))))).message).not.to.include(
      'secret',
    );
  });

  it('is UTF-8 in printed documents', () => {
    const text = codec.print({ title: all } as unknown as User);
    expect(text).to.match(/^<\?xml version="1.0" encoding="UTF-8"\?>/);
    expect(titleOf(utf8(text))).to.equal(all);
  });
});
