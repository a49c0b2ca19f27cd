import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const pages = readdirSync('docs', { recursive: true })
  .map((name) => `docs/${name}`)
  .filter((path) => path.endsWith('.md'));
const files = [...pages, 'README.md', 'CONTRIBUTING.md', 'test/process/recorded/help.txt'];

/** Without code, options and the name of the file that `--rejects` writes. */
const proseOf = (text: string): string =>
  text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/--[a-z-]+/g, '')
    .replace(/files? of rejects/g, '');

describe('Texts for people', () => {
  it('say refuse, not reject, about requests, rows, tokens and settings', () => {
    expect(pages.length).to.be.above(10);
    for (const path of files) expect(proseOf(readFileSync(path, 'utf8')), path).to.not.match(/.*reject.*/i);
  });
});
