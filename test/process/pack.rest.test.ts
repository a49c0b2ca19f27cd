import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { packInto } from '../outside/packed.ts';

describe('The package', () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  async function pack(): Promise<Buffer> {
    const folder = mkdtempSync(join(tmpdir(), 'users-pack-'));
    folders.push(folder);
    return readFileSync(join(folder, await packInto(folder)));
  }

  it('has the same bytes each time it is made from the same sources, also twice at the same time', async () => {
    const [first, second] = await Promise.all([pack(), pack()]);
    expect(second.equals(first)).to.equal(true);
  });

  it('contains the licences and the bill of materials of its bundle, and the frozen contracts', async () => {
    const names = execFileSync('tar', ['--list', '--gzip'], { input: await pack(), encoding: 'utf8' });
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
