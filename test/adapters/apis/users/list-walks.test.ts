import { expect } from 'chai';
import fc from 'fast-check';
import { ListParameters } from '../../../../src/adapters/apis/resources/parameters.ts';
import { comparePositions } from '../../../../src/domain/find/sorts.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { positionOf, userDefinition } from '../../../support/kinds.ts';
import { runs } from '../../../support/runs.ts';
import { type Directory, type Page, startDirectory, storeOf } from './a-directory.ts';

/** Few values, so that there are equals, and users without. */
const texts = fc.constantFrom('a', 'B', 'Ä', 'ß', 'z z', '\u{1F600}', '\uFFFD', 'x'.repeat(128));
const longTexts = fc.constantFrom(...['y', 'z'].map((end) => 'ﬁ'.repeat(128) + end));
const date = fc.constantFrom('2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.679Z');
const someUsers = fc
  .uniqueArray(
    fc.record(
      {
        id: fc.uuid(),
        active: fc.boolean(),
        displayName: fc.oneof(texts, longTexts),
        familyName: texts,
        created: date,
        lastModified: date,
      },
      { requiredKeys: ['id', 'active', 'created', 'lastModified'] },
    ),
    { selector: ({ id }) => id, maxLength: 9 },
  )
  .map((all) =>
    all.map(({ familyName, created, lastModified, ...rest }): User => {
      const user = aUser(rest);
      const name = familyName === undefined ? {} : { name: { familyName } };
      return { ...user, ...name, meta: { ...user.meta, created, lastModified } };
    }),
  );

const idsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ ids }) => ids);

describe('A walk through pages', () => {
  let directory: Directory;
  before(async () => {
    directory = await startDirectory();
  });
  after(() => directory.service.close());

  for (const sort of new ListParameters(userDefinition.kind).sortValues) {
    it(`returns each user once, forwards and backwards, in the order of ${sort}`, async () => {
      const by = sort.replace('-', '');
      const order = { ...(by === 'id' ? {} : { by }), descending: sort.startsWith('-') };
      await fc.assert(
        fc.asyncProperty(
          someUsers,
          fc.integer({ min: 1, max: 4 }),
          fc.constantFrom('', '&active=true', '&search=user', '&search=z%20user'),
          async (users, limit, conditions) => {
            directory.use(await storeOf(users));
            const { ids } = await directory.page(`sort=${sort}${conditions}`);
            if (conditions === '')
              expect(ids).to.deep.equal(
                users
                  .map((user) => positionOf(Stored.of(user), order))
                  .sort((one, other) => comparePositions(one, other, order))
                  .map(({ id }) => id),
              );
            const forwards = await directory.walk(`limit=${limit}&sort=${sort}${conditions}`, 'next');
            expect(idsOf(forwards)).to.deep.equal(ids);
            const last = forwards.at(-1);
            if (last?.links.prev !== undefined) {
              const back = (await directory.walk(last.links.prev, 'prev')).reverse();
              expect(idsOf([...back, last])).to.deep.equal(ids);
            }
            const fromEnd = (await directory.walk(last?.links.last ?? '', 'prev')).reverse();
            expect(idsOf(fromEnd)).to.deep.equal(ids);
            expect(fromEnd[0]?.links).to.not.have.property('prev');
            for (const { users: page } of fromEnd.slice(1)) expect(page).to.have.length(limit);
            expect(last?.links).to.not.have.property('next');
          },
        ),
        { numRuns: runs(25) },
      );
    });
  }

  it('returns the same users in XML', async () => {
    directory.use(await storeOf(Array.from({ length: 7 }, (_, at) => aUser({ displayName: `d${9 - at}` }))));
    const json = await directory.walk('sort=-displayName&limit=3&total=true', 'next');
    let query: string | undefined = 'sort=-displayName&limit=3&total=true';
    for (const { users, total, links } of json) {
      const page: Page = await directory.page(query ?? '', 'xml');
      expect([page.users, page.total, page.links]).to.deep.equal([users, total, links]);
      query = page.links.next;
    }
    expect(query).to.equal(undefined);
  });
});
