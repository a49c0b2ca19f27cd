/** Stores that skip wrongly, for broken-stores.rest.test.ts. */
import type { User } from '../../src/domain/kinds/user/user.ts';
import { asking, type Breaks, matchAll } from './broken-queries.ts';

const all = matchAll.limit;

export const skipBreaks: Breaks = {
  'ignores the number to skip': [
    /skips a number of users in the order of the ids/,
    asking(() => ({ skip: undefined })),
  ],
  'skips one too few': [
    /skips a number of users in the order of created/,
    asking(({ skip = 0 }) => ({ skip: Math.max(0, skip - 1) })),
  ],
  'skips one too many': [
    /skips a number of users in the order of familyName/,
    asking(({ skip = 0 }) => ({ skip: skip === 0 ? 0 : skip + 1 })),
  ],
  'also skips users that do not match': [
    /skips only users that match/,
    (good) => ({
      list: async ({ skip = 0, limit, ...query }) => {
        const everyone = await good.list({ ...query, where: matchAll.where, skip, limit: all });
        const left = new Set(everyone.map(({ id }) => id));
        return (await good.list({ ...query, limit: all })).filter(({ id }) => left.has(id)).slice(0, limit);
      },
    }),
  ],
  'skips no user without the value': [
    /also past those without it/,
    (good) => ({
      list: async ({ skip = 0, limit, ...query }) => {
        const found = await good.list({ ...query, limit: all });
        const lacks = (user: User) => query.sort?.by === 'displayName' && user.displayName === undefined;
        const keyed = found.filter((user) => !lacks(user)).slice(skip);
        return [...keyed, ...found.filter(lacks)].slice(0, limit);
      },
    }),
  ],
  'skips from the beginning of the list, wherever the page begins': [
    /number of users behind a place/,
    (good) => ({ list: (query) => good.list(query.skip ? { ...query, after: undefined } : query) }),
  ],
  'skips the same number again in every batch': [
    /skips no user in the next query/,
    (good) => {
      let first: number | undefined;
      return {
        list: (query) => {
          if (query.after === undefined) first = query.skip;
          return good.list({ ...query, skip: query.skip ?? first });
        },
      };
    },
  ],
  'shows the last users when all are to be skipped': [
    /skips a number of users who all lack/,
    (good) => ({
      list: async (query) => {
        const page = await good.list(query);
        if (page.length > 0 || !query.skip) return page;
        return (await good.list({ ...query, skip: 0, limit: all })).slice(-query.limit);
      },
    }),
  ],
};
