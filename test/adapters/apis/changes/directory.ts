/** A service over a store with a change log, and the words in which tests follow its changes. */
import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import type { ChangeLog } from '../../../../src/domain/changes/log.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import {
  type Answer,
  aToken,
  type GivenSettings,
  startService,
  type TestService,
} from '../../../support/service.ts';
import { overridden } from '../../../support/stores.ts';

export interface Change {
  readonly cursor: string;
  readonly type: string;
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface ChangesBody {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly more: boolean;
}

export const changesIn = ({ status, text }: Answer): ChangesBody => {
  expect(status, text).to.equal(200);
  return JSON.parse(text);
};

export interface Directory extends TestService {
  /** The body of a feed or a history. */
  read(path: string): Promise<ChangesBody>;
  /** Sends JSON as a client of this name, and gives the answer's id, or that of the path. */
  write(method: string, path: string, body?: object, client?: string): Promise<string>;
  /** `count` users. @returns their ids */
  addUsers(count: number): Promise<readonly string[]>;
}

export async function openDirectory(
  store: Store = memoryStore(),
  settings: GivenSettings = {},
): Promise<Directory> {
  const service = await startService(settings, store);
  const write: Directory['write'] = async (method, path, body, client = 'hr-sync') => {
    const { status, text } = await service.send(path, {
      method,
      headers: {
        authorization: `Bearer ${await aToken(undefined, undefined, client)}`,
        ...(body && {
          'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(status, `${method} ${path}: ${text}`).to.be.within(200, 299);
    return text === '' ? (path.split('/')[2] ?? '') : JSON.parse(text).id;
  };
  let made = 0;
  return {
    ...service,
    write,
    read: async (path) => changesIn(await service.send(path)),
    async addUsers(count) {
      const ids: string[] = [];
      for (let at = 0; at < count; at += 1) {
        made += 1;
        ids.push(await write('POST', '/users', { userName: `user${made}` }));
      }
      return ids;
    },
  };
}

interface CountedLooks {
  readonly store: Store;
  /** Calls of the log's methods, and the entries that they gave. */
  readonly counts: { read: number; latest: number; entries: number };
  /** Whether the log is out of reach. */
  fail(isAway: boolean): void;
  /** From now on it is the log of another store. */
  replaceLog(): void;
}

/** The store, with a log whose calls are counted. */
export function countLooks(store: Store): CountedLooks {
  const counts = { read: 0, latest: 0, entries: 0 };
  let log = store.changes as ChangeLog;
  let isAway = false;
  const assertThere = (): void => {
    if (isAway) throw new DomainError('unavailable', 'The store is out of reach.');
  };
  const changes: ChangeLog = {
    async read(...asked) {
      counts.read += 1;
      assertThere();
      const page = await log.read(...asked);
      counts.entries += page.entries.length;
      return page;
    },
    async latest() {
      counts.latest += 1;
      assertThere();
      return await log.latest();
    },
    async history(...asked) {
      const page = await log.history(...asked);
      counts.entries += page.entries.length;
      return page;
    },
    measure: () => log.measure(),
    prune: (...asked) => log.prune(...asked),
    erase: (...asked) => log.erase(...asked),
  };
  return {
    store: overridden(store, { changes }),
    counts,
    fail: (away) => {
      isAway = away;
    },
    replaceLog: () => {
      log = memoryStore().changes as ChangeLog;
    },
  };
}
