import { expect } from 'chai';
import fc from 'fast-check';
import { runToEnd } from '../../../src/adapters/formats/port/format.ts';
import { UnreadableError } from '../../../src/adapters/formats/text/positions.ts';
import { ItemTexts } from '../../../src/adapters/formats/xml/list/list.ts';
import { ListParser } from '../../../src/adapters/formats/xml/list/list-parser.ts';
import { readTree } from '../../../src/adapters/formats/xml/strict/tree.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { naming } from '../../contract/format.ts';
import { listsOf, readList } from '../../contract/format-lists.ts';
import { countOf, runs } from '../../support/runs.ts';

const lists = listsOf({ name: 'xml' });

/** Half a character, where saxes takes whatever comes next for the other half. */
const surrogates = ['\uD800', '\uDBFF', '\uDC00', '\uDFFF', '\u{1F600}'];
const marks = ['<', '>', '/', '!', '-', '--', '<!--', '-->', '<![CDATA[', ']]>', '<?a', '?', '?>', '"', "'"];
const others = [
  'a',
  ' ',
  '\r',
  '\n',
  '&',
  ';',
  '&amp;',
  '<a>',
  '</a>',
  '<a/>',
  '<user>',
  '</user>',
  ' b="',
  '=',
  '\uFEFF',
];
const anyText = fc
  .array(fc.constantFrom(...surrogates, ...marks, ...others), { maxLength: 24 })
  .map((parts) => parts.join(''));
const inRoot = (text: string): string => `<users>${text}</users>`;
/** Where a text is cut, also between the halves of a character. */
const anySizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

function* cut(text: string, sizes: readonly number[]): Generator<string> {
  for (let at = 0, next = 0; at < text.length; next += 1) {
    const size = sizes[next % sizes.length] ?? 1;
    const isPair = (text.codePointAt(at + size - 1) ?? 0) > 0xffff;
    const end = at + size + Number(isPair);
    yield text.slice(at, end);
    at = end;
  }
}

/** @returns whether it was read; any error but the client's is thrown */
function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof UnreadableError) return false;
    throw error;
  }
}

describe('Any text that is read as XML', () => {
  it('is read to the end as a document, and refused if it has half a character', () => {
    const documents = fc.tuple(anyText, fc.boolean()).map(([text, isBare]) => (isBare ? text : inRoot(text)));
    const isDone = (document: string) => isRead(() => runToEnd(readTree(document)));
    fc.assert(
      fc.property(documents, (document) => {
        const done = isDone(document);
        if (!document.isWellFormed()) expect(done).to.equal(false);
      }),
      { numRuns: runs(20_000) },
    );
    expect(countOf(documents, 500, isDone)).to.be.above(25);
  });

  it('is refused with the place of half a character', () => {
    const document = '<users>\n<!--\uD800--> <![CDATA[ --></users>';
    expect(() => runToEnd(readTree(document)))
      .to.throw(UnreadableError, 'disallowed character')
      .with.deep.property('position', { line: 2, column: 5 });
  });

  it('is read to the end as a list in any pieces, and the text of each item is that of a user', () => {
    fc.assert(
      fc.property(anyText, anySizes, (text, sizes) => {
        const list = inRoot(`<user/>${text}`);
        const texts = new ItemTexts(1000);
        let startTag = '';
        const parser = new ListParser(User, naming, 1000, texts, (at, end) => {
          startTag = texts.cut(at, end);
        });
        isRead(() => {
          for (const piece of cut(list, sizes)) {
            texts.add(piece);
            parser.read(piece);
            for (const item of parser.takeItems()) {
              expect(texts.toRow(item).text).to.equal(list.slice(item.at, item.end));
              expect(list.slice(item.at, item.end)).to.match(/^<user\b.*>$/s);
            }
          }
          parser.end();
        });
        expect(['', '<users>']).to.include(startTag);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('is read to the end as bytes of UTF-16, in any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anySizes, async (text, sizes) => {
        const list = inRoot(`<user/>${text}`);
        const { error } = await readList(lists, Buffer.from(`\uFEFF${list}`, 'utf16le'), sizes);
        if (!list.isWellFormed()) expect(error).to.be.instanceOf(UnreadableError);
      }),
      { numRuns: runs(2000) },
    );
  });
});
