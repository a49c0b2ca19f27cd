import { expect } from 'chai';
import fc from 'fast-check';
import { BestPlaces } from '../../../../src/adapters/stores/sqlite/best-places.ts';
import { comparePositions, type Position } from '../../../../src/domain/sorts.ts';

const anyPlace: fc.Arbitrary<Position> = fc.record({
  id: fc.integer({ min: 0, max: 9999 }).map((id) => String(id).padStart(4, '0')),
  key: fc.constantFrom('a', 'b', 'c', undefined),
});

describe('The first of many places', () => {
  it('are those that a plain sort begins with, behind the place that is asked for, in whatever order they come', () => {
    fc.assert(
      fc.property(
        // Sorted every two thousand: with fewer than that only in the end.
        fc.uniqueArray(anyPlace, { selector: ({ id }) => id, minLength: 10, maxLength: 60 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
        fc.option(anyPlace, { nil: undefined }),
        fc.boolean(),
        fc.boolean(),
        (few, copies, share, after, descending, backward) => {
          const all = few.flatMap((place) =>
            Array.from({ length: copies }, (_, copy) => ({ ...place, id: `${place.id}-${copy}` })),
          );
          const most = Math.ceil(all.length / share);
          const query = { filters: {}, sort: { by: 'displayName', descending }, after, backward, limit: 1 };
          const compare = (one: Position, other: Position) =>
            comparePositions(one, other, query.sort) * (backward ? -1 : 1);
          const best = new BestPlaces(query, most);
          for (let at = 0; at < all.length; at += 500) best.add(all.slice(at, at + 500));
          const found = best.finish();
          const sorted = all.toSorted(compare);
          const behind = sorted.filter((place) => after === undefined || compare(place, after) > 0);
          if (best.isAll) expect(found).to.deep.equal(sorted);
          else expect(found).to.deep.equal(behind.slice(0, best.isComplete ? undefined : most));
          expect(best.isAll).to.equal(all.length <= most);
          expect(best.isComplete).to.equal(all.length <= most || behind.length <= most);
        },
      ),
      { numRuns: 60 },
    );
  });
});
