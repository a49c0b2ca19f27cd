/**
 * Preloaded by the npm scripts (`node --import ./scripts/ready.js`): says in one sentence what a checkout lacks, whereas Node would report
 * a missing module or an unknown file extension. Plain JavaScript without imports from packages, so that it runs anywhere.
 */
import { existsSync } from 'node:fs';

/** The first release that runs TypeScript without a flag; the package, which is JavaScript, supports earlier ones. */
const [leastMajor, leastMinor] = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

const refuse = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

if (!existsSync(new URL('../node_modules/esbuild', import.meta.url)))
  refuse('Run npm install first: this checkout has no packages in node_modules/.');
if (major < leastMajor || (major === leastMajor && minor < leastMinor))
  refuse(
    `A checkout needs Node ${leastMajor}.${leastMinor} or later, and this is Node ${process.versions.node}: use npm scripts and npx, which run on the Node of node_modules/, or install a current release.`,
  );
