/** The packages that the bundles contain, as esbuild names their files: for their licences and for the bill of materials. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} path of a file in a package @returns {string} the package's folder, '' for a file of the project's own */
const packageOf = (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '';

/** @param {string} root the repository @param {string[]} inputs of esbuild, below it */
export const bundledPackages = (root, inputs) =>
  [...new Set(inputs.map(packageOf).filter(Boolean))].sort().map((name) => {
    const folder = join(root, name);
    return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) };
  });

/** Most packages ask for their licence's text beside each copy of the code. @returns {string} a text with all packages */
export function describeLicenses(packages) {
  const texts = packages.map(({ folder, manifest: { name, version, license } }) =>
    [
      `${name} ${version} (${license})`,
      ...readdirSync(folder)
        .filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8').trim()),
    ].join('\n\n'),
  );
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
