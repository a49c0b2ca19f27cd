import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { pages, read } from './printed-commands.ts';

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]+`/g, (code) => code.replace(/[[\]()]/g, ' '));

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): string[] {
  const anchors: string[] = [];
  for (const [, heading = ''] of read(page)
    .replace(/^```[\s\S]*?^```$/gm, '')
    .matchAll(/^#+ (.+)$/gm)) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const before = anchors.filter((other) => other.replace(/-\d+$/, '') === anchor).length;
    anchors.push(before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}

/** The targets of a page's links, except those of other sites. */
const linksOf = (page: string): string[] =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** Files that name pages in comments and texts. */
const sources = ['config', 'ops', 'src', 'console/src', 'bench', 'scripts', 'test', '.ci'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => !file.includes('node_modules') && statSync(file).isFile()),
);

/** What the package has, as npm packs it. */
const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] };
const isPacked = (file: string): boolean =>
  /^(?:README\.md|LICENSE)$/.test(file) || files.includes(file.split('/')[0] ?? '');

describe('A link', () => {
  for (const page of pages)
    it(`leads to a file, and to a heading in it: ${page}`, () => {
      for (const link of linksOf(page)) {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? page : normalize(join(dirname(page), path));
        expect(existsSync(target), `${link} in ${page}`).to.equal(true);
        if (page.startsWith('docs/')) expect(isPacked(target), `${link} in ${page}, packed`).to.equal(true);
        if (anchor !== undefined) expect(anchorsOf(target), `${link} in ${page}`).to.include(anchor);
      }
    });

  it('in a source file leads to an existing page', () => {
    let count = 0;
    for (const file of sources)
      for (const [name] of readFileSync(file, 'latin1').matchAll(/\bdocs\/(?:[a-z-]+\/)*[a-z-]+\.md\b/g)) {
        expect(existsSync(name), `${name} in ${file}`).to.equal(true);
        count += 1;
      }
    expect(count).to.be.above(20);
  });
});
