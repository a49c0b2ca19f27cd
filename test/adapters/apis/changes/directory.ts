/** A service over a store with a change log, and the words in which tests follow its changes. */
import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import type { Store } from '../../../../src/domain/store.ts';
import {
  type Answer,
  aToken,
  type GivenSettings,
  startService,
  type TestService,
} from '../../../support/service.ts';

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
