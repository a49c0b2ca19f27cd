/** The whole service on a socket, with the memory store and a shared secret, for tests that speak HTTP to it. */

import { randomBytes, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { SignJWT } from 'jose';
import { pino } from 'pino';
import type { ConsoleSettings } from '../../src/adapters/apis/console/page.ts';
import { apisOf } from '../../src/adapters/apis/index.ts';
import type { ResourceSettings } from '../../src/adapters/apis/resources/service.ts';
import type { ScimSettings } from '../../src/adapters/apis/scim/protocol/service.ts';
import { ChangeWatcher } from '../../src/adapters/change-watcher/change-watcher.ts';
import { bearerAuthenticator } from '../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../src/adapters/credentials/jwt/authenticator.ts';
import { type HttpSettings, httpApp } from '../../src/adapters/http/app.ts';
import type { Api } from '../../src/adapters/http/pipeline/api.ts';
import type { RequestObserver } from '../../src/adapters/http/pipeline/request-observer.ts';
import { type ServerSettings, serve } from '../../src/adapters/http/server/server.ts';
import { markWrites } from '../../src/adapters/stores/mark-writes.ts';
import type { ReceiverStates } from '../../src/adapters/webhooks/progress.ts';
import { accessOf } from '../../src/config/access.ts';
import { contractOf, schemeHints } from '../../src/config/authentication.ts';
import { parseProfiles } from '../../src/config/profile-file.ts';
import type { Settings } from '../../src/config/settings.ts';
import type { Profiles } from '../../src/domain/find/access.ts';
import type { Group } from '../../src/domain/kinds/group/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Kinds } from '../../src/domain/kinds.ts';
import type { Authenticator, Clock, Ids } from '../../src/domain/ports.ts';
import { profileScope, scopes } from '../../src/domain/scopes.ts';
import type { Store } from '../../src/domain/store.ts';
import { type Changes, changes } from '../../src/domain/use-cases/feed.ts';
import { groups } from '../../src/domain/use-cases/groups.ts';
import { users } from '../../src/domain/use-cases/users.ts';
import type { Violation } from '../../src/domain/validation/errors.ts';
import { until } from './deadlines.ts';
import { type Exchange, exchange, fieldsOf, type Sent } from './exchanges.ts';
import { watchLog } from './failure-context.ts';
import { kinds as ofService } from './kinds.ts';
import { asVerbs, memoryStore, portOf } from './stores.ts';
import type { UserStore } from './verbs.ts';

const issuer = 'https://issuer.example';
const audience = 'users';

/** With these, a process takes the tokens, too. */
export const tokenSettings = {
  USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
  USERS_JWT_ISSUER: issuer,
  USERS_JWT_AUDIENCE: audience,
};
const secret = new TextEncoder().encode(tokenSettings.USERS_JWT_SECRET);

/** Scopes, or an access profile beside scopes: all of them where they are left out. */
type Granted = readonly string[] | { readonly profile: string; readonly scopes?: readonly string[] };

const scopesIn = (granted: Granted): readonly string[] =>
  'profile' in granted ? [...(granted.scopes ?? scopes), profileScope(granted.profile)] : granted;

const sign = (granted: Granted, expires: string, client: string | undefined): Promise<string> =>
  new SignJWT({ scope: scopesIn(granted).join(' '), ...(client !== undefined && { client_id: client }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(secret);

/** Signed in the same ten minutes, and so good for fifty more: each request of most tests has one of a few. */
const tokens = new Map<string, Promise<string>>();

/** A token that is good for an hour, with all scopes unless told otherwise. @param client whose it is; nobody's where it is left out */
export function aToken(granted: Granted = scopes, expires = '1h', client?: string): Promise<string> {
  if (expires !== '1h') return sign(granted, expires, client);
  const key = JSON.stringify([granted, client, Math.floor(Date.now() / 600_000)]);
  const token = tokens.get(key) ?? sign(granted, expires, client);
  tokens.set(key, token);
  return token;
}

export interface Request extends Omit<Sent, 'agent'> {
  /** Sends no Authorization. */
  readonly anonymous?: boolean;
  /** The access profile of the token, which has all scopes. */
  readonly as?: string;
}

/** A body as JSON: whichever of a user, a group, a list and a problem the test expects. */
export type Body = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly meta: User['meta'];
  readonly users: readonly User[];
  readonly groups: readonly Group[];
  readonly errors: readonly Violation[];
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Without its content coding. */
  readonly text: string;
  readonly json: () => Body;
}

export interface TestService {
  readonly url: string;
  readonly store: UserStore;
  /** The templates of all routes. */
  readonly routes: readonly string[];
  /** Every line that was logged. */
  readonly log: string[];
  /** Resolves when a line with these words is logged, now or later. */
  logged(words: string): Promise<void>;
  /** Sends with a token for everything, unless the request brings its own Authorization, and nothing else unasked. */
  send(path: string, request?: Request): Promise<Answer>;
  close(): Promise<void>;
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** With its content coding undone. */
export function answerOf({ status, headers: fields, body }: Exchange): Answer {
  const headers = new Headers(fields.map(([name, value]): [string, string] => [name, value]));
  const decode = decoders[headers.get('content-encoding') ?? ''];
  const text = (decode === undefined || body.length === 0 ? body : decode(body)).toString('utf8');
  return { status, headers, text, json: () => JSON.parse(text) };
}

/** No limit of what may be done at once. */
export const noOverload = {
  requests: 0,
  streams: 0,
  followers: 0,
  answerBytes: 0,
  eventLoopDelay: 0,
  bodyBytes: 0,
};

/** Its files are the bundle's, which test/console starts. */
export const noConsole = {
  enabled: false,
  name: '',
  issuer: '',
  clientId: '',
  scope: '',
  resource: '',
  reportUrl: '',
};

/** What the console asks about them. */
export const noCredentials = {
  apiKeys: { file: '' },
  jwt: { keySetUrl: '', keySetFile: '', secret: '' },
};

const defaults = {
  publicUrl: '',
  basePath: '',
  defaultFormat: 'json',
  requireIfMatch: false,
  sharedCaching: false,
  corsOrigins: '',
  contract: '',
  contractClients: '',
  access: { file: '', requireProfile: false },
  validity: { timezone: 'UTC' },
  scim: { maxScanned: 100_000 },
  console: noConsole,
  ...noCredentials,
  overload: noOverload,
  host: '127.0.0.1',
  port: 0,
  // Longer than any request takes beside other work of the machine.
  timeouts: { headers: 60_000, request: 60_000, keepAlive: 60_000 },
  connections: { max: 10_000, maxHeaderSize: 16_384, maxHeaderFields: 100, maxStall: 60_000 },
};

/** All settings of the application and its server. */
export type ServiceSettings = HttpSettings &
  ServerSettings &
  ResourceSettings &
  ScimSettings &
  ConsoleSettings &
  Pick<Settings, 'contract' | 'contractClients' | 'access'>;
/** Limits that aren't given aren't there. */
export type GivenSettings = Partial<Omit<ServiceSettings, 'overload'>> & {
  readonly overload?: Partial<ServiceSettings['overload']>;
  /** The access profiles, as in the operator's file. */
  readonly profiles?: object;
  /** Left out: there are none. */
  readonly receivers?: (changes: Changes) => Pick<ReceiverStates, 'read'>;
  /** Left out: those of the system. */
  readonly made?: { readonly clock: Clock; readonly ids: Ids };
};

/** Takes the tokens that `aToken` makes. */
export const ofSharedSecret = (): Authenticator =>
  bearerAuthenticator(
    jwtTokens(
      { issuer, audience, algorithms: ['HS256'], typ: 'at+jwt', leewaySeconds: 0, keys: { secret } },
      { now: () => new Date() },
    ),
  );

/** @throws Error with the mistakes */
export function profilesOf(kinds: Kinds, profiles: object): Profiles {
  const found = parseProfiles(kinds, JSON.stringify({ profiles }));
  if (!(found instanceof Map)) throw new Error([...found].join('\n'));
  return { find: (name) => found.get(name), all: [...found.values()] };
}

export const settingsOf = ({
  profiles,
  made: _,
  receivers: __,
  ...given
}: GivenSettings): ServiceSettings => ({
  ...defaults,
  ...(profiles && { access: { file: 'profiles', requireProfile: false } }),
  ...given,
  overload: { ...defaults.overload, ...given.overload },
});

const ofSystem = {
  clock: { now: () => new Date() },
  ids: { id: () => randomUUID(), version: () => randomBytes(16).toString('base64url') },
};

/** @param foreign APIs beside the service's own, or in the place of one with the same name @param observers told of every request @param kinds also of the store */
export async function startService(
  given: GivenSettings = {},
  opened: UserStore | Store = memoryStore(),
  authenticators: readonly Authenticator[] = [ofSharedSecret()],
  foreign: readonly Api[] = [],
  observers: readonly RequestObserver[] = [],
  kinds: Kinds = ofService,
): Promise<TestService> {
  const written: string[] = [];
  const forgetLog = watchLog(written);
  const settings = settingsOf(given);
  const { clock, ids } = given.made ?? ofSystem;
  const log = pino({ level: 'info' }, { write: (line: string) => void written.push(line) });
  const profiles = profilesOf(kinds, given.profiles ?? {});
  const port = markWrites('commit' in opened ? opened : portOf(opened), kinds, profiles);
  const store = asVerbs(opened);
  const directory = users(port, clock, ids, kinds);
  const schemes = authenticators.map(({ scheme }) => scheme);
  const feed = changes(port, kinds);
  const own = apisOf({
    kinds,
    users: directory,
    groups: groups(port, clock, ids, kinds),
    changes: feed,
    watcher: new ChangeWatcher(feed),
    receivers: given.receivers?.(feed) ?? { read: async () => [] },
    ids,
    schemes,
    settings,
  });
  const apis = [...own.filter(({ name }) => !foreign.some((api) => api.name === name)), ...foreign];
  const app = httpApp({
    apis,
    authenticators,
    realm: 'users',
    schemeHints,
    settings,
    log,
    observers,
    contractOf: contractOf(settings),
    accessOf: accessOf(settings, profiles),
  });
  const server = await serve(app, settings, log, observers);
  const authorization = `Bearer ${await aToken()}`;
  // Lets go of a connection well before the service does: a request must not meet its end.
  const agent = new Agent({ keepAlive: true, timeout: settings.timeouts.keepAlive / 2 });
  return {
    url: server.url,
    store,
    routes: apis.flatMap(({ routes }) => routes.map(({ path }) => path)),
    log: written,
    logged: (words) =>
      until(`a line with ${words} is logged`, () => written.some((line) => line.includes(words))),
    async send(path, { headers = {}, anonymous = false, as: profile, ...request } = {}) {
      const given = fieldsOf(headers);
      const credentials = anonymous || given.some(([name]) => name.toLowerCase() === 'authorization');
      const held = profile === undefined ? authorization : `Bearer ${await aToken({ profile })}`;
      const token = credentials ? [] : [['Authorization', held] as const];
      return answerOf(
        await exchange(server.url + path, { ...request, headers: [...token, ...given], agent }),
      );
    },
    async close() {
      agent.destroy();
      await server.close(1000);
      await store.close();
      forgetLog();
    },
  };
}
