/** A service over a store that can be exchanged, and lists as its clients read them. */

import { expect } from 'chai';
import { formats } from '../../../../src/adapters/formats/index.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { listsOf, readList } from '../../../contract/format-lists.ts';
import { type Answer, startService, type TestService } from '../../../support/service.ts';
import { memoryStore } from '../../../support/stores.ts';
import type { UserStore } from '../../../support/verbs.ts';

export async function storeOf(users: readonly User[]): Promise<UserStore> {
  const store = memoryStore();
  for (const user of users) await store.insert(Stored.of(user));
  return store;
}

export interface Page {
  readonly answer: Answer;
  readonly users: readonly User[];
  readonly ids: readonly string[];
  readonly total: number | undefined;
  /** Queries, by relation. */
  readonly links: Readonly<Record<string, string>>;
}

export interface Directory {
  readonly service: TestService;
  use(store: UserStore): void;
  /** @param format its name; JSON when it is left out */
  page(query: string, format?: string): Promise<Page>;
  /** The pages that one relation leads to, from that of the query on. */
  walk(query: string, relation: 'next' | 'prev'): Promise<Page[]>;
}

export const acceptOf = (name: string): string =>
  formats.find((format) => format.name === name)?.mediaTypes[0]?.type ?? '';

const linksIn = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...(headers.get('link') ?? '').matchAll(/<\/users\?([^>]*)>; rel="([a-z]+)"/g)].map(
      ([, query = '', relation = '']) => [relation, query],
    ),
  );

const totalIn = (text: string): number | undefined => {
  const [, total] = /^(?:\{"total":|<\?xml[^>]*><users [^>]*total=")([0-9]+)/.exec(text) ?? [];
  return total === undefined ? undefined : Number(total);
};

async function usersIn(text: string, name: string): Promise<User[]> {
  const format = formats.find((one) => one.name === name) ?? expect.fail(`no format ${name}`);
  const { items, error } = await readList(listsOf(format), text, [1000]);
  expect(error).to.equal(undefined);
  return items.map(({ value, violations }) => {
    expect(violations).to.deep.equal([]);
    return value as User;
  });
}

export async function startDirectory(): Promise<Directory> {
  let current = memoryStore();
  const store = new Proxy(current, {
    get: (_, name) => {
      const member: unknown = Reflect.get(current, name);
      return typeof member === 'function' ? member.bind(current) : member;
    },
  });
  const service = await startService({}, store);
  const page = async (query: string, format = 'json'): Promise<Page> => {
    const answer = await service.send(`/users?${query}`, { headers: { accept: acceptOf(format) } });
    expect(answer.status, `${query}: ${answer.text}`).to.equal(200);
    const users = await usersIn(answer.text, format);
    const ids = users.map(({ id }) => id);
    return { answer, users, ids, total: totalIn(answer.text), links: linksIn(answer.headers) };
  };
  return {
    service,
    use: (next) => {
      current = next;
    },
    page,
    async walk(query, relation) {
      const pages: Page[] = [];
      for (let at: string | undefined = query; at !== undefined; at = pages.at(-1)?.links[relation])
        pages.push(await page(at));
      return pages;
    },
  };
}
