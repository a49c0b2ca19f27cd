import { expect } from 'chai';
import { SaxesParser } from 'saxes';
import { formats } from '../../../src/adapters/formats/index.ts';
import type { Format } from '../../../src/adapters/formats/port/format.ts';
import { makeXml } from '../../../src/adapters/formats/xml/codec.ts';
import { interpretPrinter } from '../../../src/adapters/formats/xml/print.ts';
import { createXml } from '../../../src/adapters/formats/xml/xml.ts';
import { formatContract } from '../../contract/format.ts';

/** How each is read by someone who knows nothing of us. A new format needs its own line here. */
const usersIn: Readonly<Record<string, (list: string) => number>> = {
  json: (list) => (JSON.parse(list) as { users: unknown[] }).users.length,
  xml: (list) => {
    let [depth, users] = [0, 0];
    const parser = new SaxesParser({ xmlns: true });
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ local, uri }) => {
      depth += 1;
      if (depth === 2 && local === 'user' && uri === 'urn:user-management:1') users += 1;
    });
    parser.on('closetag', () => {
      depth -= 1;
    });
    parser.write(list).close();
    return users;
  },
};

describe('The formats', () => {
  it('have different names and media types', () => {
    const types = formats.flatMap(({ mediaTypes, patchTypes }) => [
      ...mediaTypes.map(({ type }) => type),
      ...patchTypes,
    ]);
    expect(new Set(types).size).to.equal(types.length);
    expect(new Set(formats.map(({ name }) => name)).size).to.equal(formats.length);
  });
});

const suiteOf = (format: Format) => () =>
  formatContract(format, (list) => usersIn[format.name]?.(list) ?? expect.fail('no reader to judge it by'));

for (const format of formats) describe(`The format ${format.name}`, suiteOf(format));

describe('The format xml without its speed-ups', suiteOf(createXml(false)));

describe(
  'The format xml in a page, which may not compile code',
  suiteOf(makeXml({ isQuick: true, printerOf: interpretPrinter })),
);
