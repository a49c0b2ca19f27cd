import { expect } from 'chai';
import Type from 'typebox';
import { maxDepth, maxNodes, runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { UnreadableError } from '../../../src/adapters/formats/text/positions.ts';
import { xml } from '../../../src/adapters/formats/xml/xml.ts';
import { naming, unreadable } from '../../contract/format.ts';
import { inUser, read, valueIn, violationsOf } from './xml-documents.ts';

describe('A document that is not well-formed XML', () => {
  const documents: Readonly<Record<string, string>> = {
    'a reference to the character 0': inUser('<title>&#0;</title>'),
    'a reference to a surrogate': inUser('<title>&#xD800;</title>'),
    'a reference to a control character': inUser('<title>&#x1F;</title>'),
    'a reference to what is no character': inUser('<title>&#xFFFE;</title>'),
    'a reference beyond Unicode': inUser('<title>&#x110000;</title>'),
    'a reference without an end': inUser('<title>&#65</title>'),
    'a reference to nothing': inUser('<title>&;</title>'),
    'tags that do not match': inUser('<title>x</w>'),
    'tags that cross': inUser('<a><b></a></b>'),
    'two roots': '<user/><user/>',
    'an element that is not closed': '<user><title>x</title>',
    'a tag that is not closed': '<user',
    'text after the root': '<user/>x',
    'text before the root': 'x<user/>',
    'the same attribute twice': '<user a="1" a="2"/>',
    'the same attribute under two prefixes': '<user xmlns:p="u" xmlns:q="u" p:a="1" q:a="2"/>',
    'an attribute without quotes': '<user a=1/>',
    'an attribute without a value': '<user a/>',
    'a bare ampersand': inUser('<title>a & b</title>'),
    'a raw control character': inUser('<title>\u0001</title>'),
    'a raw character that XML has not': inUser('<title>\uFFFF</title>'),
    'an entity that is not declared': inUser('<title>&foo;</title>'),
    'an entity of HTML': inUser('<title>&copy;</title>'),
    'an entity named as a member of the prototype': inUser('<title>&constructor;</title>'),
    'a < in an attribute': '<user a="<"/>',
    'the end of CDATA outside of it': inUser('<title>]]></title>'),
    'two hyphens in a comment': inUser('<!-- a -- b -->'),
    'a prefix that is not declared': '<p:user/>',
    'an attribute with a prefix that is not declared': '<user p:a="1"/>',
    'a prefix that is taken back': '<user xmlns:p="u"><a xmlns:p=""/></user>',
    'a name with two colons': '<user xmlns:a="u"><a:b:c/></user>',
    'a space before the name': '< user/>',
    'a declaration that is not at the beginning': ' <?xml version="1.0"?><user/>',
    'a processing instruction called XML': '<user/><?XML ?>',
    'XML 1.1': '<?xml version="1.1"?><user/>',
    'XML 9.9': '<?xml version="9.9"?><user/>',
    'CDATA without an end': '<user><![CDATA[x</user>',
    'a comment without an end': '<user><!-- x</user>',
    JSON: '{"userName":"x"}',
  };
  for (const [what, text] of Object.entries(documents)) {
    it(`is refused with its place: ${what}`, () => {
      const { message, position } = unreadable(() => read(text));
      expect(message).not.to.equal('');
      expect(position?.line).to.equal(1);
      expect(position?.column).to.be.within(1, text.length + 1);
    });
  }

  it('is refused with the line and column where reading stopped', () => {
    const { position } = unreadable(() => read('<user>\r\n  <title>\u{1F600} &a; x</title>\n</user>'));
    expect(position).to.deep.include({ line: 2 });
    expect(position?.column).to.be.within(13, 16);
  });

  it('is refused with a column in UTF-16 code units, as in JSON', () => {
    for (const [text, column] of [
      ['<user><title>\u{1F600}\u{1F600}</title>&a;', 29],
      ['<user><!-- \u{1F600} -->', 18],
    ] as const)
      expect(unreadable(() => read(text)).position).to.deep.equal({ line: 1, column });
  });

  it('is refused with a reason', () => {
    const reasons = {
      '<user>]]></user>': 'the string "]]>" is disallowed in char data',
      '<user></title>': 'unexpected close tag',
      '<user a="" a=""/>': 'duplicate attribute',
      '<a:user/>': 'unbound namespace prefix',
      '<user>': 'unclosed tag',
      '\uFEFF\uFEFF<user/>': 'text data outside of root node',
    };
    for (const [text, reason] of Object.entries(reasons))
      expect(unreadable(() => read(text)).message).to.equal(reason);
  });

  it('is refused with a message that quotes nothing of it', () => {
    for (const text of [
      '<user></SECRET>',
      '<SECRET:user/>',
      '<user SECRET:a=""/>',
      '<SECRET>',
      '<a:SECRET:b/>',
    ])
      expect(unreadable(() => read(text)).message).not.to.include('SECRET');
  });
});

describe('A DOCTYPE', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join(
    '',
  );
  const doctypes: Readonly<Record<string, string>> = {
    'on its own': '<!DOCTYPE user><user/>',
    'with an entity': '<!DOCTYPE user [<!ENTITY a "b">]><user><title>&a;</title></user>',
    'with entities that multiply': `<!DOCTYPE user [<!ENTITY e0 "lol">${lines}]><user><title>&e20;</title></user>`,
    'with a file to fetch':
      '<!DOCTYPE user [<!ENTITY a SYSTEM "file:///etc/passwd">]><user><title>&a;</title></user>',
    'with a URL to fetch': '<!DOCTYPE user SYSTEM "http://localhost/a.dtd"><user/>',
    'with parameter entities': '<!DOCTYPE user [<!ENTITY % a SYSTEM "http://localhost/a.dtd"> %a;]><user/>',
    'with an attribute by default': '<!DOCTYPE user [<!ATTLIST user name CDATA "x">]><user/>',
  };
  for (const [what, text] of Object.entries(doctypes)) {
    it(`is refused ${what}`, () => {
      expect(unreadable(() => read(text)).message).to.equal('a DOCTYPE is not read here');
    });
  }
});

describe('A large document', () => {
  const size = 256 * 1024;
  const filled = (before: string, unit: (index: number) => string, after: string) => {
    let text = before;
    for (let index = 0; text.length + 20 + after.length < size; index += 1) text += unit(index);
    return text + after;
  };
  const tooMany = `it has more than ${maxNodes} elements, attributes and CDATA sections`;
  const refusals: Readonly<Record<string, [string, string]>> = {
    'nested deeply': ['<a>'.repeat(size / 4), 'nesting is deeper than 32'],
    'made of attributes': [filled('<user ', (index) => `a${index}="" `, '/>'), tooMany],
    'made of namespaces': [filled('<user ', (index) => `xmlns:a${index}="u" `, '/>'), tooMany],
    'made of empty elements': [filled('<user>', () => '<a/>', '</user>'), tooMany],
    'made of CDATA': [filled('<user>', () => '<![CDATA[]]>', '</user>'), tooMany],
    'made of <': ['<'.repeat(size), 'disallowed character in tag name'],
    'made of references to nothing': [filled('<user>', () => '&a;', '</user>'), 'undefined entity'],
  };
  for (const [what, [text, message]] of Object.entries(refusals)) {
    it(`that is ${what} is refused, with a message that says so`, () => {
      expect(unreadable(() => read(text)).message).to.equal(message);
    });
  }
  it('is read to its end, whatever its content, if it is well-formed', () => {
    expect(valueIn(filled('<title>', () => '&amp;', '</title>')))
      .to.have.property('title')
      .of.length.above(50_000);
    expect(violationsOf(filled('<user>', () => '\r\n<!---->', '</user>'))).to.deep.equal([]);
    // As it was, the time that this took grew with the square of the spaces, to most of a minute.
    const spaces = ' '.repeat(size);
    expect(valueIn(`<active>x${spaces}x</active>`)).to.deep.equal({ active: `x${spaces}x` });
  });
  it('may have as many elements as the limit allows, and reports a limited number of mistakes', () => {
    const { violations } = read(`<user>${'<a/>'.repeat(maxNodes - 1)}</user>`);
    expect(violations).to.have.lengthOf(64);
    expect(() => read(`<user>${'<a/>'.repeat(maxNodes)}</user>`)).to.throw(UnreadableError);
  });
  it('may nest 32 levels', () => {
    expect(violationsOf('<user>'.repeat(32) + '</user>'.repeat(32))).to.have.lengthOf(1);
  });
  it('cannot nest deeper by its schema: the service does not start with such a schema', () => {
    const nested = (levels: number): Type.TObject =>
      Type.Object({ a: Type.Optional(levels > 2 ? nested(levels - 1) : Type.String()) });
    const text = (levels: number) => `<user>${'<a>'.repeat(levels - 1)}${'</a>'.repeat(levels - 1)}</user>`;
    const { violations } = runToEnd(xml.codec(nested(maxDepth), naming).read(Buffer.from(text(maxDepth))));
    expect(violations).to.deep.equal([]);
    expect(() => xml.codec(nested(maxDepth + 1), naming)).to.throw('nests deeper than 32 levels');
  });
});
