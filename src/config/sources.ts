/**
 * Reads the settings from their sources; each source takes precedence over those before it: the files in config/, the files in the
 * operator's folders (`NODE_CONFIG_DIR`), an object in JSON (`NODE_CONFIG`), and environment variables. A mistake in a source is refused,
 * never ignored.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join, parse } from 'node:path';
import JSON5 from 'json5';
import { messageOf } from '../adapters/system/errors.ts';
import { packageFolder } from '../adapters/system/program.ts';
import { isObject, readJson } from '../domain/validation/plain-values.ts';
import { suggest } from '../domain/validation/suggest.ts';

/** The message has a line for each wrong setting, with its name and its environment variable if it has one. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** @throws SettingsError: what `make` throws, with the setting's name in front of each line */
export function nameSetting<T>(setting: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    const lines = messageOf(cause).split('\n');
    throw new SettingsError(lines.map((line) => `${setting}: ${line}`).join('\n'), { cause });
  }
}

const deployments = ['production', 'development', 'test'];

/** With `Production` or `prod` the service would run in development mode, with a signing key of its own. */
function deploymentOf({ NODE_ENV = '', NODE_CONFIG_ENV = '' }: NodeJS.ProcessEnv): string {
  if (NODE_ENV !== '' && !deployments.includes(NODE_ENV))
    throw new SettingsError(`NODE_ENV: must be empty or one of ${deployments.join(', ')}`);
  const deployment = NODE_ENV || 'development';
  if (NODE_CONFIG_ENV !== '' && NODE_CONFIG_ENV !== deployment)
    throw new SettingsError('NODE_CONFIG_ENV: must be left out, or be what NODE_ENV is');
  return deployment;
}

function foldersOf({ NODE_CONFIG_DIR = '' }: NodeJS.ProcessEnv): string[] {
  const folders = NODE_CONFIG_DIR.split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders)
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new SettingsError(`NODE_CONFIG_DIR: ${folder} is not a folder`);
  return folders;
}

/** An object in JSON5. @throws SettingsError that names the file */
export function readFile(file: string): object {
  try {
    const given: unknown = JSON5.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
    if (isObject(given)) return given;
  } catch (error) {
    throw new SettingsError(`${file}: ${messageOf(error)}`);
  }
  throw new SettingsError(`${file}: must be an object`);
}

/** Refuses settings in other formats, since ignored settings would be worse than a failed start. */
function assertReadable(folder: string, names: readonly string[]): void {
  const file = readdirSync(folder).find(
    (one) => names.includes(parse(one).name) && /\.(?:[cm]?[jt]s|ya?ml|hjson|toml)$/.test(one),
  );
  if (file !== undefined) throw new SettingsError(`${join(folder, file)}: settings must be in JSON5 or JSON`);
}

/** Values of the files, in order of precedence: of two folders the later one, of two names the later one whatever the folder. */
function readFiles(env: NodeJS.ProcessEnv, program: string): unknown[] {
  const deployment = deploymentOf(env);
  const names = ['default', deployment, 'local', `local-${deployment}`];
  const folders = [program, ...foldersOf(env)];
  for (const folder of folders) assertReadable(folder, names);
  return names
    .flatMap((name) => [`${name}.json`, `${name}.json5`])
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .filter((file) => existsSync(file))
    .map(readFile);
}

function parseText({ NODE_CONFIG = '' }: NodeJS.ProcessEnv): unknown {
  if (NODE_CONFIG === '') return {};
  const given = readJson(NODE_CONFIG);
  if (isObject(given)) return given;
  // The parser's own message would quote the text.
  throw new SettingsError('NODE_CONFIG: must be an object in JSON');
}

/** The value of each variable that is set, in the place of its setting. */
const readVariables = (variables: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): unknown[] =>
  [...variables]
    .filter(([, name]) => env[name])
    .map(([path, name]) =>
      path.split('.').reduceRight<unknown>((value, key) => ({ [key]: value }), env[name]),
    );

/** By the path of each setting, such as `jwt.issuer`. */
function listLeaves(tree: unknown, path: readonly string[] = []): [string, string][] {
  if (!isObject(tree)) return [[path.join('.'), String(tree)]];
  return Object.entries(tree).flatMap(([key, value]) => listLeaves(value, [...path, key]));
}

function assertKnown(known: readonly string[], env: NodeJS.ProcessEnv): void {
  const wrong = Object.keys(env)
    .filter((name) => name.startsWith('USERS_') && !known.includes(name))
    .map((name) => `${name}: there is no such setting${suggest(name, known)}`);
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
}

function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const merged = Object.entries(over).map(([key, value]) => [
    key,
    Object.hasOwn(base, key) ? merge(base[key], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(merged) };
}

/**
 * @returns the settings as they were given, and the environment variable of each by its path, such as `jwt.issuer`
 * @throws SettingsError that names the source at fault
 */
export function readSources(env: NodeJS.ProcessEnv): { given: unknown; variables: Map<string, string> } {
  const program = join(packageFolder(), 'config');
  const names = readFile(join(program, 'custom-environment-variables.json5'));
  const variables = new Map(listLeaves(names));
  const sources = [...readFiles(env, program), parseText(env), ...readVariables(variables, env)];
  assertKnown([...variables.values()], env);
  return { given: sources.reduce(merge, {}), variables };
}
