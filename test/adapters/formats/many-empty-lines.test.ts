import { expect } from 'chai';
import { csv } from '../../../src/adapters/formats/csv/csv.ts';
import { jsonl } from '../../../src/adapters/formats/json/jsonl.ts';
import { userCodec } from '../../support/kinds.ts';

const files = [
  { format: jsonl, head: '', row: '{"userName":"a"}', ends: ['\n', '\r\n', ' \t\n', '\r\r\n'] },
  { format: csv, head: 'userName\r\n', row: 'a', ends: ['\n', '\r\n', '\r'] },
] as const;

describe('A file full of empty lines', () => {
  for (const { format, head, row, ends } of files)
    for (const end of ends)
      it(`has the right positions of rows, wherever it is split: ${format.name} with ${JSON.stringify(end)}`, async () => {
        const count = 10_000;
        const text = Buffer.from(`${head}${end.repeat(count)}${row}${end}${end.repeat(count)}${row}${end}`);
        const firstLine = count + (head === '' ? 1 : 2);
        for (const size of [7, 64 * 1024]) {
          const chunks = async function* () {
            for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
          };
          const lines: number[] = [];
          const rows = userCodec(format).read(chunks(), { maxRowLength: 1000 });
          for await (const batch of rows) lines.push(...batch.map(({ position }) => position.line));
          expect(lines).to.deep.equal([firstLine, firstLine + count + 1]);
        }
      });
});
