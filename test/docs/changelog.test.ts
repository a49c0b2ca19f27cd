import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { contractVersion } from '../../src/adapters/apis/docs/contract-documents.ts';

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const releases = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)].map(
  ([, one]) => one,
);

describe('CHANGELOG.md', () => {
  it('begins with the version of the program', () => {
    expect(releases[0]).to.equal(version);
  });

  it('names the current version of the contract before any earlier one', () => {
    const [, first] = /contract (\d+[.]\d+)/.exec(changelog) ?? [];
    expect(first).to.equal(contractVersion.replace(/[.]0$/, ''));
  });

  it('has the version of a tag on this commit', () => {
    const tags = execFileSync('git', ['tag', '--points-at', 'HEAD'], { encoding: 'utf8' }).split('\n');
    for (const tag of tags.filter((one) => /^v\d/.test(one))) expect(tag).to.equal(`v${version}`);
  });
});
