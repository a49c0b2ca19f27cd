/** Stores that skip wrongly, for broken-stores.test.ts. */
import type { User } from '../../src/domain/kinds/user/user.ts';
import { asking, type Breaks, matchAll } from './broken-queries.ts';

const all = matchAll.limit;

export const skipBreaks: Breaks = {
  'takes no notice of how many to pass over': [
    /skips a number of users in the order of the ids/,
    asking(() => ({ skip: undefined })),
  ],
  'passes over one too few': [
    /skips a number of users in the order of created/,
    asking(({ skip = 0 }) => ({ skip: Math.max(0, skip - 1) })),
  ],
  'passes over one too many': [
    /skips a number of users in the order of familyName/,
    asking(({ skip = 0 }) => ({ skip: skip === 0 ? 0 : skip + 1 })),
  ],
  'passes over those who match nothing, too': [
    /skips only users that match/,
    (good) => ({
      list: async ({ skip = 0, limit, ...query }) => {
        const everyone = await good.list({ ...query, where: matchAll.where, skip, limit: all });
        const left = new Set(everyone.map(({ id }) => id));
        return (await good.list({ ...query, limit: all })).filter(({ id }) => left.has(id)).slice(0, limit);
      },
    }),
  ],
  'passes over no user without the value': [
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
  'passes over users from the beginning of the list, wherever the page begins': [
    /number of users behind a place/,
    (good) => ({ list: (query) => good.list(query.skip ? { ...query, after: undefined } : query) }),
  ],
  'passes over as many in every batch': [
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
  'shows the last ones when all are to be passed over': [
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
