import { expect } from 'chai';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { csv } from '../../src/adapters/formats/csv/csv.ts';
import { printFile, readFile } from '../contract/file-format.ts';
import { userCodec } from '../support/kinds.ts';
import { runs } from '../support/runs.ts';
import { tidyText } from '../support/tidy-users.ts';
import { anyUser } from '../support/users.ts';
import { neededInPython, outputOf } from './tools.ts';

const codec = userCodec(csv);

/** Reads a table from its input, and prints it as JSON. */
const inPython = `
import csv, io, json, sys
text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8-sig', newline='')
csv.field_size_limit(1 << 24)
json.dump(list(csv.reader(text, strict=True)), sys.stdout)
`;

describe('A table', () => {
  it("has the same cells for Python's reader as for ours", async function () {
    neededInPython(this, 'csv');
    const users = fc.sample(anyUser(), { numRuns: 300, seed: 17 });
    const { out, err } = await outputOf('python3', ['-c', inPython], printFile(codec, users));
    expect(err).to.equal('');
    const [header = [], ...rows] = JSON.parse(out) as string[][];
    expect(rows).to.have.length(users.length);
    const titles = rows.map((row) => row[header.indexOf('title')]);
    expect(titles).to.deep.equal(users.map(({ title = '' }) => title));
    // Printed by somebody else, everything in quotes, from what Python read.
    const again = await readFile(codec, stringify([header, ...rows], { quoted: true, quoted_empty: true }));
    const ours = await readFile(codec, printFile(codec, users));
    expect(again.error).to.equal(undefined);
    expect(again.rows.map(({ value }) => value)).to.deep.equal(ours.rows.map(({ value }) => value));
  });

  it('is read the same with every delimiter, line end and quoting of other programs', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\r', '\n', 'a', ' '), maxLength: 6 }),
    );
    const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (cells, delimiter, end, quoted, size) => {
          const header = ['title', 'nickName', 'attributes.x'];
          const options = { delimiter, record_delimiter: end, quoted, quote_record_delimiter: true };
          const read = await readFile(codec, stringify([header, ...cells], options), { sizes: [size] });
          expect(read.error).to.equal(undefined);
          const values = cells
            .map((row) => row.map(tidyText))
            .filter((row) => row.some((one) => one !== ''))
            .map(([title, nickName, x]) => ({
              ...(title && { title }),
              ...(nickName && { nickName }),
              ...(x && { attributes: { x } }),
            }));
          expect(read.rows.map(({ value }) => value)).to.deep.equal(values);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
