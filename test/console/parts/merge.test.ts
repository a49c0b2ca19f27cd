import { expect } from 'chai';
import fc from 'fast-check';
import { compareVersions, mergeVersions } from '../../../console/src/change/merge.ts';
import { dropEmpty, isEqual, isObject, type JsonObject } from '../../../console/src/schema/documents.ts';

const decideNothing: ReadonlySet<string> = new Set();

function merge(base: JsonObject, theirs: JsonObject, mine: JsonObject, decided = decideNothing) {
  const differences = compareVersions([base, theirs, mine]);
  return {
    merged: mergeVersions(theirs, differences, decided),
    open: differences.filter(({ by }) => by === 'both').map(({ path }) => path.join('/')),
  };
}

describe('Merging three versions of a user', () => {
  it('takes changes of one side, member by member', () => {
    const base = { name: { familyName: 'Lovelace', givenName: 'Ada' }, title: 'A' };
    const theirs = { name: { familyName: 'King', givenName: 'Ada' }, title: 'A' };
    const mine = { name: { familyName: 'Lovelace', givenName: 'Augusta' }, title: 'B' };
    const { merged, open } = merge(base, theirs, mine);
    expect(open).to.deep.equal([]);
    expect(merged).to.deep.equal({ name: { familyName: 'King', givenName: 'Augusta' }, title: 'B' });
  });

  it('keeps a removal on one side of what the other left unchanged', () => {
    expect(merge({ a: '1', b: '2' }, { b: '2' }, { a: '1' }).merged).to.deep.equal({});
    expect(merge({ name: { x: '1' } }, {}, { name: { x: '1' }, t: '2' }).merged).to.deep.equal({ t: '2' });
  });

  it('treats names that every object inherits like other names', () => {
    const attributes = { constructor: 'x', a: '1' };
    const base = { title: 'A', attributes };
    const theirs = { title: 'B', attributes };
    const mine = { title: 'A', attributes: { a: '1' } };
    const differences = compareVersions([base, theirs, mine]);
    const [, removed] = differences;
    expect(removed).to.deep.include({ path: ['attributes', 'constructor'], by: 'mine', mine: undefined });
    expect(merge(base, theirs, mine).merged).to.deep.equal({ title: 'B', attributes: { a: '1' } });
    expect(merge(base, mine, theirs).merged).to.deep.equal({ title: 'B', attributes: { a: '1' } });
    expect(merge({}, {}, { attributes }).merged).to.deep.equal({ attributes });
    expect(isEqual({}, { toString: 'x' })).to.equal(false);
  });

  it('leaves to a person what both sides changed in different ways', () => {
    const versions = [{ a: '1' }, { a: '2' }, { a: '3' }] as const;
    expect(merge(...versions).open).to.deep.equal(['a']);
    expect(merge(...versions, new Set(['a'])).merged).to.deep.equal({ a: '3' });
    expect(merge(...versions).merged).to.deep.equal({ a: '2' });
    expect(merge({ a: '1' }, {}, { a: '3' }).open).to.deep.equal(['a']);
  });

  it('merges lists without repeats item by item, and other lists as a whole', () => {
    const { merged, open } = merge({ roles: ['a', 'b'] }, { roles: ['a', 'b', 'c'] }, { roles: ['b', 'd'] });
    expect(open).to.deep.equal([]);
    expect(merged).to.deep.equal({ roles: ['b', 'c', 'd'] });
    const emails = (...values: string[]) => ({ emails: values.map((value) => ({ value })) });
    expect(merge(emails('a'), emails('a', 'b'), emails('c')).open).to.deep.equal(['emails']);
  });

  it('has nothing to decide where both sides made the same change', () => {
    expect(merge({ a: '1' }, { a: '2', b: '1' }, { a: '2' })).to.deep.equal({
      merged: { a: '2', b: '1' },
      open: [],
    });
  });

  const text = fc.constantFrom('x', 'y', 'z');
  const document = fc.record(
    {
      a: text,
      b: text,
      name: fc.record({ c: text, d: text }, { requiredKeys: [] }),
      roles: fc.uniqueArray(text, { minLength: 1 }),
      emails: fc.array(fc.record({ value: text }), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  const clean = (value: object): JsonObject => {
    const kept = dropEmpty(value as JsonObject);
    return isObject(kept) ? kept : {};
  };

  it('returns the changed side when the other is unchanged, without a question', () => {
    fc.assert(
      fc.property(document, document, (one, other) => {
        const [base, changed] = [clean(one), clean(other)];
        for (const [theirs, mine] of [
          [base, changed],
          [changed, base],
        ] as const) {
          const { merged, open } = merge(base, theirs, mine);
          expect(open).to.deep.equal([]);
          expect(isEqual(dropEmpty(merged), dropEmpty(changed))).to.equal(true);
        }
      }),
    );
  });

  it('keeps every value that both sides agree on', () => {
    fc.assert(
      fc.property(document, document, document, (...given) => {
        const [base, theirs, mine] = given.map(clean) as [JsonObject, JsonObject, JsonObject];
        const { merged } = merge(base, theirs, mine);
        for (const name of ['a', 'b'])
          if (theirs[name] === mine[name]) expect(merged[name]).to.equal(theirs[name]);
      }),
    );
  });
});
