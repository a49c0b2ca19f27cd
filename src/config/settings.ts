/**
 * The settings: their schema, and the checks that a schema cannot express. A wrong or unknown setting stops the service, by name.
 * config/default.json5 explains each setting. The longest page (`maxLimit` in `apis/resources/parameters.ts`) and the largest body
 * (`maxBodyBytes` of each API) are promises to clients, not settings.
 *
 * `sources.ts` reads files and environment variables; `addresses.ts` makes URLs canonical and keeps service and metrics apart. Stores bring
 * the schemas of their own settings. From the result, `authentication.ts` makes the authenticators.
 */
import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import { contractVersions } from '../adapters/contracts/versions.ts';
import { formats } from '../adapters/formats/index.ts';
import { isShared, storeKinds, storeSettings } from '../adapters/stores/index.ts';
import { milliseconds } from '../adapters/stores/port/store-module.ts';
import type { Declarations } from '../domain/kinds/attributes/declaration.ts';
import { isTimeZone } from '../domain/resource/days.ts';
import { closed, explain, oneOf } from '../domain/validation/explain.ts';
import { isObject } from '../domain/validation/plain-values.ts';
import { assertApart, canonicalizeAddresses } from './addresses.ts';
import { readDeclarations } from './declarations.ts';
import { readSources, SettingsError } from './sources.ts';

/** Without TLS, an attacker on the network path could replace the response, such as an issuer's keys. */
const secureUrl = () => {
  const here = '(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1\\])';
  return Type.String({
    pattern: `^$|^https://[^\\s#]+$|^http://${here}(?::\\d+)?(?:[/?][^\\s#]*)?$`,
    must: 'be empty or an https URL; http on this machine alone',
  });
};

/** Such a text is compared exactly, and a space at its end is invisible. */
const plainText = () =>
  Type.String({
    pattern: '^(?![\\s\\S]*[\\u0000-\\u001f\\u007f])(?:\\S(?:[\\s\\S]*\\S)?)?$',
    must: 'have no control characters, and no spaces at its ends',
  });

/** Names as in `Host`, in upper or lower case. */
const hostNames = () =>
  Type.String({
    pattern: '^(?:[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*(?: |$))*$',
    must: 'be host names without a port, separated by spaces',
  });

const Settings = closed({
  host: Type.String({ minLength: 1 }),
  port: Type.Integer({ minimum: 0, maximum: 65535 }),
  publicUrl: Type.String(),
  basePath: Type.String({
    pattern: '^$|^(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)+$',
    must: 'be empty or a path such as /v1, without dots for folders and without a slash at its end',
  }),
  logLevel: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  metrics: closed({
    host: Type.String({ minLength: 1 }),
    port: Type.Integer({ minimum: 0, maximum: 65535 }),
    allowedHosts: hostNames(),
  }),
  workers: Type.Integer({ minimum: 1, maximum: 256 }),
  defaultFormat: oneOf(...formats.map(({ name }) => name)),
  requireIfMatch: Type.Boolean(),
  sharedCaching: Type.Boolean(),
  corsOrigins: Type.String(),
  console: closed({
    enabled: Type.Boolean(),
    name: plainText(),
    issuer: secureUrl(),
    clientId: plainText(),
    scope: plainText(),
    resource: plainText(),
    reportUrl: Type.String(),
  }),
  changes: closed({
    retention: Type.Integer({ minimum: 0, maximum: 36_500 }),
    historyRetention: Type.Integer({ minimum: 0, maximum: 36_500 }),
    maxBytes: Type.Integer({ minimum: 1_048_576, maximum: 2 ** 50 }),
  }),
  contract: Type.Enum(['', ...contractVersions], {
    must: `be empty or one of ${contractVersions.join(', ')}`,
  }),
  contractClients: Type.String({
    pattern: `^(?!(?:.* )?([^ =]+)=.* \\1=)(?:[^\\s=]+=(?:${contractVersions.map((version) => version.replace('.', '\\.')).join('|')})(?: |$))*$`,
    must: `be client=version, each client once, separated by spaces; versions are ${contractVersions.join(', ')}`,
  }),
  access: closed({ file: Type.String(), requireProfile: Type.Boolean() }),
  webhooks: closed({ file: Type.String() }),
  attributes: closed({ file: Type.String() }),
  validity: closed({ timezone: Type.String() }),
  scim: closed({ maxScanned: Type.Integer({ minimum: 1000, maximum: 100_000_000 }) }),
  store: oneOf(...storeKinds),
  ...storeSettings,
  jwt: closed({
    issuer: plainText(),
    audience: plainText(),
    keySetUrl: secureUrl(),
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
    followers: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
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
export type Settings = Type.Static<typeof Settings> & {
  readonly attributes: {
    /** The content of the file. */
    readonly declared?: Declarations | undefined;
  };
};

/** Environment variables are texts. Converts them by hand, since typebox's Convert would take `0x10`, `1e3` and `TRUE`. */
function convertTexts(value: unknown, schema: TSchema | undefined): unknown {
  if (isObject(value)) {
    const properties = (schema && 'properties' in schema ? schema.properties : {}) as Record<string, TSchema>;
    return Object.fromEntries(
      Object.entries(value).map(([key, at]) => [
        key,
        convertTexts(at, Object.hasOwn(properties, key) ? properties[key] : undefined),
      ]),
    );
  }
  if (typeof value !== 'string' || schema === undefined || !('type' in schema)) return value;
  if (schema.type === 'integer' && /^(?:0|-?[1-9]\d{0,14})$/.test(value)) return Number(value);
  if (schema.type === 'boolean' && /^(?:true|false)$/.test(value)) return value === 'true';
  return value;
}

function assertConsistent({ workers, store, console, changes, validity, access, webhooks }: Settings): void {
  const { retention, historyRetention } = changes;
  if (historyRetention !== 0 && (retention === 0 || historyRetention < retention))
    throw new SettingsError(
      'changes: historyRetention (USERS_CHANGES_HISTORY_RETENTION) must be 0, or at least as long as retention (USERS_CHANGES_RETENTION)' +
        (retention === 0 ? ', which turns the log off' : ''),
    );
  if (webhooks.file !== '' && retention === 0)
    throw new SettingsError(
      'webhooks.file (USERS_WEBHOOKS_FILE): needs the change log, but retention (USERS_CHANGES_RETENTION) is 0',
    );
  if (!isTimeZone(validity.timezone))
    throw new SettingsError(
      'validity.timezone (USERS_VALIDITY_TIMEZONE): must be an IANA time zone, such as Europe/Amsterdam',
    );
  if (access.requireProfile && access.file === '')
    throw new SettingsError(
      'access: requireProfile (USERS_ACCESS_REQUIRE_PROFILE) refuses all credentials without file (USERS_ACCESS_FILE)',
    );
  if ((console.issuer === '') !== (console.clientId === ''))
    throw new SettingsError(
      'console: issuer (USERS_CONSOLE_ISSUER) and clientId (USERS_CONSOLE_CLIENT_ID) go together',
    );
  if (workers > 1 && !isShared(store))
    throw new SettingsError(
      `workers (USERS_WORKERS): must be 1 with the store ${store}, in which each would have its own users`,
    );
}

/** Returns addresses in their canonical form. @throws SettingsError naming every invalid value */
export function validateSettings(
  given: unknown,
  variables: ReadonlyMap<string, unknown> = new Map(),
): Settings {
  const value = convertTexts(given, Settings);
  const compiled = Compile(Settings);
  const labelOf = (name: string): string => {
    const variable = variables.get(name);
    return variable === undefined ? name : `${name} (${variable})`;
  };
  if (compiled.Check(value)) {
    const settings = canonicalizeAddresses(value, labelOf);
    assertConsistent(settings);
    assertApart(settings, settings.metrics);
    return settings;
  }
  const lines = explain(compiled.Errors(value), Settings).map(
    ({ pointer, detail }) => `${labelOf(pointer.slice(1).replaceAll('/', '.'))}: ${detail}`,
  );
  throw new SettingsError([...new Set(lines)].join('\n'));
}

/** @throws SettingsError for wrong and unknown settings */
export async function loadSettings(env: NodeJS.ProcessEnv = process.env): Promise<Settings> {
  const { given, variables } = readSources(env);
  const settings = validateSettings(given, variables);
  // Its mistakes are those of a setting: they are reported before anything starts. A worker that starts later gets the same ones.
  const declared = readDeclarations(settings.attributes.file);
  return { ...settings, attributes: { ...settings.attributes, declared } };
}
