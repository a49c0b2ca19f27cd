/**
 * Reads config/ by node-config and validates the whole: a wrong or unknown setting stops the service, by name.
 * What each setting means stands in config/default.json5.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import JSON5 from 'json5';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { formats } from './adapters/formats/index.ts';
import { explain } from './domain/explain.ts';
import { isObject } from './domain/plain-values.ts';

const closed = <T extends Type.TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const oneOf = <T extends string[]>(...values: [...T]) =>
  Type.Enum(values, { must: `be one of ${values.join(', ')}` });
const absoluteUrl = () =>
  Type.String({ pattern: '^$|^https?://[^\\s?#]+$', must: 'be empty or an http(s) URL without query' });
/** Whoever is on the way could put keys of theirs in the issuer's place. */
const keySetUrl = () => {
  const here = '(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])';
  return Type.String({
    pattern: `^$|^https://[^\\s#]+$|^http://${here}(?::\\d+)?(?:[/?][^\\s#]*)?$`,
    must: 'be empty or an https URL; http on this machine alone',
  });
};
const milliseconds = () => Type.Integer({ minimum: 1, maximum: 3_600_000 });

const Settings = closed({
  host: Type.String({ minLength: 1 }),
  port: Type.Integer({ minimum: 0, maximum: 65535 }),
  publicUrl: absoluteUrl(),
  basePath: Type.String({
    pattern: '^$|^(?:/[A-Za-z0-9._~-]+)+$',
    must: 'be empty or a path such as /v1, without a slash at its end',
  }),
  logLevel: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  workers: Type.Integer({ minimum: 1, maximum: 256 }),
  defaultFormat: oneOf(...formats.map(({ name }) => name)),
  requireIfMatch: Type.Boolean(),
  sharedCaching: Type.Boolean(),
  corsOrigins: Type.String({
    pattern: '^(?:https?://[^\\s/]+(?: +|$))*$',
    must: 'be origins such as https://app.example, separated by spaces',
  }),
  store: oneOf('sqlite', 'mongodb', 'memory'),
  sqlite: closed({ file: Type.String({ minLength: 1 }) }),
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
    issuer: Type.String(),
    audience: Type.String(),
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
  overload: closed({
    requests: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    streams: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
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
  }),
});
export type Settings = Type.Static<typeof Settings>;

/** A setting is wrong; the message names it and, where it has one, its environment variable. One line for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const prefix = 'USERS_';

/** The build that is served and the one that is tested lie at different depths below package.json, which config/ is beside. */
function configFolder(from = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json')) || dirname(from) === from) return join(from, 'config');
  return configFolder(dirname(from));
}

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
      Object.entries(value).map(([key, at]) => [key, converted(at, properties[key])]),
    );
  }
  if (typeof value !== 'string' || schema === undefined || !('type' in schema)) return value;
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (schema.type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true';
  return value;
}

function unknownVariables(known: readonly unknown[], env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .map((name) => `${name}: there is no such setting`);
}

function consistent(settings: Settings): Settings {
  if (settings.store === 'memory' && settings.workers > 1)
    throw new SettingsError(
      'workers (USERS_WORKERS): must be 1 with the store memory, where each would have users of its own',
    );
  return settings;
}

/** @throws SettingsError when a value can't be right, naming every one that can't */
export function validSettings(given: unknown, variables: ReadonlyMap<string, unknown> = new Map()): Settings {
  const value = converted(given, Settings);
  const compiled = Compile(Settings);
  if (compiled.Check(value)) return consistent(value);
  const lines = explain(compiled.Errors(value), Settings).map(({ pointer, detail }) => {
    const name = pointer.slice(1).replaceAll('/', '.');
    const variable = variables.get(name);
    return `${name}${variable === undefined ? '' : ` (${variable})`}: ${detail}`;
  });
  throw new SettingsError([...new Set(lines)].join('\n'));
}

/** @throws SettingsError when a setting is wrong or there is no such setting */
export async function loadSettings(env: NodeJS.ProcessEnv = process.env): Promise<Settings> {
  const folder = configFolder();
  // node-config looks below the working directory, and only once, when it is imported.
  env.NODE_CONFIG_DIR ??= folder;
  const variables = new Map(
    leaves(JSON5.parse(readFileSync(join(folder, 'custom-environment-variables.json5'), 'utf8'))),
  );
  const wrong = unknownVariables([...variables.values()], env);
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  const { default: config } = await import('config');
  return validSettings(config.util.toObject(), variables);
}
