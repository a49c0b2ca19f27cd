import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { expect } from 'chai';
import { aDataFolder, discardProcesses } from '../support/process.ts';
import { endless, importing, itIsRefusedUnread, readRefusal, repeat } from './hostile-imports.ts';

describe('An import of a file that never ends', () => {
  afterEach(discardProcesses);

  for (const text of endless) itIsRefusedUnread(text);

  it('as a gzip bomb of half a gigabyte, is refused before it is unpacked', async () => {
    const folder = aDataFolder();
    await pipeline(
      Readable.from(repeat('{"userName":"', 'a', 512)),
      createGzip({ level: 1 }),
      createWriteStream(join(folder, 'bomb.jsonl.gz')),
    );
    const { child, ended } = importing(folder, 'bomb.jsonl.gz');
    child.stdin?.end();
    expect(readRefusal(await ended)).to.match(/bomb\.jsonl\.gz: line 1, column 1: /);
  });
});
