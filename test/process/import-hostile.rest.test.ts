import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { expect } from 'chai';
import { aDataFolder, discardProcesses } from '../support/process.ts';
import {
  endless,
  importing,
  itIsRefusedUnread,
  maxMemory,
  peakOf,
  readRefusal,
  repeat,
} from './hostile-imports.ts';

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

describe('An import of an unsuitable file', () => {
  afterEach(discardProcesses);

  it('as a million columns, is refused by the command in one line with the place', async () => {
    const folder = aDataFolder();
    writeFileSync(join(folder, 'a.csv'), `userName${',title'.repeat(1_000_000)}\na\n`);
    const { child, ended } = importing(folder, 'a.csv');
    child.stdin?.end();
    expect(readRefusal(await ended)).to.match(/row 1, cell A1: /);
  });

  it('of rows just below the limit keeps only a few of them in memory', async () => {
    const row = `{"userName":"","title":"${'secret'.repeat(40_000)}"}\n`;
    const { child, ended } = importing(aDataFolder(), '-', '--format', 'jsonl');
    await pipeline(
      Readable.from(Array.from({ length: 200 }, () => row)),
      child.stdin as NodeJS.WritableStream,
    );
    const { code, log, told } = await ended;
    expect([code, log]).to.deep.equal([2, ['0 created, 0 changed, 0 unchanged, 200 refused']]);
    expect(peakOf(told)).to.be.below(1.25 * maxMemory);
    expect(told.join()).not.to.contain('secret');
  });

  it('of ten million empty lines takes no more memory than one without them', async () => {
    const { child, ended } = importing(aDataFolder(), '-', '--format', 'jsonl');
    await pipeline(Readable.from(repeat('', '\n', 10)), child.stdin as NodeJS.WritableStream);
    const { code, told } = await ended;
    expect([code, peakOf(told) < maxMemory]).to.deep.equal([0, true]);
  });
});
