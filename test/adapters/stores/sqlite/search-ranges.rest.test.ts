import { expect } from 'chai';
import { matching } from '../../../../src/domain/find/conditions.ts';
import { parseSearch } from '../../../../src/domain/find/search.ts';
import { comparePositions, type Position } from '../../../../src/domain/find/sorts.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { positionOf } from '../../../support/kinds.ts';
import { giveFile, openAt } from './a-file.ts';

describe('The search index of users in SQLite', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  it('finds a range of keys in the order of these keys', async () => {
    const store = await openAt(file);
    const many = Array.from({ length: 7000 }, (_, index) =>
      aUser({
        userName: `v${index}`,
        name: { familyName: `${index % 7 < 3 ? 'Hopper' : index % 2 ? 'Abel' : 'Zuse'}${index % 5}` },
      }),
    );
    await Promise.all(many.map((user) => store.insert(Stored.of(user))));
    const terms = parseSearch('hop');
    if (typeof terms === 'string') throw new Error(terms);
    for (const descending of [false, true]) {
      const sort = { by: 'familyName', descending };
      const expected = many
        .filter(({ name }) => name?.familyName?.startsWith('Hopper'))
        .map((user) => positionOf(Stored.of(user), sort))
        .sort((one, other) => comparePositions(one, other, sort))
        .map(({ id }) => id);
      for (const backward of [false, true]) {
        const seen: string[] = [];
        for (let after: Position | undefined; ; ) {
          const page = await store.list({ where: matching({}, terms), sort, after, backward, limit: 400 });
          seen.push(...page.map(({ id }) => id));
          const last = page.at(-1);
          if (last === undefined) break;
          after = positionOf(last, sort);
        }
        expect(seen).to.deep.equal(backward ? expected.toReversed() : expected);
      }
    }
    await store.close();
  });
});
