/** The licences of the packages that the bundles contain: most ask for their text beside each copy of the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} path of a file in a package @returns {string} the package's folder, '' for a file of the project's own */
const packageOf = (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '';

/** @param {string} folder @returns {string} name, version and licence of a package, then the texts */
function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** @param {string} root the repository @param {string[]} inputs of esbuild, below it @returns {string} a text with all packages */
export function describeLicenses(root, inputs) {
  const folders = new Set(inputs.map(packageOf).filter(Boolean));
  const divider = `\n\n${'-'.repeat(80)}\n\n`;
  return `${[...folders]
    .sort()
    .map((folder) => describe(join(root, folder)))
    .join(divider)}\n`;
}
