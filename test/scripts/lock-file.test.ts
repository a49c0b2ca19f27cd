import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

describe('The lock file', () => {
  it('tells npm 10, which Node 20 and 22 bring, that no package needs a compiler', () => {
    const packages: [string, { gypfile?: false }][] = Object.entries(readJson('package-lock.json').packages);
    const withSources = packages.filter(([folder]) => existsSync(`${folder}/binding.gyp`));
    expect(withSources.map(([folder, { gypfile }]) => [folder, gypfile])).to.deep.equal([
      ['node_modules/better-sqlite3', false],
    ]);
  });
});
