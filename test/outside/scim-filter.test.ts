import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { matches } from '../../src/adapters/apis/scim/filter/matches.ts';
import { anyFilter, filterableUser } from '../adapters/apis/scim/filter/any-filter.ts';
import { plainResource } from '../adapters/apis/scim/filter/plain-resource.ts';
import { parseFilter } from '../support/scim-users.ts';
import { differences } from './filter-differences.ts';
import { missing, outputOf } from './tools.ts';

const runs = 10_000;
/** Enough to meet each difference. */
const fewer = 2000;

function isInstalled(): boolean {
  try {
    accessSync(join(process.env.NODE_TOOLS ?? '', 'node_modules', 'scim2-parse-filter'));
    return true;
  } catch {
    return false;
  }
}

const anyCase = fc.record({ text: anyFilter, resource: filterableUser.map(plainResource) });
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

const all = differences.map((_, index) => index);

describe('A filter, compared to another implementation', () => {
  const program = fileURLToPath(new URL('scim-filter-process.ts', import.meta.url));
  let cases: readonly Case[] = [];
  let ours: readonly string[] = [];
  before(function () {
    if (!isInstalled()) missing(this, 'scim2-parse-filter');
    cases = fc.sample(anyCase, { numRuns: runs, seed: 76443422 });
    ours = cases.map(({ text, resource }) => String(matches(parseFilter(text), resource)));
  });

  async function others(asked: readonly Case[], mended: readonly number[]): Promise<readonly string[]> {
    const input = asked.map((one) => `${JSON.stringify({ ...one, mended })}\n`).join('');
    const { out, err } = await outputOf(process.execPath, [program], input);
    if (err !== '') throw new Error(err);
    return out.trimEnd().split('\n');
  }

  it('finds the same, except for the listed differences', async () => {
    const theirs = await others(cases, all);
    expect(theirs).to.have.length(runs);
    for (const [index, one] of cases.entries())
      expect(ours[index], JSON.stringify(one)).to.equal(theirs[index]);
    for (const outcome of ['true', 'false'])
      expect(ours.filter((one) => one === outcome).length, outcome).to.be.above(runs / 4);
  });

  for (const [index, { says, section }] of differences.entries()) {
    it(`differs because there ${says} (${section})`, async () => {
      const some = cases.slice(0, fewer);
      const theirs = await others(
        some,
        all.filter((other) => other !== index),
      );
      expect(theirs.filter((one, at) => one !== ours[at]).length).to.be.above(0);
    });
  }
});
