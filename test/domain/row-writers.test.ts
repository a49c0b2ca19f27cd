import { expect } from 'chai';
import { RowWriters } from '../../src/domain/import/row-lookup.ts';

describe('The rows that wrote a key', () => {
  it('are remembered for thousands of rows, and forgotten before they fill the memory', () => {
    const writers = new RowWriters();
    for (let row = 1; row <= 100_000; row += 1)
      writers.add([`userName:user${row}`, `id:${row}`], `row ${row}`);
    expect(writers.find('userName:user100000')).to.equal('row 100000');
    expect(writers.find('id:96000')).to.equal('row 96000');
    expect(writers.find('userName:user80000')).to.equal(undefined);
  });
});
