import { expect } from 'chai';
import fc from 'fast-check';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { keysOf, withKeys } from '../support/asked.ts';
import { makeKeys } from '../support/kinds.ts';
import { ofPlain, plain } from '../support/plain-store.ts';
import { memoryStore } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';
import { batchBreaks } from './broken-batches.ts';
import { groupBreaks } from './broken-groups.ts';
import { type Breaking, type Breaks, matchAll, queryBreaks } from './broken-queries.ts';
import { skipBreaks } from './broken-skips.ts';
import { findFailures } from './find-failures.ts';
import { userStoreContract } from './user-store.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The store, with some methods replaced. */
function broken(breaking: Breaking): UserStore {
  const good = plain(memoryStore());
  return ofPlain({ ...good, ...breaking(good) });
}

/** Swallows refusals with this code. */
const despite = (code: string) => (cause: unknown) => {
  if (!(cause instanceof DomainError && cause.code === code)) throw cause;
};

const breaks: Breaks = {
  ...groupBreaks,
  ...queryBreaks,
  ...skipBreaks,
  ...batchBreaks,
  'accepts a name that is taken': [
    /gives a name to one of the writers/,
    (good) => ({ insert: (user) => good.insert(user).catch(despite('user-name-taken')) }),
  ],
  'accepts an id that is taken': [
    /a second user with the same id/,
    (good) => ({ insert: (user) => good.insert(user).catch(despite('id-taken')) }),
  ],
  'compares names as typed': [
    /treats Alice and aLICE as one name/,
    (good) => ({
      insert: async (user) => {
        const all = await good.list(matchAll);
        const isTaken = all.some(({ userName }) => userName === user.userName);
        await good.insert(isTaken ? user : { ...user, userName: `${user.userName}${user.id}` });
      },
    }),
  ],
  'replaces any version': [
    /replaces nothing when the version has moved on/,
    (good) => ({
      replace: async (user) => good.replace(user, (await good.find(user.id))?.meta.version ?? ''),
    }),
  ],
  'removes any version': [
    /removes nothing when the version has moved on/,
    (good) => ({ remove: async (id) => good.remove(id, (await good.find(id))?.meta.version ?? '') }),
  ],
  'compares a version first and writes later': [
    /lets one of the writers replace a version/,
    (good) => ({
      replace: async (user, version) => {
        if ((await good.find(user.id))?.meta.version !== version) return false;
        await turn();
        return good.replace(user, (await good.find(user.id))?.meta.version ?? '');
      },
    }),
  ],
  'keeps the object that was passed in': [
    /keeps its own copy/,
    (good) => {
      const passed = new Map<string, User>();
      return {
        insert: async (user) => {
          await good.insert(user);
          passed.set(user.id, user);
        },
        find: async (id) => passed.get(id),
      };
    },
  ],
  'returns the object that it keeps': [
    /returns copies/,
    (good) => {
      const found = new Map<string, User | undefined>();
      return {
        find: async (id) => {
          if (!found.has(id)) found.set(id, await good.find(id));
          return found.get(id);
        },
      };
    },
  ],
  'answers before a write can be seen': [
    /shows a write to every read/,
    (good) => ({
      insert: async (user) => {
        turn()
          .then(() => good.insert(user))
          .catch(() => {});
      },
    }),
  ],
  'skips the first of each further page': [
    /exactly once in pages of 7/,
    (good) => ({
      list: async (query) =>
        query.after === undefined
          ? good.list(query)
          : (await good.list({ ...query, limit: query.limit + 1 })).slice(1),
    }),
  ],
  'counts pages off instead of seeking': [
    /created, deleted and changed between the pages/,
    (good) => {
      const offsets = new Map<string | undefined, number>();
      return {
        list: async ({ where, after, limit }) => {
          const from = offsets.get(after?.id) ?? 0;
          const page = (await good.list({ ...matchAll, where })).slice(from, from + limit);
          offsets.set(page.at(-1)?.id, from + page.length);
          return page;
        },
      };
    },
  ],
  'lists in another order': [
    /in the order of their ids/,
    (good) => ({ list: async (query) => (await good.list(query)).reverse() }),
  ],
  'ignores the limit': [
    /at most the requested number of users/,
    (good) => ({ list: (query) => good.list({ ...query, limit: matchAll.limit }) }),
  ],
  'filters by the first filter only': [
    /users that all filters match/,
    (good) => ({
      list: (query) => good.list({ ...query, where: withKeys(query.where, 1) }),
    }),
  ],
  'reads keys as patterns': [
    /takes keys literally/,
    (good) => ({
      list: async (query) =>
        (await good.list({ ...matchAll, after: query.after })).filter((user) =>
          keysOf(query.where).every(([filter, key]) =>
            makeKeys(user).filters.some((pair) => pair[0] === filter && (key === '%' || pair[1] === key)),
          ),
        ),
    }),
  ],
  'finds by the keys that a user had at first': [
    /by its new keys and no longer by the old ones/,
    (good) => {
      const first = new Map<string, User>();
      return {
        insert: async (user) => {
          await good.insert(user);
          first.set(user.id, structuredClone(user));
        },
        list: async (query) => {
          const all = await good.list({ ...matchAll, after: query.after });
          const had = (user: User) =>
            makeKeys(first.get(user.id) ?? user).filters.map((pair) => pair.join(':'));
          const wanted = keysOf(query.where).map((pair) => pair.join(':'));
          return all.filter((user) => wanted.every((key) => had(user).includes(key))).slice(0, query.limit);
        },
      };
    },
  ],
  'never closes': [/when it is closed/, () => ({ close: async () => {} })],
  'fails when it is closed twice': [
    /closed twice/,
    (good) => ({
      close: async () => {
        await good.check();
        await good.close();
      },
    }),
  ],
};

const failures = (open: () => UserStore, titles?: RegExp): Promise<string[]> =>
  findFailures((ui) => userStoreContract('tried', async () => ({ store: open() }), { ui }), titles);

describe("The stores' contract", () => {
  it('accepts a store that keeps it', async () => {
    expect(await failures(() => broken(() => ({})))).to.deep.equal([]);
  });
  for (const [what, [notices, breaking]] of Object.entries(breaks)) {
    it(`notices a store that ${what}`, async () => {
      let noticed: string[] = [];
      const { seed = Date.now(), ...drawing } = fc.readConfigureGlobal();
      // A case with random queries doesn't find the fault in each run.
      for (let run = 0; noticed.length === 0 && run < 20; run += 1) {
        fc.configureGlobal({ ...drawing, seed: seed + run });
        noticed = await failures(() => broken(breaking), notices);
      }
      expect(noticed).not.to.deep.equal([]);
    });
  }
});
