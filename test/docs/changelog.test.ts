import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { contractVersion } from '../../src/adapters/contracts/versions.ts';

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const releases = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}$/gm)].map(
  ([, one]) => one,
);

describe('CHANGELOG.md', () => {
  it('begins with the version of the program', () => {
    expect(releases[0]).to.equal(version);
  });

  it('names the version of the contract of its newest part, released or not', () => {
    const [newest = ''] = changelog.split(/^## \[/m).slice(1);
    expect(newest).to.include(`contract ${contractVersion.replace(/[.]0$/, '')}`);
  });

  it('names the version of the last row of the history in docs/compatibility.md', () => {
    const history = readFileSync('docs/compatibility.md', 'utf8').split('## History')[1] ?? '';
    expect([...history.matchAll(/^\| (\d+\.\d+) \|/gm)].at(-1)?.[1]).to.equal(
      contractVersion.replace(/[.]0$/, ''),
    );
  });

  it('has the major version that SECURITY.md supports', () => {
    const [, supported] =
      /^\| the latest minor version of (\d+) \| yes \|$/m.exec(readFileSync('SECURITY.md', 'utf8')) ?? [];
    expect(supported).to.equal(version.split('.')[0]);
  });

  it('has the version of a tag on this commit', () => {
    const tags = execFileSync('git', ['tag', '--points-at', 'HEAD'], { encoding: 'utf8' }).split('\n');
    for (const tag of tags.filter((one) => /^v\d/.test(one))) expect(tag).to.equal(`v${version}`);
  });
});
