/** What the program knows of itself: its folder and version, the Node that it needs, and how an operator calls it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';

const isSource = extname(import.meta.filename) === '.ts';

/** The folder of package.json. dist/ and build/ are at different depths below it. */
export function packageFolder(from = import.meta.dirname): string {
  return existsSync(join(from, 'package.json')) || dirname(from) === from
    ? from
    : packageFolder(dirname(from));
}

/**
 * The folder of files for browsers that the build made: beside the bundle, or in build/bundle/ when the program runs from source.
 * @param name of a folder that scripts/bundle.js makes: `console`, `swagger-ui`
 */
export const builtFolder = (name: string): string =>
  isSource ? join(packageFolder(), 'build/bundle', name) : join(import.meta.dirname, name);

const readPackage = (): { version: string; engines: { node: string } } =>
  JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));

export const programVersion = (): string => readPackage().version;

/** Compares by hand, since loading a collator would take a tenth of a command's start. */
function isAtLeast(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = minimum.split('.').map(Number);
  return major === leastMajor ? minor >= leastMinor : major > leastMajor;
}

/**
 * Refuses a Node older than the minimum in `engines`: there, better-sqlite3 crashes the process when it loads.
 * @throws Error of one sentence, which tells how to get another Node
 */
export function assertSupportedNode(version = process.versions.node): void {
  const [minimum = ''] = /\d+\.\d+/.exec(readPackage().engines.node) ?? [];
  if (isAtLeast(version, minimum)) return;
  throw new Error(
    `Node ${minimum} or later is required, and this is Node ${version}: install a current release from https://nodejs.org/en/download, or, in a checkout, start the program through npm (npm start), which uses Node 24 from node_modules`,
  );
}

/**
 * The beginning of a command line, for messages that tell an operator what to run: an installed package has its program on the path, a
 * checkout has npm's scripts.
 * @param npmOption such as `--silent`, for output that is kept
 */
export function wordsOf(command: string, npmOption?: string): string {
  if (packageFolder().includes(`${sep}node_modules${sep}`)) return `user-management ${command}`;
  return ['npm run', ...(npmOption === undefined ? [] : [npmOption]), command, '--'].join(' ');
}
