/**
 * Reads config/ by node-config and validates the whole: a wrong or unknown setting stops the service, by name.
 * What each setting means stands in config/default.json5.
 */
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import JSON5 from 'json5';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { formats } from './adapters/formats/index.ts';
import { spellings } from './addresses.ts';
import { explain } from './domain/explain.ts';
import { isObject } from './domain/plain-values.ts';
import { checkEnvironment, configFolder, foldersOf, SettingsError, unknownVariables } from './environment.ts';

const closed = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const oneOf = <T extends string[]>(...values: [...T]) =>
  Type.Enum(values, { must: `be one of ${values.join(', ')}` });
/** Whoever is on the way could put keys of theirs in the issuer's place. */
const keySetUrl = () => {
  const here = '(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])';
  return Type.String({
    pattern: `^$|^https://[^\\s#]+$|^http://${here}(?::\\d+)?(?:[/?][^\\s#]*)?$`,
    must: 'be empty or an https URL; http on this machine alone',
  });
};
/** Tokens and files are compared with it to the character, and a space at an end is seen by nobody. */
const plainText = () =>
  Type.String({
    pattern: '^(?![\\s\\S]*[\\u0000-\\u001f\\u007f])(?:\\S(?:[\\s\\S]*\\S)?)?$',
    must: 'have no control characters, and no spaces at its ends',
  });
const milliseconds = () => Type.Integer({ minimum: 1, maximum: 3_600_000 });

const Settings = closed({
  host: Type.String({ minLength: 1 }),
  port: Type.Integer({ minimum: 0, maximum: 65535 }),
  publicUrl: Type.String(),
  basePath: Type.String({
    pattern: '^$|^(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)+$',
    must: 'be empty or a path such as /v1, without dots for folders and without a slash at its end',
  }),
  logLevel: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  workers: Type.Integer({ minimum: 1, maximum: 256 }),
  defaultFormat: oneOf(...formats.map(({ name }) => name)),
  requireIfMatch: Type.Boolean(),
  sharedCaching: Type.Boolean(),
  corsOrigins: Type.String(),
  store: oneOf('sqlite', 'mongodb', 'memory'),
  sqlite: closed({
    file: Type.String({
      pattern: '^(?!:memory:$|file:)[\\s\\S]*[^/]$',
      must: 'be the path of a file (the store memory is the one without)',
    }),
  }),
  mongodb: closed({
    uri: Type.String({
      pattern: '^mongodb(?:\\+srv)?://',
      must: 'be a connection string: mongodb://… or mongodb+srv://…',
    }),
    maxPoolSize: Type.Integer({ minimum: 1, maximum: 10_000 }),
    serverSelectionTimeout: milliseconds(),
    connectTimeout: milliseconds(),
    socketTimeout: milliseconds(),
    waitQueueTimeout: milliseconds(),
    operationTimeout: milliseconds(),
  }),
  jwt: closed({
    issuer: plainText(),
    audience: plainText(),
    keySetUrl: keySetUrl(),
    keySetFile: Type.String(),
    secret: Type.String(),
    algorithms: Type.String(),
    typ: oneOf('at+jwt', 'JWT'),
    leeway: Type.Integer({ minimum: 0, maximum: 300 }),
    keySetMaxAge: Type.Integer({ minimum: 10, maximum: 86_400 }),
    keySetTimeout: milliseconds(),
  }),
  apiKeys: closed({ file: Type.String() }),
  keyFiles: closed({ maxStale: Type.Integer({ minimum: 0, maximum: 86_400 }) }),
  overload: closed({
    requests: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    streams: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    answerBytes: Type.Integer({ minimum: 0 }),
    eventLoopDelay: Type.Integer({ minimum: 0, maximum: 60_000 }),
    bodyBytes: Type.Integer({ minimum: 0, maximum: 2 ** 40 }),
  }),
  connections: closed({
    max: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    maxHeaderSize: Type.Integer({ minimum: 4096, maximum: 1_048_576 }),
    maxHeaderFields: Type.Integer({ minimum: 20, maximum: 10_000 }),
    maxStall: milliseconds(),
  }),
  timeouts: closed({
    headers: milliseconds(),
    request: milliseconds(),
    keepAlive: milliseconds(),
    shutdown: milliseconds(),
    unresponsive: Type.Integer({ minimum: 1000, maximum: 3_600_000 }),
  }),
});
export type Settings = Type.Static<typeof Settings>;

export { SettingsError };

/** Every leaf of a tree, by its path. */
function leaves(tree: unknown, path: readonly string[] = []): [string, unknown][] {
  if (!isObject(tree)) return [[path.join('.'), tree]];
  return Object.entries(tree).flatMap(([key, value]) => leaves(value, [...path, key]));
}

/** Environment variables are text; node-config's own conversion drops what it can't convert, unnamed. */
function converted(value: unknown, schema: TSchema | undefined): unknown {
  if (isObject(value)) {
    const properties = (schema && 'properties' in schema ? schema.properties : {}) as Record<string, TSchema>;
    return Object.fromEntries(
      Object.entries(value).map(([key, at]) => [
        key,
        converted(at, Object.hasOwn(properties, key) ? properties[key] : undefined),
      ]),
    );
  }
  if (typeof value !== 'string' || schema === undefined || !('type' in schema)) return value;
  if (schema.type === 'integer' && /^(?:0|-?[1-9]\d{0,14})$/.test(value)) return Number(value);
  if (schema.type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true';
  return value;
}

/** @throws SettingsError naming each address that can't be made canonical */
function canonical(settings: Settings, named: (name: string) => string): Settings {
  const read = spellings(settings).map(({ name, text, canonical, must }) => {
    const found = text === '' ? text : canonical(text);
    return { found, line: `${named(name)}: must ${must}` };
  });
  const wrong = read.filter(({ found }) => found === undefined).map(({ line }) => line);
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  const [publicUrl = '', corsOrigins = ''] = read.map(({ found }) => found);
  return { ...settings, publicUrl, corsOrigins };
}

function consistent(settings: Settings): Settings {
  if (settings.store === 'memory' && settings.workers > 1)
    throw new SettingsError(
      'workers (USERS_WORKERS): must be 1 with the store memory, where each would have users of its own',
    );
  return settings;
}

/**
 * Addresses are returned in their canonical form.
 * @throws SettingsError when a value can't be right, naming every one that can't
 */
export function validSettings(given: unknown, variables: ReadonlyMap<string, unknown> = new Map()): Settings {
  const value = converted(given, Settings);
  const compiled = Compile(Settings);
  const named = (name: string): string => {
    const variable = variables.get(name);
    return variable === undefined ? name : `${name} (${variable})`;
  };
  if (compiled.Check(value)) return consistent(canonical(value, named));
  const lines = explain(compiled.Errors(value), Settings).map(
    ({ pointer, detail }) => `${named(pointer.slice(1).replaceAll('/', '.'))}: ${detail}`,
  );
  throw new SettingsError([...new Set(lines)].join('\n'));
}

/** @throws SettingsError when a setting is wrong or there is no such setting */
export async function loadSettings(env: NodeJS.ProcessEnv = process.env): Promise<Settings> {
  const folder = configFolder();
  checkEnvironment(env);
  // node-config looks below the working directory, and only once, when it is imported. A folder of the operator's comes after
  // ours: without the names of the variables they would count for nothing.
  env.NODE_CONFIG_DIR = [folder, ...foldersOf(env)].join(delimiter);
  const variables = new Map(
    leaves(JSON5.parse(readFileSync(join(folder, 'custom-environment-variables.json5'), 'utf8'))),
  );
  const wrong = unknownVariables([...variables.values()], env);
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  // It would warn that no file is called after `test`.
  if (env.NODE_ENV === 'test') env.SUPPRESS_STRICTNESS_CHECK ??= 'true';
  const { default: config } = await import('config');
  return validSettings(config.util.toObject(), variables);
}
