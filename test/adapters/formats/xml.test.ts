import { expect } from 'chai';
import { UnreadableError } from '../../../src/adapters/formats/format.ts';
import { xml } from '../../../src/adapters/formats/xml.ts';
import { maxNodes } from '../../../src/adapters/formats/xml-gate.ts';
import { User } from '../../../src/domain/user.ts';
import { naming, unreadable } from '../../contract/format.ts';

const codec = xml.codec<User>(User, naming);
const read = (text: string) => codec.parse(Buffer.from(text, 'utf8'));
const ours = 'xmlns="urn:user-management:1"';
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const inUser = (inside: string, attributes = ours) => `<user ${attributes}>${inside}</user>`;
/** What `inside` says of a user, where nothing is wrong with it. */
const valueIn = (inside: string, attributes = ours): unknown => {
  const { value, violations } = read(inUser(inside, attributes));
  expect(violations).to.deep.equal([]);
  return value;
};
const violationsOf = (text: string) => read(text).violations;
const unknownHere = 'is not known here';

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
    it(`is read right with ${what}`, () => {
      expect(valueIn(`<title>${written}</title>`)).to.deep.equal({ title: meant });
    });
  }

  it('has its line ends, spaces and marks also in the name of an attribute', () => {
    const { value } = read(
      inUser('<attributes><attribute name="&#65;&amp;amp;&#10;">x</attribute></attributes>'),
    );
    expect(value).to.deep.equal({ attributes: { 'A&amp;\n': 'x' } });
  });
});

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
    'an entity that nobody declared': inUser('<title>&foo;</title>'),
    'an entity of HTML': inUser('<title>&copy;</title>'),
    'an entity named as a member of the prototype': inUser('<title>&constructor;</title>'),
    'a < in an attribute': '<user a="<"/>',
    'the end of CDATA outside of it': inUser('<title>]]></title>'),
    'two hyphens in a comment': inUser('<!-- a -- b -->'),
    'a prefix that nobody declared': '<p:user/>',
    'an attribute with a prefix that nobody declared': '<user p:a="1"/>',
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

  it('is refused with the line and the column at which reading stopped', () => {
    const { position } = unreadable(() => read('<user>\r\n  <title>\u{1F600} &a; x</title>\n</user>'));
    expect(position).to.deep.include({ line: 2 });
    expect(position?.column).to.be.within(13, 16);
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

  it('is refused without repeating what was sent', () => {
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

describe('The namespace of a user in XML', () => {
  const title = { title: 'x' };
  it('may be the default one', () => {
    expect(valueIn('<title>x</title>')).to.deep.equal(title);
  });
  it('may be left out', () => {
    expect(valueIn('<title>x</title>', '')).to.deep.equal(title);
  });
  it('may have any prefix, also more than one', () => {
    const text =
      '<p:user xmlns:p="urn:user-management:1"><q:title xmlns:q="urn:user-management:1">x</q:title></p:user>';
    expect(read(text)).to.deep.equal({ value: title, violations: [] });
  });
  it('may have a prefix called as a member of the prototype', () => {
    for (const prefix of ['constructor', '__proto__', 'toString']) {
      const text = `<${prefix}:user xmlns:${prefix}="urn:user-management:1"><${prefix}:title>x</${prefix}:title></${prefix}:user>`;
      expect(read(text)).to.deep.equal({ value: title, violations: [] });
    }
  });
  it('may not be another', () => {
    expect(violationsOf('<user xmlns="urn:other"><title>x</title></user>')).to.deep.equal([
      { pointer: '', detail: 'must be <user>, in the namespace urn:user-management:1 or in none' },
    ]);
  });
  it('may not be another for a member, nor none beside ours', () => {
    for (const other of ['urn:other', ''])
      expect(violationsOf(inUser(`<title xmlns="${other}">x</title>`))).to.deep.equal([
        { pointer: '/title', detail: unknownHere },
      ]);
  });
  it('may not be ours for a member of a user that has none', () => {
    expect(violationsOf(`<user><title ${ours}>x</title></user>`)).to.deep.equal([
      { pointer: '/title', detail: unknownHere },
    ]);
  });
});

describe('Attributes in XML', () => {
  it('of XML Schema are ignored', () => {
    const attributes = `${ours} ${xsi} xsi:schemaLocation="a b" xsi:type="user"`;
    expect(valueIn('<title xsi:type="string">x</title>', attributes)).to.deep.equal({ title: 'x' });
  });
  it('say with xsi:nil that there is no value, in every form of a boolean', () => {
    for (const nil of ['true', '1', ' true '])
      expect(valueIn(`<title xsi:nil="${nil}"/>`, `${ours} ${xsi}`)).to.deep.equal({ title: null });
    for (const nil of ['false', '0', 'no'])
      expect(valueIn(`<title xsi:nil="${nil}">x</title>`, `${ours} ${xsi}`)).to.deep.equal({ title: 'x' });
  });
  it('say nothing with a nil of another namespace', () => {
    expect(violationsOf(inUser('<title nil="true">x</title>'))).to.deep.equal([
      { pointer: '/title', detail: 'has an attribute that is not known here' },
    ]);
  });
  it('of any other kind are told of, where they stand', () => {
    const text = inUser(
      '<title name="a">x</title><emails type="b"><email c="d"><value>a@b</value></email></emails>',
    );
    expect(violationsOf(text).map(({ pointer }) => pointer)).to.deep.equal([
      '/title',
      '/emails',
      '/emails/0',
    ]);
    expect(violationsOf(`<user ${ours} version="2"/>`).map(({ pointer }) => pointer)).to.deep.equal(['']);
  });
  it('may be called as a member of the prototype', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect(violationsOf(`<user ${name}="x"/>`)).to.have.lengthOf(1);
  });
});

describe('Booleans in XML', () => {
  const forms = { true: true, false: false, '1': true, '0': false, ' true ': true, '\n0\t': false };
  for (const [text, meant] of Object.entries(forms)) {
    it(`may be written ${JSON.stringify(text)}`, () => {
      expect(valueIn(`<active>${text}</active>`)).to.deep.equal({ active: meant });
    });
  }
  it('stay text in any other form, for the rules to refuse', () => {
    for (const text of ['yes', 'TRUE', 'tr ue', '01'])
      expect(valueIn(`<active>${text}</active>`)).to.deep.equal({ active: text });
  });
});

describe('Elements in XML', () => {
  it('that are empty say nothing, with one tag or two', () => {
    expect(valueIn('<title/><nickName></nickName><locale />')).to.deep.equal({
      title: '',
      nickName: '',
      locale: '',
    });
    expect(valueIn('<title/><displayName>x</displayName>')).to.deep.equal({ title: '', displayName: 'x' });
  });
  it('may come in any order', () => {
    expect(valueIn('<title>a</title><id>b</id>')).to.deep.equal({ title: 'a', id: 'b' });
  });
  it('that are called as members of the prototype are told of as unknown', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']) {
      expect(violationsOf(inUser(`<${name}>x</${name}>`))).to.deep.equal([
        { pointer: `/${name}`, detail: unknownHere },
      ]);
      expect(violationsOf(inUser(`<name><${name}/></name>`))).to.deep.equal([
        { pointer: `/name/${name}`, detail: unknownHere },
      ]);
    }
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });
  it('that stand twice are told of', () => {
    const text = inUser('<title>a</title><title>b</title><name><givenName/><givenName/></name>');
    expect(violationsOf(text)).to.deep.equal([
      { pointer: '/title', detail: 'stands more than once' },
      { pointer: '/name/givenName', detail: 'stands more than once' },
    ]);
  });
  it('have no text between them', () => {
    const detail = 'must have elements inside, not text';
    expect(violationsOf(inUser('x<title>a</title>'))).to.deep.equal([{ pointer: '', detail }]);
    expect(violationsOf(inUser('<roles>x</roles>'))).to.deep.equal([{ pointer: '/roles', detail }]);
    expect(violationsOf(inUser('<attributes>&#160;</attributes>'))).to.deep.equal([
      { pointer: '/attributes', detail },
    ]);
  });
  it('do not stand inside text', () => {
    expect(violationsOf(inUser('<title>a<b>c</b></title>'))).to.deep.equal([
      { pointer: '/title', detail: 'must be text, without elements inside' },
    ]);
  });
  it('have a root called user', () => {
    for (const root of ['users', 'User', 'constructor', '__proto__'])
      expect(violationsOf(`<${root} ${ours}/>`).map(({ pointer }) => pointer)).to.deep.equal(['']);
  });
  it('of a list all have its name', () => {
    const text = inUser('<roles><role>a</role><title>b</title><role>c</role></roles>');
    expect(read(text)).to.deep.equal({
      value: { roles: ['a', 'c'] },
      violations: [{ pointer: '/roles/1', detail: 'must be <role>' }],
    });
  });
  it('of a list make one also if there is but one', () => {
    expect(valueIn('<roles><role>a</role></roles>')).to.deep.equal({ roles: ['a'] });
  });
  it('of the attributes need a name, and each another', () => {
    const pair = (name: string) => `<attribute name="${name}">x</attribute>`;
    const text = inUser(
      `<attributes><attribute>x</attribute>${pair('a')}${pair('b')}${pair('a')}</attributes>`,
    );
    expect(read(text)).to.deep.equal({
      value: { attributes: { a: 'x', b: 'x' } },
      violations: [
        { pointer: '/attributes', detail: 'must hold <attribute name="…">' },
        { pointer: '/attributes/a', detail: 'stands more than once' },
      ],
    });
  });
  it('of the attributes may be named as members of the prototype', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];
    const pairs = names.map((name) => `<attribute name="${name}">x</attribute>`).join('');
    const { attributes } = valueIn(`<attributes>${pairs}</attributes>`) as { attributes: object };
    expect(Object.entries(attributes)).to.deep.equal(names.map((name) => [name, 'x']));
  });
  it('of what cannot be set are read whatever they hold', () => {
    const meta = '<meta a="b"><created/><created/><other>x</other>y</meta>';
    expect(violationsOf(inUser(`${meta}<title>x</title>`))).to.deep.equal([]);
  });
});

describe('A document that is large', () => {
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
    it(`and ${what} is refused, saying so`, () => {
      expect(unreadable(() => read(text)).message).to.equal(message);
    });
  }
  it('is read to its end, however it is made, as long as it is well-formed', () => {
    expect(valueIn(filled('<title>', () => '&amp;', '</title>')))
      .to.have.property('title')
      .of.length.above(50_000);
    expect(violationsOf(filled('<user>', () => '\r\n<!---->', '</user>'))).to.deep.equal([]);
    // As it was, the time that this took grew with the square of the spaces, to most of a minute.
    const spaces = ' '.repeat(size);
    expect(valueIn(`<active>x${spaces}x</active>`)).to.deep.equal({ active: `x${spaces}x` });
  });
  it('may have as many elements as the limit says, of which only so many mistakes are told', () => {
    const { violations } = read(`<user>${'<a/>'.repeat(maxNodes - 1)}</user>`);
    expect(violations).to.have.lengthOf(64);
    expect(() => read(`<user>${'<a/>'.repeat(maxNodes)}</user>`)).to.throw(UnreadableError);
  });
  it('may nest 32 levels', () => {
    expect(violationsOf('<user>'.repeat(32) + '</user>'.repeat(32))).to.have.lengthOf(1);
  });
});

describe('A user printed in XML', () => {
  it('keeps what a reader would take for something else', () => {
    const user = { id: 'i', title: '<&>\r\n\t"\']]>', attributes: { a: '\r' } } as unknown as User;
    expect(codec.print(user)).to.equal(
      `<?xml version="1.0" encoding="UTF-8"?><user ${ours}><id>i</id>` +
        '<title>&lt;&amp;&gt;&#13;\n\t"\']]&gt;</title>' +
        '<attributes><attribute name="a">&#13;</attribute></attributes></user>',
    );
  });
});
