/**
 * Whatever is read quickly must be what the strict reader would have made of it, to the character, without a violation: it
 * goes past the strict reader, and nobody looks at it again.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { maxNodes } from '../../../src/adapters/formats/port/format.ts';
import { maxQuickLength } from '../../../src/adapters/formats/xml/quick/reader.ts';
import { damaged } from '../../outside/damaged-xml.ts';
import { fullestUser } from '../../support/fullest-user.ts';
import { countOf, runs } from '../../support/runs.ts';
import { anyUser } from '../../support/users.ts';
import { changed, sentUser } from './sent-users.ts';
import { compareDocument, readQuickly } from './strict-xml.ts';
import { codec, inUser, ours } from './xml-documents.ts';

/** Which share of the texts is read quickly. */
function shareOfQuick(texts: fc.Arbitrary<string>, numRuns: number): number {
  fc.assert(
    fc.property(texts, (text) => void compareDocument(text)),
    { numRuns },
  );
  return countOf(texts, 200, compareDocument) / 200;
}

const instances = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

describe('The quick reader of XML', () => {
  it('reads every user that the service prints, also one with every member', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const text = codec.print(user);
        fc.pre(text.length <= maxQuickLength);
        expect(readQuickly(text)).to.deep.equal(user);
      }),
      { numRuns: runs(500) },
    );
    expect(readQuickly(codec.print(fullestUser()))).to.deep.equal(fullestUser());
  });

  it('reads users as the strict reader does, however clients write them', () => {
    expect(shareOfQuick(sentUser, runs(3000))).to.be.above(0.2);
  });

  it('reads altered users as the strict reader does, or leaves them to it', () => {
    expect(shareOfQuick(changed(sentUser), runs(5000))).to.be.within(0.05, 0.95);
  });

  it('reads damaged users as the strict reader does, or leaves them to it', () => {
    const bytes = damaged(sentUser.map((text) => Buffer.from(text)));
    expect(shareOfQuick(bytes.map(String), runs(5000))).to.be.within(0.01, 0.9);
  });

  const left: Readonly<Record<string, string>> = {
    'a namespace declared in other letters': `<user xmlnS:xsd="http://www.w3.org/2001/XMLSchema"/>`,
    'a prefix that XML keeps for itself': `<user xmlns:xmlfoo="http://www.w3.org/2001/XMLSchema"/>`,
    'the same namespace declared twice': `<user ${ours} ${ours}/>`,
    'a namespace taken back': '<user xmlns=""/>',
    'a namespace of another': '<user xmlns="urn:b"/>',
    'a prefix for another namespace': '<user xmlns:b="urn:b"/>',
    'a prefix that is not declared': '<u:user/>',
    'a namespace of its own within': inUser('<title xmlns="">a</title>'),
    'an attribute': inUser('<title lang="en">a</title>'),
    'a name on what has none': inUser('<title name="a">b</title>'),
    'a comment': inUser('<!-- a -->'),
    'an instruction': inUser('<?a b?>'),
    CDATA: inUser('<title><![CDATA[a]]></title>'),
    'the end of CDATA': inUser('<title>]]></title>'),
    'a DOCTYPE': '<!DOCTYPE user><user/>',
    'XML 1.1': '<?xml version="1.1"?><user/>',
    'a declaration behind a space': ' <?xml version="1.0"?><user/>',
    'a second mark of byte order': '\uFEFF<user/>',
    'an entity': inUser('<title>&a;</title>'),
    'an ampersand': inUser('<title>a & b</title>'),
    'a number that is no character': inUser('<title>&#0;</title>'),
    'a number that is half of one': inUser('<title>&#xD800;</title>'),
    'a number beyond all': inUser('<title>&#x110000;</title>'),
    'a control character': inUser('<title>\u0001</title>'),
    'what is no character': inUser('<title>\uFFFE</title>'),
    'a control character in an attribute': inUser(
      '<attributes><attribute name="\u0001">a</attribute></attributes>',
    ),
    'a < in an attribute': inUser('<attributes><attribute name="<">a</attribute></attributes>'),
    'an attribute that would be normalized': inUser(
      '<attributes><attribute name="a\tb">a</attribute></attributes>',
    ),
    'the same attribute twice': inUser('<attributes><attribute name="a" name="a">b</attribute></attributes>'),
    'no space between attributes': inUser(`<title xsi:nil="true"xsi:type="a"/>`, `${ours} ${instances}`),
    'text where nothing is': inUser(`<title xsi:nil="true">a</title>`, `${ours} ${instances}`),
    'a member twice': inUser('<title>a</title><title>b</title>'),
    'an attribute of the user twice': inUser(
      '<attributes><attribute name="a">b</attribute><attribute name="a">c</attribute></attributes>',
    ),
    'a member that is not known': inUser('<constructor/>'),
    'a member of the prototype': inUser('<__proto__/>'),
    'an attribute of the prototype': inUser(
      '<attributes><attribute name="__proto__">a</attribute></attributes>',
    ),
    'another item': inUser('<roles><title>a</title></roles>'),
    'text beside members': inUser('a<title>b</title>'),
    'elements in a text': inUser('<title>a<b/></title>'),
    'tags that cross': inUser('<name><givenName>a</name></givenName>'),
    'an end tag with a space': inUser('<title>a</title >'),
    'no end': `<user ${ours}><title>a</title>`,
    'two roots': '<user/><user/>',
    'text behind': '<user/>a',
    'a comment behind': '<user/><!-- a -->',
    'another root': '<users/>',
    'a root that says it has no value': `<user ${instances} xsi:nil="true"/>`,
    'more elements than there may be': inUser(`<roles>${'<role/>'.repeat(maxNodes)}</roles>`),
  };
  for (const [what, text] of Object.entries(left)) {
    it(`leaves to the strict reader: ${what}`, () => {
      expect(readQuickly(text)).to.equal(undefined);
    });
  }

  const title = { title: 'a' };
  const quick: Readonly<Record<string, [text: string, value: unknown]>> = {
    'no namespace': ['<user><title>a</title></user>', title],
    'a declaration and line ends': [
      `<?xml version='1.0' standalone="yes" ?>\r\n${inUser('\r\n\t<title>a</title>\r\n')}\n`,
      title,
    ],
    'what .NET declares': [
      `<user xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema" ${ours}><title>a</title></user>`,
      title,
    ],
    'where its schema is': [
      inUser('<title>a</title>', `${ours} ${instances} xsi:schemaLocation="a b"`),
      title,
    ],
    'a prefix': ['<u:user xmlns:u="urn:user-management:1"><u:title>a</u:title></u:user>', title],
    'nil, and types': [
      inUser(
        '<title xsi:nil="true" /><roles xsi:nil="true"></roles><nickName xsi:nil="false" xsi:type="a">b</nickName>',
        `${ours} ${instances}`,
      ),
      { title: null, roles: null, nickName: 'b' },
    ],
    'one tag where nothing is inside': [
      inUser('<title/><name /><roles/><attributes/>'),
      { title: '', name: {}, roles: [], attributes: {} },
    ],
    'attributes called as members of the prototype': [
      inUser(
        '<attributes><attribute name="constructor">a</attribute><attribute name=\'toString\'>b</attribute></attributes>',
      ),
      { attributes: { constructor: 'a', toString: 'b' } },
    ],
    'references and line ends': [
      inUser('<title>&#x1F600;&lt;\r\n&#13;\r</title>'),
      { title: '\u{1F600}<\n\r\n' },
    ],
  };
  for (const [what, [text, value]] of Object.entries(quick)) {
    it(`reads a document with ${what}`, () => {
      expect(readQuickly(text)).to.deep.equal(value);
      expect(compareDocument(text)).to.equal(true);
    });
  }
});
