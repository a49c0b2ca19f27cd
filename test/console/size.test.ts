import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { program } from '../support/process.ts';

/** In bytes, compressed: all of the console together, and what only import and export load. */
const maxSize = { all: 95 * 1024, files: 130 * 1024 };
const isOfFiles = /^(?:browser-files|import-page|export-dialog)-/;

const built = join(program, '..', 'console');
const files: string[] = JSON.parse(readFileSync(join(built, 'files.json'), 'utf8')).all;

describe('The served console', () => {
  it('takes at most 95 KB in all, compressed, apart from what only import and export load', () => {
    const read = (name: string) => readFileSync(join(built, name));
    const usual = new Set(files.filter((name) => !name.endsWith('.js')));
    const reach = (name: string): void => {
      if (usual.has(name) || isOfFiles.test(name)) return;
      usual.add(name);
      for (const [, other = ''] of String(read(name)).matchAll(/"[.]\/([\w-]+[.]js)"/g)) reach(other);
    };
    reach(files.find((name) => /^main-.*[.]js$/.test(name)) ?? '');
    const sizeOf = (some: readonly string[]) =>
      some.reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
    expect(sizeOf([...usual])).to.be.within(30 * 1024, maxSize.all);
    expect(sizeOf(files.filter((name) => !usual.has(name)))).to.be.within(1, maxSize.files);
  });
});
