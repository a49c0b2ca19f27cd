import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

/** @returns the package, as `npm run pack` makes it in the folder */
function pack(folder: string): Buffer {
  execFileSync('npm', ['run', '--silent', 'pack', '--', '--pack-destination', folder]);
  const [file = ''] = readdirSync(folder);
  const content = readFileSync(join(folder, file));
  rmSync(join(folder, file));
  return content;
}

describe('The package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'users-pack-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has the same bytes each time it is made from the same sources', () => {
    const first = pack(folder);
    expect(pack(folder).equals(first)).to.equal(true);
  });

  it('contains the licences and the bill of materials of its bundle, and the frozen contracts', () => {
    const names = execFileSync('tar', ['--list', '--gzip'], { input: pack(folder), encoding: 'utf8' });
    expect(names.split('\n')).to.include.members([
      'package/dist/licenses.txt',
      'package/dist/sbom.cdx.json',
      'package/LICENSE',
      'package/SECURITY.md',
      'package/CHANGELOG.md',
      'package/contracts/1.12/openapi.json',
      'package/contracts/1.12/user.xsd',
    ]);
  });
});
