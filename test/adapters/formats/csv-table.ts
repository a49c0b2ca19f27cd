/** What the tests of tables share. */

import { expect } from 'chai';
import { csv } from '../../../src/adapters/formats/csv/csv.ts';
import { readFile } from '../../contract/file-format.ts';
import { userCodec } from '../../support/kinds.ts';

export const codec = userCodec(csv);

/** Of rows that are all well. */
export async function valuesOf(
  file: string | Buffer,
  options: Parameters<typeof readFile>[2] = {},
): Promise<unknown[]> {
  const { rows, error } = await readFile(codec, file, options);
  expect(error).to.equal(undefined);
  expect(rows.flatMap(({ violations }) => violations)).to.deep.equal([]);
  return rows.map(({ value }) => value);
}
