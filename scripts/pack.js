/**
 * `npm run pack`: makes the package that operators install, and prints its name. It has a separate manifest: the
 * dependencies in package.json are all that the source imports, and the bundle contains most of them. Each run has a folder of its own
 * in build/, so that two at once make two whole packages.
 * Options are those of `npm pack`, such as `--pack-destination`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outsidePackages } from './outside-packages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { name, version, description, license, type, bin, files, engines, dependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

mkdirSync(join(root, 'build'), { recursive: true });
const folder = mkdtempSync(join(root, 'build/package-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
execFileSync(process.execPath, [join(root, 'scripts/bundle.js'), `${relative(root, folder)}/dist`]);
const folders = ['config', 'contracts', 'docs', 'ops'];
for (const part of [...folders, 'README.md', 'LICENSE', 'SECURITY.md', 'CHANGELOG.md'])
  cpSync(join(root, part), join(folder, part), { recursive: true });
const needed = Object.fromEntries(outsidePackages.map((one) => [one, dependencies[one]]));
const manifest = { name, version, description, license, type, bin, files, engines, dependencies: needed };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
const options = ['--silent', '--pack-destination', root, ...process.argv.slice(2)];
execFileSync('npm', ['pack', ...options], {
  cwd: folder,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
