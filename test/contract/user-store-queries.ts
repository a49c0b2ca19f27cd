import { expect } from 'chai';
import fc from 'fast-check';
import { parseSearch } from '../../src/domain/search.ts';
import { positionOf, type Sort, sortNames } from '../../src/domain/sorts.ts';
import { StoredUser } from '../../src/domain/stored-user.ts';
import type { User } from '../../src/domain/user.ts';
import { anyContent, anyTerm, typed, userWith } from '../support/colliding-users.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { runs } from '../support/runs.ts';
import { answer } from './query-oracle.ts';
import type { Bench } from './user-store.ts';

/** How many directories are tried. */
const directories = runs(3);
/** In milliseconds: what was found is told before mocha's time is over, whether it could be made smaller or not. */
const timeLimit = 4000;

const anyFilter = fc.constantFrom(
  { active: 'true' },
  { active: 'false' },
  { role: 'a' },
  { externalId: 'a' },
  { active: 'true', role: 'b' },
);
const anyQuery = fc.record({
  filters: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyFilter }),
  terms: fc.array(anyTerm, { maxLength: 2 }),
  by: fc.option(fc.constantFrom(...sortNames), { nil: undefined }),
  descending: fc.boolean(),
  limit: fc.constantFrom(1, 2, 5, 7, 100),
  skip: fc.constantFrom(0, 1, 2, 3, 10, 29),
});
type AnyQuery = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

const anyDirectory = fc.record({
  contents: fc.array(anyContent, { minLength: 1, maxLength: 30, size: 'max' }),
  /** Put in the place of what the users had at first. */
  later: fc.array(anyContent, { maxLength: 6 }),
  queries: fc.array(anyQuery, { minLength: 12, maxLength: 24, size: 'max' }),
});

const idsOf = (users: readonly User[]): string[] => users.map(({ id }) => id);

async function ask(store: PlainStore, users: readonly User[], query: AnyQuery): Promise<void> {
  const { terms: anyTerms, by, descending, limit, skip, filters } = query;
  const search = anyTerms.map((term) => typed(term, users)).join(' ');
  const terms = search.trim() === '' ? [] : parseSearch(search);
  // It may not be asked.
  if (typeof terms === 'string') return;
  const wanted = answer(users, { filters, search, by, descending });
  const sort: Sort = by === undefined ? { descending } : { by, descending };
  const what = JSON.stringify({ search, filters, sort, skip, limit });
  expect(await store.count({ filters, terms }), `count of ${what}`).to.equal(wanted.length);
  for (const backward of [false, true]) {
    const left = backward ? [...wanted].reverse() : wanted;
    const way = backward ? 'backwards' : 'forwards';
    let last: User | undefined;
    for (let at = 0; at <= left.length; at += limit) {
      const after = last && positionOf(StoredUser.of(last), sort);
      const walk = { filters, terms, sort, backward, after, limit };
      const page = await store.list(walk);
      expect(idsOf(page), `${way} from ${at}: ${what}`).to.deep.equal(idsOf(left.slice(at, at + limit)));
      if (at === 0 || at === 2 * limit) {
        const behind = idsOf(left.slice(at + skip, at + skip + limit));
        expect(idsOf(await store.list({ ...walk, skip })), `${way} past ${at}: ${what}`).to.deep.equal(
          behind,
        );
      }
      last = page.at(-1) ?? last;
    }
  }
}

export function queryCases({ ui, store }: Bench): void {
  ui.describe('whatever one asks', () => {
    ui.it(
      'gives what a plain filter and sort over all users gives, page by page, both ways, and counts it',
      async () => {
        await fc.assert(
          fc.asyncProperty(anyDirectory, async ({ contents, later, queries }) => {
            const users = contents.map((content) => userWith(content));
            await Promise.all(users.map((user) => store().insert(user)));
            for (const [at, content] of later.entries()) {
              const user = users[at];
              if (!user) break;
              const next = userWith(content, user.id);
              await store().replace(next, user.meta.version);
              users[at] = next;
            }
            try {
              for (const query of queries) await ask(store(), users, query);
            } finally {
              // The same store for all: to open one takes longer than to ask it.
              await Promise.all(users.map(({ id, meta }) => store().remove(id, meta.version)));
            }
          }),
          { numRuns: directories, interruptAfterTimeLimit: timeLimit, markInterruptAsFailure: false },
        );
      },
    );
  });
}
