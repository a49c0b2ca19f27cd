import { expect } from 'chai';
import { csv } from '../../../src/adapters/formats/csv/csv.ts';
import { describeMistake } from '../../../src/adapters/formats/port/mistakes.ts';
import { readFile } from '../../contract/file-format.ts';
import { userCodec } from '../../support/kinds.ts';

const codec = userCodec(csv);

describe('A table whose first line names the delimiter, as Excel expects', () => {
  for (const [named, delimiter] of [
    ['sep=;', ';'],
    ['sep=,', ','],
    ['SEP=\t', '\t'],
    ['"sep=;"', ';'],
  ] as const)
    it(`is read with this delimiter: ${JSON.stringify(named)}`, async () => {
      const header = ['userName', '"title"'].join(delimiter);
      for (const sizes of [[1], [1000]])
        for (const end of ['\r\n', '\n', '\r']) {
          const file = `\uFEFF${[named, header, `a${delimiter}"b${delimiter}b"`, `,;${delimiter}`, ''].join(end)}`;
          const { rows, error } = await readFile(codec, file, { sizes });
          expect(error).to.equal(undefined);
          const [first, second] = rows;
          expect([
            first?.value,
            first?.position,
            first && describeMistake(first, { pointer: '/title', detail: 'x' }),
          ]).to.deep.equal([
            { userName: 'a', title: `b${delimiter}b` },
            { line: 2, column: 1 },
            'row 2, cell B2 "title": x',
          ]);
          expect(second?.position).to.deep.equal({ line: 3, column: 1 });
        }
    });

  it('is read with exactly this delimiter, whatever the header looks like', async () => {
    const { error } = await readFile(codec, 'sep=;\r\nuserName,title\r\n');
    expect(error?.message).to.match(/^the first row must have the headings, and none of these is known/);
    expect(error?.position).to.deep.equal({ line: 1, column: 1 });
    const narrow = await readFile(codec, 'sep=;\ntitle\nx,y\n');
    expect(narrow.rows.map(({ value }) => value)).to.deep.equal([{ title: 'x,y' }]);
  });

  it('with a wrong header is refused with its place in the file', async () => {
    const { error } = await readFile(codec, 'sep=;\r\nuserName;shoeSize\r\na;44\r\n');
    expect(error?.message).to.match(/^there is no column "shoeSize":/);
    // Spreadsheets hide the line above the header, and don't count it.
    expect(error?.position).to.deep.equal({ line: 1, column: 2 });
  });

  for (const file of ['sep=|\nuserName|title\n', '"sep=;;"\nuserName;title\n', 'sep=\nuserName,title\n'])
    it(`is refused when it names an unsupported delimiter: ${JSON.stringify(file)}`, async () => {
      const { error } = await readFile(codec, file);
      expect([error?.message, error?.position]).to.deep.equal([
        'sep= must name a comma, a semicolon or a tab',
        { line: 1, column: 1 },
      ]);
    });

  it('is empty if it has nothing else, and may have no second line of that kind', async () => {
    expect((await readFile(codec, 'sep=;\r\n')).error?.message).to.equal('the file is empty');
    const { error } = await readFile(codec, 'sep=;\nsep=,\nuserName\n');
    expect(error?.message).to.match(/^the first row must have the headings, and none of these is known/);
  });

  it('keeps the line in its file of rejects, which can be read any number of times', async () => {
    const rows = ['a;b,c', 'a', 'a;"b\n";c', '"x;y";z'];
    const first = await readFile(codec, `sep=;\n${['userName;title', ...rows].join('\n')}\n`);
    let again = first;
    for (let times = 0; times < 2; times += 1) {
      const { open, row } = codec.rejectPrinter(again.header);
      expect(open).to.equal('sep=;\r\nuserName;title;$rejected\r\n');
      const text =
        open + again.rows.map((one) => row(one, [{ pointer: '', detail: 'x' }, ...one.violations])).join('');
      again = await readFile(codec, text);
      expect(again.error).to.equal(undefined);
      expect(again.rows.map(({ text, value }) => [text, value])).to.deep.equal(
        first.rows.map(({ text, value }) => [text, value]),
      );
    }
    expect(first.rows.map(({ text }) => text)).to.deep.equal(rows.map((row) => (row === 'a' ? 'a;' : row)));
  });
});
