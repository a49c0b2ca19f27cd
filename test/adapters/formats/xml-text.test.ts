import { expect } from 'chai';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { codec, inUser, ours, read, valueIn } from './xml-documents.ts';

describe('Text in XML', () => {
  const texts: Readonly<Record<string, [string, string]>> = {
    'a number that begins with zeros': ['0042', '0042'],
    'a hexadecimal number': ['0x1F', '0x1F'],
    'a decimal fraction': ['1.0', '1.0'],
    'a telephone number': ['+4420', '+4420'],
    'the word true': ['true', 'true'],
    'spaces around': ['  a  ', '  a  '],
    'nothing but white space': [' \t\n ', ' \t\n '],
    'line ends of every kind': ['a\r\nb\rc\nd', 'a\nb\nc\nd'],
    'a carriage return as a reference': ['a&#13;&#xD;\nb', 'a\r\r\nb'],
    'the predefined entities': ['&lt;&gt;&amp;&apos;&quot;', '<>&\'"'],
    'references by number': ['&#65;&#x42;&#x1F600;&#0067;', 'AB\u{1F600}C'],
    'a reference that was escaped': ['&amp;#65;', '&#65;'],
    'an entity that was escaped': ['&amp;lt;', '&lt;'],
    'an entity that was escaped twice': ['&amp;amp;lt;', '&amp;lt;'],
    'CDATA with a reference inside': ['<![CDATA[&amp;<b>&#65;]]>', '&amp;<b>&#65;'],
    'CDATA beside text': ['a <![CDATA[<]]> b&amp;<![CDATA[&]]>', 'a < b&&'],
    'two CDATA sections that hold the end of one': ['<![CDATA[]]]]><![CDATA[>]]>', ']]>'],
    'a comment within': ['a<!-- b -->c', 'ac'],
    'a processing instruction within': ['a<?b it\'s "c?>d', 'ad'],
    'characters beyond the basic plane': ['\u{1F600}\u{10FFFD}', '\u{1F600}\u{10FFFD}'],
    'marks that other formats know': ['{"a":1}\\u0041%41', '{"a":1}\\u0041%41'],
  };
  for (const [what, [written, meant]] of Object.entries(texts)) {
    it(`is read correctly with ${what}`, () => {
      expect(valueIn(`<title>${written}</title>`)).to.deep.equal({ title: meant });
    });
  }

  it('keeps line ends, spaces and quotes also in the name of an entry', () => {
    const { value } = read(
      inUser('<attributes><attribute name="&#65;&amp;amp;&#10;">x</attribute></attributes>'),
    );
    expect(value).to.deep.equal({ attributes: { 'A&amp;\n': 'x' } });
  });
});

describe('Booleans in XML', () => {
  const forms = { true: true, false: false, '1': true, '0': false, ' true ': true, '\n0\t': false };
  for (const [text, meant] of Object.entries(forms)) {
    it(`may be written as ${JSON.stringify(text)}`, () => {
      expect(valueIn(`<active>${text}</active>`)).to.deep.equal({ active: meant });
    });
  }
  it('stay texts in any other form, which validation refuses', () => {
    for (const text of ['yes', 'TRUE', 'tr ue', '01'])
      expect(valueIn(`<active>${text}</active>`)).to.deep.equal({ active: text });
  });
});

describe('A user printed in XML', () => {
  it('keeps characters that a reader would take for markup or change', () => {
    const user = { id: 'i', title: '<&>\r\n\t"\']]>', attributes: { a: '\r' } } as unknown as User;
    expect(codec.print(user)).to.equal(
      `<?xml version="1.0" encoding="UTF-8"?><user ${ours}><id>i</id>` +
        '<title>&lt;&amp;&gt;&#13;\n\t"\']]&gt;</title>' +
        '<attributes><attribute name="a">&#13;</attribute></attributes></user>',
    );
  });
});
