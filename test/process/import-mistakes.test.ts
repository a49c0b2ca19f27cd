import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { aUser } from '../support/a-user.ts';
import { aDataFolder, discardProcesses } from '../support/process.ts';
import { runHere } from './called.ts';
import { fill, usersIn } from './directories.ts';
import { mistakes, printLine } from './mistaken-users.ts';

const count = 200;

interface Reason {
  readonly line: number;
  readonly column: number;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

/** Who would be right. */
const rightUser = (at: number) => ({ userName: `user${at}` });

const kindOf = (at: number) => mistakes[at % mistakes.length] as (typeof mistakes)[number];

/** Cells that are wrong, by their column, and the column that is wrong, if it is another. */
const wrongCells: readonly (readonly [column: string, cell: string, wanted?: string])[] = [
  ['userName', ''],
  ['userName', 'a b'],
  ['userName', 'TAKEN'],
  ['id', 'no-uuid'],
  ['active', 'vielleicht'],
  ['displayName', 'x'.repeat(257)],
  ['emails.0.value', 'nobody'],
  ['emails.0.value', 'max@firma,de'],
  ['emails.0.primary', 'maybe'],
  ['emails.0.type', 'work', 'emails.0.value'],
  ['roles', 'a|a'],
  ['attributes.costCenter', 'x'.repeat(1025)],
  ['timezone', 'mars and beyond'],
];
/** The first one is in a cell that every user has: a row without cells is skipped. */
const columns = ['title', ...new Set(wrongCells.map(([column]) => column))];

describe(`A file of ${count} invalid users`, () => {
  afterEach(discardProcesses);

  it(`with ${mistakes.length} kinds of mistakes has each reported with its place, and is imported completely once the file of rejects is corrected`, async () => {
    const folder = aDataFolder();
    await fill(folder, [aUser({ userName: 'taken' })]);
    const rows = Array.from({ length: count }, (_, at) => printLine(kindOf(at).make(rightUser(at))));
    writeFileSync(join(folder, 'users.jsonl'), rows.join('\n'));
    const { code, log, told } = await runHere(
      ['import', 'users.jsonl', '--rejects', 'rejects.jsonl'],
      folder,
    );
    expect([code, log]).to.deep.equal([2, [`0 created, 0 changed, 0 unchanged, ${count} refused`]]);
    for (const [at, line] of told.slice(0, -1).entries())
      if (kindOf(at).pointer !== '') expect(line).to.contain(`: ${kindOf(at).pointer}: `);

    const written = readFileSync(join(folder, 'rejects.jsonl'), 'utf8').split('\n');
    const mended: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const [reason = '', raw] = written.slice(2 * at);
      const { line, column, errors } = JSON.parse(reason).$rejected as Reason;
      expect([line, column, raw]).to.deep.equal([at + 1, 1, rows[at]]);
      const pointers = errors.map(({ pointer }) => pointer);
      expect(pointers, `${pointers} of ${raw?.slice(0, 200)}`).to.include(kindOf(at).pointer);
      mended.push(reason, JSON.stringify(rightUser(line - 1)));
    }
    writeFileSync(join(folder, 'rejects.jsonl'), mended.join('\n'));
    const again = await runHere(['import', 'rejects.jsonl'], folder);
    expect([again.code, again.log]).to.deep.equal([
      0,
      [`${count} created, 0 changed, 0 unchanged, 0 refused`],
    ]);
    expect(usersIn(folder)).to.have.length(count + 1);
  });

  it('as a table has each reported with its cell, and is imported completely once the file of rejects is corrected', async () => {
    const folder = aDataFolder();
    await fill(folder, [aUser({ userName: 'taken' })]);
    const wrong = (at: number) => wrongCells[at % wrongCells.length] as (typeof wrongCells)[number];
    const rows = Array.from({ length: count }, (_, at) => {
      const [column, cell] = wrong(at);
      return columns.map((name) =>
        name === column ? cell : name === 'userName' ? `user${at}` : name === 'title' ? 'Ms' : '',
      );
    });
    writeFileSync(join(folder, 'users.csv'), stringify([columns, ...rows], { delimiter: ';' }));
    const { code, log, told } = await runHere(['import', 'users.csv', '--rejects', 'rejects.csv'], folder);
    expect([code, log]).to.deep.equal([2, [`0 created, 0 changed, 0 unchanged, ${count} refused`]]);
    expect(told.find((line) => line.startsWith('row 7, '))).to.match(
      /^row 7, cell E7 "displayName": must have at most 256 characters/,
    );

    const [header, ...rejects] = parse(readFileSync(join(folder, 'rejects.csv'), 'utf8'), {
      delimiter: ';',
    }) as string[][];
    expect(header).to.deep.equal([...columns, '$rejected']);
    const mended = rejects.map((cells, at) => {
      const [column, , wanted = column] = wrong(at);
      expect(cells.slice(0, -1)).to.deep.equal(rows[at]);
      const cell = `cell [A-Z]${at + 2} "${wanted}"(?:, value \\d)?`;
      expect(cells.at(-1)).to.match(
        new RegExp(`(?:^|; )row ${at + 2}, ${cell}: (?:is required|must|a user)`),
      );
      const right = cells.map((cell, index) => (columns[index] === column ? '' : cell));
      right[columns.indexOf('userName')] = `user${at}`;
      return right;
    });
    writeFileSync(join(folder, 'rejects.csv'), stringify([header ?? [], ...mended], { delimiter: ';' }));
    const again = await runHere(['import', 'rejects.csv'], folder);
    expect([again.code, again.log]).to.deep.equal([
      0,
      [`${count} created, 0 changed, 0 unchanged, 0 refused`],
    ]);
    expect(usersIn(folder)).to.have.length(count + 1);
  });
});
