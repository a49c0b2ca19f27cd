/** Where settings are read from, and the environment variables that decide it: node-config's own, where a slip would go unnoticed. */
import { existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { isObject } from './domain/plain-values.ts';

/** A setting is wrong; the message names it and, where it has one, its environment variable. One line for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const deployments = ['production', 'development', 'test'];

/** `Production`, or `prod`, would be a development service, which makes a signing key of its own. */
function checkDeployment({ NODE_ENV = '', NODE_CONFIG_ENV = '' }: NodeJS.ProcessEnv): void {
  if (NODE_ENV !== '' && !deployments.includes(NODE_ENV))
    throw new SettingsError(`NODE_ENV: must be empty or one of ${deployments.join(', ')}`);
  if (NODE_CONFIG_ENV !== '' && NODE_CONFIG_ENV !== (NODE_ENV || 'development'))
    throw new SettingsError('NODE_CONFIG_ENV: must be left out, or be what NODE_ENV is');
}

/** node-config says so of a text that is no JSON, and goes on without it. */
function checkSettingsText({ NODE_CONFIG = '' }: NodeJS.ProcessEnv): void {
  if (NODE_CONFIG === '') return;
  try {
    if (isObject(JSON.parse(NODE_CONFIG))) return;
  } catch {
    // The parser's own message would quote what stands there.
  }
  throw new SettingsError('NODE_CONFIG: must be an object in JSON');
}

/** The operator's own folders of settings, which go before ours. */
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

/** The build that is served and the one that is tested lie at different depths below package.json, which config/ is beside. */
export function configFolder(from = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json')) || dirname(from) === from) return join(from, 'config');
  return configFolder(dirname(from));
}

/** A line for each variable that looks like one of ours and stands for no setting. */
export function unknownVariables(known: readonly unknown[], env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .map((name) => `${name}: there is no such setting`);
}
