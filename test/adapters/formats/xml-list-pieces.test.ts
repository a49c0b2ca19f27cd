/**
 * Plain items that lie whole in one piece of the text are read quickly, all others strictly. Neither that nor where the pieces
 * end may make a difference to what is told of a list.
 */
import fc from 'fast-check';
import { damaged } from '../../outside/damaged-xml.ts';
import { runs } from '../../support/runs.ts';
import { changed, sentList } from './sent-users.ts';
import { compareList } from './strict-xml.ts';
import { ours } from './xml-documents.ts';

const anySizes = fc.array(fc.integer({ min: 40, max: 3000 }), { minLength: 1, maxLength: 4 });
const bytesOf = (texts: fc.Arbitrary<string>): fc.Arbitrary<Buffer> => texts.map((text) => Buffer.from(text));

describe('A list in XML is read in pieces as strictly as whole', () => {
  const lists: Readonly<Record<string, [fc.Arbitrary<Uint8Array>, number]>> = {
    'in whatever way clients write it': [bytesOf(sentList), 400],
    'with changes to some of its items': [bytesOf(changed(sentList)), 1000],
    'with damage done to it': [damaged(bytesOf(sentList)), 1000],
  };
  for (const [how, [list, numRuns]] of Object.entries(lists)) {
    it(how, () => fc.assert(fc.asyncProperty(list, anySizes, compareList), { numRuns: runs(numRuns) }));
  }

  const plain = '<user><title>\u{1F600}</title></user>';
  const inList = (inside: string, attributes = ours) => `<users ${attributes}>${inside}</users>`;
  const odd: Readonly<Record<string, string>> = {
    'comments in and between items, with lines and an emoji before':
      `\u{1F600}${plain}\r\n\t${plain}<!-- a -->${plain}<user><!-- > --><title/></user>${plain}`.slice(2),
    'a mistake behind plain items on one line': `${plain}${plain}<user><a>\u{1F600}</a></user>${plain}<user>&b;</user>`,
    'a mistake behind plain items on several': `${plain}\n${plain}\r\n <user><title>x</titel></user>`,
    'CDATA in some': `${plain}<user><title><![CDATA[</user>]]></title></user>${plain}<user><![CDATA[ ]]></user>`,
    'text beside': `${plain}${plain}x${plain}`,
    'another element beside': `${plain}<users/>${plain}`,
    'empty items': `<user/><user></user><user />${plain}<user/>`,
    'an end tag with a space': `<user><title>a</title ></user >${plain}`,
    'namespaces of their own': `${plain}<user ${ours}><title>a</title></user><u:user xmlns:u="urn:user-management:1"/>${plain}`,
    'members of another namespace': `${plain}<user><title xmlns="">a</title></user>${plain}`,
    'a list within': `${plain}<user>${plain}</user>`,
    'the end of another list': `${plain}</users><users>${plain}`,
  };
  for (const [what, inside] of Object.entries(odd)) {
    it(`with ${what}`, async () => {
      await compareList(Buffer.from(inList(inside)), [7, 30]);
      await compareList(Buffer.from(inList(inside, '')), [50]);
    });
  }

  const roots: Readonly<Record<string, string>> = {
    'a prefix for ours and none for the rest':
      '<u:users xmlns:u="urn:user-management:1"><u:user><u:title>a</u:title></u:user><user/></u:users>',
    'a prefix, and the default namespace beside':
      '<u:users xmlns:u="urn:user-management:1" xmlns="urn:b"><u:user><title>a</title></u:user></u:users>',
    'the default namespace, and items with a prefix': `<users ${ours} xmlns:u="urn:user-management:1"><u:user><u:title>a</u:title></u:user>${plain}</users>`,
    'two prefixes for XML Schema instances': `<users xmlns:a="http://www.w3.org/2001/XMLSchema-instance" xmlns:b="http://www.w3.org/2001/XMLSchema-instance"><user><title a:nil="true"/></user><user><title b:nil="true"/></user><user><title a:nil="true" b:nil="true"/></user></users>`,
    'text in front, with a > in it': 'a="b"?>c<users/>',
    'no declaration of the prefix that says nil': `<users ${ours}><user><title xsi:nil="true"/></user></users>`,
    'a start tag with line ends and a > in it': `<users\r\n total="2"\n xmlns:a=">"\n>${plain}\r${plain}</users\n>\n`,
  };
  for (const [what, list] of Object.entries(roots)) {
    it(`with ${what}`, () => compareList(Buffer.from(list), [20]));
  }
});
