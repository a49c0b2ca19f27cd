/** The environment of scenarios: a folder, credentials, and the contestants, each started at its first use. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openUsers } from './contestants/fastify-store.ts';
import {
  type Credential,
  type Credentials,
  type KeySource,
  makeCredentials,
  type Settings,
} from './credentials.ts';
import { fill, idOf, inputOf, userAt } from './directory.ts';
import { loadHeaders } from './load.ts';
import { type Server, startServer } from './server.ts';

/** As `npm start` runs it. */
export const serviceScript = 'dist/main.js';

/** Users in each file by default. load.lua relies on this number. */
const someUsers = 1000;

export interface Stage {
  readonly folder: string;
  readonly credentials: Credentials;
  readonly quick: boolean;
  /** Of each contestant. */
  readonly rounds: number;
  /** Of what takes a second or more. */
  readonly slowRounds: number;
  /** Of a round, for each contestant. */
  readonly seconds: number;
  /** The service on a file of `users` users. Scenarios that write get another file by another `use`. */
  service(takes: KeySource, use?: string, more?: Settings, users?: number): Promise<Server>;
  bone(takes: KeySource): Promise<Server>;
  fastify(takes: KeySource, use?: string): Promise<Server>;
  /** An earlier build, with the same users. Undefined unless one was named. */
  old(use?: string): Promise<Server | undefined>;
  /** With the service's responses to one user and to a list of 100. */
  bareKoa(): Promise<Server>;
  preparedChunks(users: number): Promise<Server>;
  /** The service with users that have members of a later contract than 1.12. */
  grownUsers(): Promise<Server>;
  close(): Promise<void>;
}

interface StageOptions {
  readonly quick: boolean;
  /** The folder of an earlier build: a checkout after `npm run build`, or an installed package. Empty without one. */
  readonly old: string;
  /** The Node that runs the earlier build; empty for the Node that runs the benchmark. */
  readonly oldNode: string;
}

/** By requests, so that a build with tables of its own makes them itself. */
async function createUsers({ url }: Server, { headers }: Credential): Promise<void> {
  for (let at = 0; at < someUsers; at += 1) {
    const { status } = await fetch(`${url}/users`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ id: idOf(at), ...inputOf(at) }),
    });
    if (status !== 201) throw new Error(`the earlier build answered ${status} to POST /users`);
  }
}

export async function setStage({ quick, old, oldNode }: StageOptions): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'users-bench-'));
  const credentials = await makeCredentials(folder);
  const servers = new Map<string, Promise<Server>>();

  function start(key: string, run: (place: string) => Promise<Server>): Promise<Server> {
    const known = servers.get(key);
    if (known !== undefined) return known;
    const place = join(folder, key.replaceAll(/\W+/g, '-'));
    mkdirSync(place);
    const server = run(place);
    servers.set(key, server);
    return server;
  }
  const startScript = (key: string, script: string, env: Settings): Promise<Server> =>
    start(key, (place) => startServer(script, place, env));

  /** An earlier build refuses scopes that it doesn't know, and the scenarios beside it need no others. */
  function writeOldKeys(given: string, place: string): string {
    const { keys } = JSON.parse(readFileSync(given, 'utf8'));
    const isOld = (scope: string): boolean => /^(?:users|groups|history):/.test(scope);
    const known = keys.map((key: { scopes: string[] }) => ({ ...key, scopes: key.scopes.filter(isOld) }));
    const file = join(place, 'api-keys.json');
    writeFileSync(file, JSON.stringify({ keys: known }), { mode: 0o600 });
    return file;
  }

  async function startOld(place: string, use: string): Promise<Server> {
    const own = settings('secret', join(folder, `old-${use}.db`));
    const keys = writeOldKeys(own.USERS_API_KEYS_FILE ?? '', place);
    const env = { ...own, USERS_API_KEYS_FILE: keys };
    const server = await startServer(resolve(old, 'dist/main.js'), place, env, [], oldNode || undefined);
    await createUsers(server, credentials.apiKey);
    return server;
  }

  function fillFile(use: string, users: number): string {
    const file = join(folder, `${use}-${users}.db`);
    if (!existsSync(file)) fill(file, 0, users);
    return file;
  }

  function fillFastifyFile(use: string): string {
    const file = join(folder, `fastify-${use}.db`);
    if (existsSync(file)) return file;
    const users = openUsers(file);
    users.all(() => {
      for (let at = 0; at < someUsers; at += 1) users.insert(userAt(at));
    });
    users.close();
    return file;
  }

  const settings = (takes: KeySource, file: string): Settings => ({
    ...credentials.settings[takes],
    USERS_SQLITE_FILE: file,
  });

  const stage: Stage = {
    folder,
    credentials,
    quick,
    // More rounds make busy moments of the machine matter less.
    ...(quick ? { rounds: 3, slowRounds: 3, seconds: 0.24 } : { rounds: 9, slowRounds: 5, seconds: 1.5 }),
    service: async (takes, use = 'read', more = {}, users = someUsers) =>
      startScript(['service', takes, use, users, ...Object.values(more)].join(' '), serviceScript, {
        ...settings(takes, fillFile(use, users)),
        ...more,
      }),
    bone: async (takes) =>
      startScript(`bone ${takes}`, 'bench/contestants/bone.ts', settings(takes, fillFile('read', someUsers))),
    fastify: async (takes, use = 'read') =>
      startScript(
        `fastify ${takes} ${use}`,
        'bench/contestants/fastify.ts',
        settings(takes, fillFastifyFile(use)),
      ),
    old: async (use = 'read') =>
      old === '' ? undefined : start(`old ${use}`, (place) => startOld(place, use)),
    async bareKoa() {
      const { url } = await stage.service('secret');
      const bytes = async (path: string, name: string) => {
        const answer = await fetch(`${url}${path}`, {
          headers: { ...loadHeaders, ...credentials.apiKey.headers },
        });
        writeFileSync(join(folder, name), Buffer.from(await answer.arrayBuffer()));
        return join(folder, name);
      };
      return startScript('bare', 'bench/contestants/bare-koa.ts', {
        BENCH_ONE: await bytes(`/users/${idOf(500)}`, 'one.json'),
        BENCH_LIST: await bytes('/users?limit=100', 'list.json'),
      });
    },
    preparedChunks: async (users) =>
      startScript(
        'chunks',
        'bench/contestants/prepared-chunks.ts',
        settings('secret', fillFile('read', users)),
      ),
    grownUsers: async () => startScript('grown', 'bench/contestants/grown-users.ts', {}),
    async close() {
      await Promise.all([...servers.values()].map(async (server) => (await server).stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return stage;
}
