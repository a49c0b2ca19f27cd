import { expect } from 'chai';
import fc from 'fast-check';
import type { ResourceDocument } from '../../../../src/adapters/stores/mongodb/documents/document.ts';
import { Pages } from '../../../../src/adapters/stores/mongodb/query/pages.ts';
import { type Condition, matching } from '../../../../src/domain/find/conditions.ts';
import { parseSearch, type Term } from '../../../../src/domain/find/search.ts';
import type { Position, Sort } from '../../../../src/domain/find/sorts.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { keptSorts, positionOf } from '../../../support/kinds.ts';
import { describeMongo, inADatabase } from '../../../support/mongodb.ts';
import { runs } from '../../../support/runs.ts';
import { memoryStore } from '../../../support/stores.ts';
import type { Conditions, Query, UserStore } from '../../../support/verbs.ts';
import { listsOf, userKind } from './documents.ts';

/** Words that begin alike, mean something to a database, are longer than an index has them, or have no spaces between them. */
const pieces = [
  'Ada',
  'adam',
  "O'Brien",
  'ab.cd-ef',
  '$where',
  '%',
  '_x',
  '.*',
  '^a',
  '(a|b)',
  '\\Qa\\E',
  'ß',
  'Zoë',
  '山田太郎',
  'ไทยแลนด์',
  '\u{10ffff}z',
  '\u{d7ff}z',
  'a'.repeat(30),
  `${'a'.repeat(24)}b`,
  `${'a'.repeat(23)}c`,
  '12/34',
];
const word = fc.constantFrom(...pieces);
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const phone = fc.constantFrom('+31 20 1234', '0031-201234', '1234', '34 12');

const user: fc.Arbitrary<User> = fc
  .record(
    {
      displayName: phrase,
      title: word,
      name: fc.record({ familyName: word }),
      phoneNumbers: fc.array(
        phone.map((value) => ({ value })),
        { minLength: 1, maxLength: 2 },
      ),
      roles: fc.subarray(['x', 'y'], { minLength: 1 }),
      active: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((more) => aUser(more));

/** The beginning of a word, or of anything. */
const searched = fc
  .oneof(
    fc.tuple(word, fc.nat(40)).map(([text, length]) =>
      Array.from(text)
        .slice(0, length + 1)
        .join(''),
    ),
    fc.constantFrom('201', '+31201234', '4321', '1234', 'user-', '\u001d31', '.', 'a.*', '12', '\0a', 'a\0'),
    fc.string({ minLength: 1, maxLength: 3 }),
  )
  .map((text): readonly Term[] => {
    const terms = parseSearch(text);
    return typeof terms === 'string' ? [] : terms;
  });

const plainConditions: fc.Arbitrary<Condition> = fc
  .tuple(
    fc.constantFrom({}, {}, { role: 'x' }, { role: 'y', active: 'true' }, { active: 'false' }),
    fc.array(searched, { maxLength: 2 }).map((terms) => terms.flat()),
  )
  .map(([filters, terms]) => matching(filters, terms));
const negative: fc.Arbitrary<Condition> = fc.constantFrom<Condition>(
  { exists: 'role' },
  { exists: 'email' },
  { not: { exists: 'role' } },
  { not: { exists: 'title' } },
  { not: { exists: 'email' } },
  { not: matching({ role: 'x', active: 'true' }) },
);
const someConditions = fc.array(fc.oneof(plainConditions, negative), { maxLength: 3 });
const conditions: fc.Arbitrary<Conditions> = fc
  .oneof(
    { weight: 3, arbitrary: plainConditions },
    { weight: 1, arbitrary: negative },
    { weight: 1, arbitrary: fc.tuple(plainConditions, negative).map((all): Condition => ({ all })) },
    { weight: 1, arbitrary: someConditions.map((any): Condition => ({ any })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(plainConditions, someConditions, someConditions)
        .map(([one, some, others]): Condition => ({ all: [one, { any: [{ all: some }, ...others] }] })),
    },
  )
  .map((where) => ({ where }));
const sort: fc.Arbitrary<Sort> = fc.record({
  by: fc.constantFrom(undefined, ...keptSorts),
  descending: fc.boolean(),
});

const idsOf = (users: readonly Stored<User>[]): string[] => users.map(({ id }) => id);

async function walk(
  store: Pick<UserStore, 'list'>,
  query: Omit<Query, 'after'>,
  from?: Position,
): Promise<string[]> {
  const ids: string[] = [];
  for (let after = from; ; ) {
    const page = await store.list({ ...query, after });
    ids.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined) return ids;
    after = positionOf(last, query.sort);
  }
}

describeMongo('Any query of any users', () => {
  it('has the same result from MongoDB as from memory: each page, forwards and backwards, and the count', () =>
    inADatabase(async (database) => {
      const store = await database.open();
      const users = database.client.db().collection<ResourceDocument>('users');
      // As if everybody were too many to be sorted.
      const walking = listsOf(new Pages(userKind, users, { maxTimeMS: 10_000, most: 0 }));
      await fc.assert(
        fc.asyncProperty(
          fc.array(user, { minLength: 1, maxLength: 40 }),
          fc.array(
            fc.tuple(
              conditions,
              sort,
              fc.integer({ min: 1, max: 9 }),
              fc.oneof(fc.nat(45), fc.constant(50_000)),
            ),
            {
              minLength: 20,
              maxLength: 20,
            },
          ),
          async (all, queries) => {
            const plainly = memoryStore();
            await users.deleteMany({});
            for (const one of all) {
              await plainly.insert(Stored.of(one));
              await store.insert(Stored.of(one));
            }
            for (const [asked, order, limit, skip] of queries) {
              const query = { ...asked, sort: order, limit };
              const ids = await walk(plainly, query);
              expect(await walk(store, query), 'forwards').to.deep.equal(ids);
              expect(await walk(walking, query), 'forwards, walking').to.deep.equal(ids);
              expect(await walk(store, { ...query, backward: true }), 'backwards').to.deep.equal(
                ids.reverse(),
              );
              expect(await store.count(asked), 'count').to.equal(ids.length);
              const [somebody] = all;
              const place = somebody && positionOf(Stored.of(somebody), order);
              for (const backward of [false, true]) {
                for (const after of [undefined, place]) {
                  const passing = { ...query, backward, after, skip };
                  const page = idsOf(await plainly.list(passing));
                  expect(idsOf(await store.list(passing)), `passing over ${skip}`).to.deep.equal(page);
                  expect(idsOf(await walking.list(passing)), 'walking').to.deep.equal(page);
                }
                const behind = await walk(plainly, { ...query, backward }, place);
                expect(await walk(store, { ...query, backward }, place)).to.deep.equal(behind);
                expect(await walk(walking, { ...query, backward }, place)).to.deep.equal(behind);
              }
            }
          },
        ),
        { numRuns: runs(15) },
      );
    }));
});
