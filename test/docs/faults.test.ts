import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

/** What the page promises: a row each, its last cell a test's title. */
const rows = readFileSync('docs/faults.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:fault|-)/.test(line))
  .map((line) => line.split(/ ?(?<!\\)\| ?/).slice(1, -1));

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
  .map((file) => readFileSync(join('test', file), 'utf8'))
  .join('\n');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** As tests write their titles: what a template fills in may be anything. */
function patternOf(quote: string, source: string): RegExp {
  const text = source.replace(/\\(['"`\\])/g, '$1');
  const parts = quote === '`' ? text.split(/\$\{[^}]*\}/) : [text];
  return new RegExp(`^${parts.map(escaped).join('.+')}$`);
}

const titles = [...tests.matchAll(/\bit\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
  ([, quote = '', text = '']) => patternOf(quote, text),
);

describe('The page of faults', () => {
  it('has a test for each of its lines, under the title that it gives', () => {
    expect(rows.length).to.be.above(20);
    for (const cells of rows) {
      expect(cells.length, cells[0]).to.equal(4);
      const title = cells[3] ?? '';
      expect(
        titles.some((pattern) => pattern.test(title)),
        `no test is called: ${title}`,
      ).to.equal(true);
    }
  });
});
