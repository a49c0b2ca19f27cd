/** The folders of settings, and checks of node-config's own environment variables, in which it ignores mistakes. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { isObject } from '../../domain/validation/plain-values.ts';
import { suggest } from '../../domain/validation/suggest.ts';

/** The message has a line for each wrong setting, with its name and its environment variable if it has one. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const deployments = ['production', 'development', 'test'];

/** With `Production` or `prod` the service would run in development mode, with a signing key of its own. */
function checkDeployment({ NODE_ENV = '', NODE_CONFIG_ENV = '' }: NodeJS.ProcessEnv): void {
  if (NODE_ENV !== '' && !deployments.includes(NODE_ENV))
    throw new SettingsError(`NODE_ENV: must be empty or one of ${deployments.join(', ')}`);
  if (NODE_CONFIG_ENV !== '' && NODE_CONFIG_ENV !== (NODE_ENV || 'development'))
    throw new SettingsError('NODE_CONFIG_ENV: must be left out, or be what NODE_ENV is');
}

/** node-config only warns of a text that isn't JSON, and ignores it. */
function checkSettingsText({ NODE_CONFIG = '' }: NodeJS.ProcessEnv): void {
  if (NODE_CONFIG === '') return;
  try {
    if (isObject(JSON.parse(NODE_CONFIG))) return;
  } catch {
    // The parser's own message would quote the text.
  }
  throw new SettingsError('NODE_CONFIG: must be an object in JSON');
}

/** The operator's own folders of settings. */
export const foldersOf = ({ NODE_CONFIG_DIR = '' }: NodeJS.ProcessEnv): string[] =>
  NODE_CONFIG_DIR.split(delimiter).filter((folder) => folder !== '');

/** @throws SettingsError that names the variable at fault */
export function checkEnvironment(env: NodeJS.ProcessEnv): void {
  checkDeployment(env);
  checkSettingsText(env);
  for (const folder of foldersOf(env))
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new SettingsError(`NODE_CONFIG_DIR: ${folder} is no folder`);
}

const prefix = 'USERS_';

/** Where package.json is: dist/ and build/ are at different depths below it. */
function packageFolder(from = import.meta.dirname): string {
  return existsSync(join(from, 'package.json')) || dirname(from) === from
    ? from
    : packageFolder(dirname(from));
}

export const configFolder = (): string => join(packageFolder(), 'config');

const readPackage = (): { version: string; engines: { node: string } } =>
  JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));

/** As package.json has it. */
export const programVersion = (): string => readPackage().version;

/** A collator, which orders such texts as well, would be a tenth of the start of a command. */
function isAtLeast(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = minimum.split('.').map(Number);
  return major === leastMajor ? minor >= leastMinor : major > leastMajor;
}

/**
 * Refuses a Node older than the minimum in `engines`: there, better-sqlite3 crashes the process when it loads.
 * @throws SettingsError of one sentence, which tells how to get another Node
 */
export function assertSupportedNode(version = process.versions.node): void {
  const [minimum = ''] = /\d+\.\d+/.exec(readPackage().engines.node) ?? [];
  if (isAtLeast(version, minimum)) return;
  throw new SettingsError(
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

/** A line for each variable with our prefix that sets nothing. */
export function findUnknownVariables(known: readonly string[], env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .map((name) => `${name}: there is no such setting${suggest(name, known)}`);
}
