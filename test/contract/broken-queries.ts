/** Stores that search, sort or count wrongly, for broken-stores.rest.test.ts. */

import { setImmediate as turn } from 'node:timers/promises';
import { matchAll as allUsers } from '../../src/domain/find/conditions.ts';
import { joinKey } from '../../src/domain/find/keys.ts';
import { type TermPattern, wordStarts } from '../../src/domain/find/search.ts';
import { comparePositions, type Position, type Sort } from '../../src/domain/find/sorts.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { keysOf, termsOf, withKeys, withTerms } from '../support/asked.ts';
import { makeKeys, positionOf, searchText } from '../support/kinds.ts';
import type { PlainStore } from '../support/plain-store.ts';
import type { Query } from '../support/verbs.ts';

export type Breaking = (good: PlainStore) => Partial<PlainStore>;
/** By fault: words from the title of a case that must notice the fault, and how to break a good store. */
export type Breaks = Record<string, [notices: RegExp, breaking: Breaking]>;

export const matchAll = { where: allUsers, limit: Number.MAX_SAFE_INTEGER };
const all = matchAll.limit;

/** Answers another query. */
export const asking =
  (change: (query: Query) => Partial<Query>): Breaking =>
  (good) => ({
    list: (query) => good.list({ ...query, ...change(query) }),
    count: (conditions) => {
      const { where } = { ...conditions, ...change({ ...conditions, limit: all }) };
      return good.count({ where });
    },
  });

/** Finds by other patterns than the terms have. */
const finding = (change: (pattern: TermPattern) => TermPattern): Breaking =>
  asking(({ where }) => ({
    where: withTerms(
      where,
      termsOf(where).map((term) => term.map(change)),
    ),
  }));

/** Finds the users for which `isFound` returns true. */
const matching =
  (isFound: (user: User, start: string) => boolean): Breaking =>
  (good) => {
    const found = async ({ where, limit, ...query }: Query): Promise<User[]> => {
      const terms = termsOf(where);
      const users = await good.list({ ...query, where: withTerms(where, []), limit: all });
      const those = users.filter((user) =>
        terms.every((term) => term.some(({ start }) => isFound(user, start))),
      );
      return those.slice(0, limit);
    };
    return {
      list: found,
      count: async (conditions) => (await found({ ...conditions, limit: all })).length,
    };
  };

type Compare = (one: Position, other: Position, sort: Sort) => number;

/** Lists in the order of `compare`, and by `isBehind` from a place on. */
const sorting =
  (compare: Compare, place = positionOf, isBehind: Compare = compare): Breaking =>
  (good) => ({
    list: async ({ sort = {}, after, backward = false, limit, ...conditions }) => {
      const direction = backward ? -1 : 1;
      const users = (await good.list({ ...conditions, limit: all })).map((user) => ({
        user,
        at: place(Stored.of(user), sort),
      }));
      return users
        .filter(({ at }) => after === undefined || direction * isBehind(at, after, sort) > 0)
        .sort((one, other) => direction * compare(one.at, other.at, sort))
        .slice(0, limit)
        .map(({ user }) => user);
    },
  });

const hasNone = ({ key }: Position): boolean => key === undefined;
const utf16 = (one = '', other = ''): number => (one < other ? -1 : one > other ? 1 : 0);

/** Users as they were inserted. */
function remembering(good: PlainStore): { first: Map<string, User>; insert: PlainStore['insert'] } {
  const first = new Map<string, User>();
  return {
    first,
    insert: async (user) => {
      await good.insert(user);
      first.set(user.id, structuredClone(user));
    },
  };
}

export const queryBreaks: Breaks = {
  'ignores a search': [
    /beginnings of words in each searched member/,
    asking(({ where }) => ({ where: withTerms(where, []) })),
  ],
  'searches by the first term only': [
    /only users that each term finds/,
    asking(({ where }) => ({ where: withTerms(where, termsOf(where).slice(0, 1)) })),
  ],
  'filters or searches, but not both': [
    /the terms and all filters match/,
    asking(({ where }) => ({ where: termsOf(where).length > 0 ? withKeys(where) : where })),
  ],
  'finds words by their middle': [
    /no user by the middle of a word/,
    matching((user, start) => searchText(user).replaceAll('\x1f', '').includes(start)),
  ],
  'finds only what stands behind white space': [
    /beginnings of words in each searched member/,
    finding(({ start, pattern }) => ({ start, pattern: pattern.replace(/^(?!\n)/, '\n') })),
  ],
  'compares as much of a term as its index has': [
    /compares a long term to its end/,
    matching(
      (user, start) =>
        wordStarts(searchText(user), 24).has([...start].slice(0, 24).join('')) || start.length < 24,
    ),
  ],
  'reads a search as a pattern': [
    /takes a search literally/,
    matching((user, start) => {
      const pattern = start
        .replaceAll('%', '.*')
        .replaceAll('_', '.')
        .replace(/[\\^$()[\]{}+?|]/g, '\\$&');
      return [...wordStarts(searchText(user), all)].some((word) => new RegExp(`^${pattern}`, 'u').test(word));
    }),
  ],
  'finds by the words that a user had at first': [
    /by its new words only/,
    (good) => {
      const { first, insert } = remembering(good);
      const breaking = matching((user, start) =>
        [...wordStarts(searchText(first.get(user.id) ?? user), all)].some((word) => word.startsWith(start)),
      );
      return { ...breaking(good), insert };
    },
  ],
  'looks for one way in which a term can match': [
    /even if its search text was truncated/,
    asking(({ where }) => ({
      where: withTerms(
        where,
        termsOf(where).map((term) => term.slice(0, 1)),
      ),
    })),
  ],
  'takes its own mark for text that a client may type': [
    /users that its patterns match/,
    finding(({ start, pattern }) => ({ start, pattern: pattern.replace('\x1d', '\x01') })),
  ],
  'always sorts upwards': [
    /lists by created, up and down/,
    asking(({ sort }) => ({ sort: { ...sort, descending: false } })),
  ],
  'always sorts by id': [/lists by familyName/, asking(({ sort }) => ({ sort: { ...sort, by: undefined } }))],
  'walks forwards only': [/lists by id, up and down, forwards and/, asking(() => ({ backward: false }))],
  'gives the pages of a backward walk in forward order': [
    /lists by userName, up and down, forwards and/,
    (good) => ({
      list: async (query) => {
        const page = await good.list(query);
        return query.backward ? page.reverse() : page;
      },
    }),
  ],
  'lists users without the value first': [
    /without the value last/,
    sorting((one, other, sort) =>
      hasNone(one) === hasNone(other) ? comparePositions(one, other, sort) : hasNone(one) ? -1 : 1,
    ),
  ],
  'lists users without the value first in the reversed order': [
    /without the value last/,
    sorting((one, other, { descending }) => comparePositions(one, other) * (descending ? -1 : 1)),
  ],
  'keeps the order of equal users in the reversed order': [
    /equal users in the order of their ids/,
    sorting((one, other, sort) =>
      one.key === other.key && sort.by !== undefined
        ? comparePositions(one, other)
        : comparePositions(one, other, sort),
    ),
  ],
  'compares texts by UTF-16': [
    /by code points/,
    sorting((one, other, sort) => {
      if (hasNone(one) || hasNone(other)) return comparePositions(one, other, sort);
      return (utf16(one.key, other.key) || utf16(one.id, other.id)) * (sort.descending ? -1 : 1);
    }),
  ],
  'compares whole texts': [
    /if their first 128/,
    sorting(comparePositions, (user, sort = {}) => {
      const position = positionOf(user, sort);
      const { displayName } = user.value as User;
      return sort.by === 'displayName' && displayName !== undefined
        ? { ...position, key: displayName }
        : position;
    }),
  ],
  'continues behind all users that are equal to the last one': [
    /equal users in the order of their ids/,
    sorting(comparePositions, positionOf, (one, other, sort) =>
      one.key !== undefined && one.key === other.key ? 0 : comparePositions(one, other, sort),
    ),
  ],
  'begins with the one at the place': [
    /user at the given position/,
    sorting(comparePositions, positionOf, (one, other, sort) => comparePositions(one, other, sort) || 1),
  ],
  'takes the end of a range of keys for a part of it': [
    /in a range of keys/,
    asking(({ where }) => ({
      where: 'sort' in where && where.to !== undefined ? { ...where, to: `${where.to}\0` } : where,
    })),
  ],
  'finds nothing behind a place without a user': [
    /a place where no user stands/,
    (good) => ({
      list: async (query) => {
        const { after } = query;
        return after === undefined || (await good.find(after.id)) ? good.list(query) : [];
      },
    }),
  ],
  'sorts by the value that a user had at first': [
    /repeats or misses/,
    (good) => {
      const { first, insert } = remembering(good);
      const breaking = sorting(comparePositions, (user, sort) =>
        positionOf(Stored.of(first.get(user.id) ?? (user.value as User)), sort),
      );
      return { ...breaking(good), insert };
    },
  ],
  'counts pages off in the order of a key': [
    /whose place stays, while others are created/,
    (good) => {
      let from = 0;
      return {
        list: async (query) => {
          from = query.after === undefined ? 0 : from;
          const page = (await good.list({ ...query, after: undefined, limit: all })).slice(
            from,
            from + query.limit,
          );
          from += page.length;
          return page;
        },
      };
    },
  ],
  'is without a user while it replaces it': [
    /whose place stays, while 32 write/,
    (good) => ({
      replace: async (user, version) => {
        if (!(await good.remove(user.id, version))) return false;
        await turn();
        await good.insert(user);
        return true;
      },
      list: async (query) => {
        await turn();
        return good.list(query);
      },
    }),
  ],
  'counts one too many': [
    /under each kind of condition/,
    (good) => ({ count: async (asked) => (await good.count(asked)) + 1 }),
  ],
  'stops counting at the requested limit without saying that there are more': [
    /counts up to the requested limit/,
    (good) => ({
      count: async ({ where, most = all }) => Math.min(most, await good.count({ where })),
    }),
  ],
  'ignores the search when it counts': [
    /under each kind of condition/,
    (good) => ({ count: ({ where }) => good.count({ where: withTerms(where, []) }) }),
  ],
  'ignores filters when it counts': [
    /under each kind of condition/,
    (good) => ({ count: ({ where }) => good.count({ where: withKeys(where) }) }),
  ],
  'counts up with each write and never down': [
    /counts exactly after each write/,
    (good) => {
      const most = new Map<string, number>();
      return {
        count: async (asked) => {
          const key = JSON.stringify(asked);
          most.set(key, Math.max(most.get(key) ?? 0, await good.count(asked)));
          return most.get(key) ?? 0;
        },
      };
    },
  ],
  'counts the users that a filter found when they were inserted': [
    /counts the users that filters find/,
    (good) => {
      const { first, insert } = remembering(good);
      return {
        insert,
        count: async ({ where }) => {
          const there = await good.list({ where: withKeys(where), limit: all });
          const wanted = keysOf(where).map(joinKey);
          const had = ({ id }: User) => {
            const user = first.get(id);
            const keys = user === undefined ? [] : makeKeys(user).filters.map(joinKey);
            return wanted.every((key) => keys.includes(key));
          };
          return there.filter(had).length;
        },
      };
    },
  ],
  'forgets its place on the way back in the order of a key': [
    /plain filter and sort over all users/,
    (good) => ({
      list: (query) =>
        good.list(query.backward && query.sort?.by !== undefined ? { ...query, after: undefined } : query),
    }),
  ],
};
