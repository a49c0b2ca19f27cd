import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { faultTests } from './fault-tests.ts';

/** The first cell of each row. */
const faults = readFileSync('docs/faults.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:you see|fault|---) /.test(line))
  .map((line) => line.split(/ ?(?<!\\)\| ?/)[1] ?? '');

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
  .map((file) => readFileSync(join('test', file), 'utf8'))
  .join('\n');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A title in the source of a test. In a template values are inserted, but at least a third of the title is literal. */
function titleOf(quote: string, source: string): (title: string) => boolean {
  const text = source.replace(/\\(['"`\\])/g, '$1');
  if (quote !== '`') return (title) => title === text;
  const parts = text.split(/\$\{[^}]*\}/);
  const pattern = new RegExp(`^${parts.map(escaped).join('.+')}$`);
  const literal = parts.join('').length;
  return (title) => literal * 3 >= title.length && pattern.test(title);
}

const written = [...tests.matchAll(/\bit\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
  ([, quote = '', source = '']) => titleOf(quote, source),
);

describe('The page of faults', () => {
  it('has a row for exactly the tested faults', () => {
    expect(faults.length).to.be.above(50);
    expect(faults).to.have.members(Object.keys(faultTests));
  });

  it('has a test for each of its rows, under its title', () => {
    for (const title of Object.values(faultTests)) {
      const isThere = written.some((isTitle) => isTitle(title));
      expect(isThere, `no test is called: ${title}`).to.equal(true);
    }
  });
});
