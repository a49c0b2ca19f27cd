/**
 * `npm run bench -- validity`: 10,000 users whose validity ends at the same second, on SQLite and MongoDB, with two processes of the service and writers
 * of other users. It shows how late the users end, how many end in a second, and which part of their rate the writers keep; and
 * that each user ends once. `--due 1000` lets fewer end, `--store mongodb` measures that store alone, `--check` fails where a bound is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openMongoStore } from '../src/adapters/stores/mongodb/open-store.ts';
import { openSqliteStore } from '../src/adapters/stores/sqlite/open-store.ts';
import type { Store } from '../src/domain/store.ts';
import { createUser } from '../test/contract/change-log.ts';
import { makeCredentials, type Settings } from './credentials.ts';
import { idOf, userAt } from './directory.ts';
import { withFilledMongo } from './mongodb-server.ts';
import { startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const { values } = parseArgs({
  options: {
    due: { type: 'string', default: '10000' },
    store: { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
  },
});
const due = Number(values.due);

/** Others, who are written all the time. */
const others = 200;
const writers = 8;

/** In ms: for filling and starting, and how long writers write alone. */
const [preparation, alone] = [30_000, 8_000];

/** Up to 1,000 users end within five seconds, the rest at 500 a second. Writers keep half of their rate. */
const bounds = { seconds: 5 + Math.max(0, due - 1000) / 500, share: 0.5 };

async function fill(store: Store, until: string): Promise<void> {
  const users = Array.from({ length: due + others }, (_, at) =>
    at < due ? { ...userAt(at), validUntil: until } : userAt(at),
  );
  for (let from = 0; from < users.length; from += 250)
    await store.commit(
      users.slice(from, from + 250).map((user) => createUser(user)),
      { client: 'bench', via: 'test' },
    );
  await store.close();
}

class Client {
  readonly #url: string;
  readonly #headers: Settings;
  /** Writes that were answered. */
  written = 0;
  #isWriting = true;

  constructor(url: string, headers: Settings) {
    [this.#url, this.#headers] = [url, headers];
  }

  async ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const response = await fetch(this.#url + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Each writer has users of its own. */
  async #write(writer: number): Promise<void> {
    for (let round = 0; this.#isWriting; round += 1) {
      const id = idOf(due + ((round * writers + writer) % others));
      await this.ask(`/users/${id}`, { method: 'PATCH', body: JSON.stringify({ title: `Round ${round}` }) });
      this.written += 1;
    }
  }

  /** @returns ends them */
  startWriters(): () => Promise<unknown> {
    const all = Promise.all(Array.from({ length: writers }, (_, writer) => this.#write(writer)));
    return () => {
      this.#isWriting = false;
      return all;
    };
  }

  async countEnded(): Promise<number> {
    return (await this.ask<{ total: number }>('/users?active=false&limit=1&total=true')).total;
  }

  /** How often users ended, by id. */
  async endsSince(cursor: string): Promise<ReadonlyMap<string, number>> {
    const ends = new Map<string, number>();
    for (let since = cursor, more = true; more; ) {
      type Page = { changes: { id: string; via: string }[]; next: string };
      const page = await this.ask<Page>(`/changes?limit=1000&since=${since}`);
      for (const { id, via } of page.changes) if (via === 'validity') ends.set(id, (ends.get(id) ?? 0) + 1);
      [since, more] = [page.next, page.changes.length > 0];
    }
    return ends;
  }
}

async function measure(store: string, client: Client, until: number): Promise<void> {
  const { next } = await client.ask<{ next: string }>('/changes?since=now');
  await pause(until - alone - Date.now());
  const stop = client.startWriters();
  await pause(until - Date.now());
  const before = client.written / (alone / 1000);
  const written = client.written;
  while ((await client.countEnded()) < due) await pause(100);
  const seconds = (Date.now() - until) / 1000;
  const during = (client.written - written) / seconds;
  await stop();
  const ends = await client.endsSince(next);
  const isOnce = ends.size === due && [...ends.values()].every((times) => times === 1);
  const isMet = isOnce && seconds <= bounds.seconds && during / before >= bounds.share;
  console.log(
    `${store}: ${due} users ended within ${seconds.toFixed(1)} s (at most ${bounds.seconds}), ${isOnce ? 'each once' : 'NOT EACH ONCE'}; writers kept ${(during / before).toFixed(2)} of ${before.toFixed(0)}/s (at least ${bounds.share}): ${isMet ? 'met' : 'MISSED'}`,
  );
  if (values.check && !isMet) process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'users-validity-'));
const { settings, apiKey } = await makeCredentials(folder);

async function serve(store: string, open: () => Promise<Store>, more: Settings): Promise<void> {
  const until = Math.ceil((Date.now() + preparation) / 1000) * 1000;
  await fill(await open(), new Date(until).toISOString());
  const server = await startServer(serviceScript, folder, {
    ...settings.secret,
    ...more,
    USERS_WORKERS: '2',
  });
  try {
    await measure(store, new Client(server.url, apiKey.headers), until);
  } finally {
    await server.stop();
  }
}

function onSqlite(): Promise<void> {
  const file = join(folder, 'users.db');
  const onFatal = (cause: unknown) => {
    throw cause;
  };
  return serve('SQLite', () => openSqliteStore({ file, onFatal }), { USERS_SQLITE_FILE: file });
}

const onMongo = (): Promise<void> =>
  withFilledMongo(0, (uri) =>
    serve('MongoDB', () => openMongoStore({ uri, onProblem: console.error }), {
      USERS_STORE: 'mongodb',
      USERS_MONGODB_URI: uri,
    }),
  );

try {
  for (const [name, run] of Object.entries({ sqlite: onSqlite, mongodb: onMongo }))
    if (values.store === '' || values.store === name) await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
