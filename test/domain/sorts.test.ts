import { expect } from 'chai';
import fc from 'fast-check';
import { compareCodePoints, comparePositions, type Position } from '../../src/domain/find/sorts.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { anyText } from '../support/any-text.ts';
import { positionOf, sortKeys, sortNames } from '../support/kinds.ts';
import { runs } from '../support/runs.ts';

/** Those at which UTF-16 and code points disagree, and their neighbours. */
const unit = fc.constantFrom('a', 'b', '\uD7FF', '\uE000', '\uFFFD', '\u{10000}', '\u{10001}', '\u{10FFFF}');
const text = fc.string({ unit, maxLength: 4 });
const position: fc.Arbitrary<Position> = fc.record({
  id: fc.string({ unit: fc.constantFrom('1', '2', 'a'), minLength: 1, maxLength: 2 }),
  key: fc.option(text, { nil: undefined }),
});
const direction = fc.record({ descending: fc.option(fc.boolean(), { nil: undefined }) });

describe('The order of texts', () => {
  it('is that of their bytes in UTF-8', () => {
    const any = fc.oneof(text, anyText());
    fc.assert(
      fc.property(any, any, (one, other) => {
        const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other));
        expect(Math.sign(compareCodePoints(one, other))).to.equal(bytes);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('The order of positions', () => {
  it('is total in either direction', () => {
    fc.assert(
      fc.property(position, position, position, direction, (a, b, c, sort) => {
        const compare = (one: Position, other: Position) => Math.sign(comparePositions(one, other, sort));
        expect(compare(a, b)).to.equal(0 - compare(b, a));
        expect(compare(a, b) === 0).to.equal(a.id === b.id && a.key === b.key);
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).to.be.at.most(0);
      }),
      { numRuns: runs(2000) },
    );
  });
  it('is reversed by descending order, but users without the value stay last', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const up = comparePositions(a, b);
        const down = comparePositions(a, b, { descending: true });
        const isOneWithout = (a.key === undefined) !== (b.key === undefined);
        expect(Math.sign(down)).to.equal(isOneWithout ? Math.sign(up) : 0 - Math.sign(up));
        if (isOneWithout) expect(up > 0).to.equal(a.key === undefined);
      }),
    );
  });
  it('is by id between equals', () => {
    const [one, other] = [
      { id: '1', key: 'x' },
      { id: '2', key: 'x' },
    ];
    expect(comparePositions(one, other)).to.be.below(0);
    expect(comparePositions(one, other, { descending: true })).to.be.above(0);
    expect(comparePositions({ id: '1' }, { id: '2' }, { descending: true })).to.be.above(0);
  });
});

describe('The keys of the orders', () => {
  const meta = {
    created: '2026-01-02T03:04:05.678Z',
    lastModified: '2026-02-02T03:04:05.678Z',
    version: 'v',
  };

  it('are the folded values of the user, one for each order', () => {
    const validity = { validFrom: '2026-01-01T00:00:00.000Z', validUntil: '2027-01-01T00:00:00.000Z' };
    const user = aUser({
      ...{ userName: 'ÉVA', displayName: 'Éva Groß', name: { familyName: 'GROß' } },
      ...{ title: 'Søfarer', enterprise: { department: 'Über' } },
      ...validity,
      meta,
    });
    expect(Object.fromEntries(sortKeys(user))).to.deep.equal({
      userName: 'eva',
      displayName: 'eva gross',
      familyName: 'gross',
      title: 'sofarer',
      department: 'uber',
      created: meta.created.toLowerCase(),
      lastModified: meta.lastModified.toLowerCase(),
      validFrom: validity.validFrom.toLowerCase(),
      validUntil: validity.validUntil.toLowerCase(),
      nextAt: validity.validUntil.toLowerCase(),
    });
    expect([...sortKeys(user).keys()]).to.have.members([...sortNames, 'nextAt']);
  });
  it('are left out where there is nothing to compare', () => {
    expect([...sortKeys(aUser({ meta })).keys()]).to.deep.equal(['userName', 'created', 'lastModified']);
    expect(sortKeys(aUser({ displayName: '\u0301' })).has('displayName')).to.equal(false);
  });
  it('are cut to 128 whole characters', () => {
    const key = (displayName: string) => sortKeys(aUser({ displayName })).get('displayName');
    expect(key('a'.repeat(200))).to.equal('a'.repeat(128));
    // Two units of UTF-16 each.
    expect(key('\u{1F600}'.repeat(200))).to.equal('\u{1F600}'.repeat(128));
    expect(key('\u{1F600}'.repeat(128))).to.equal('\u{1F600}'.repeat(128));
  });
});

describe('The position of a user', () => {
  const user = aUser({ userName: 'Ada' });

  it('is the id, and the key if the list is sorted by one', () => {
    expect(positionOf(Stored.of(user))).to.deep.equal({ id: user.id });
    expect(positionOf(Stored.of(user), { descending: true })).to.deep.equal({ id: user.id });
    expect(positionOf(Stored.of(user), { by: 'userName' })).to.deep.equal({ id: user.id, key: 'ada' });
  });
  it('has no key where the user lacks the value', () => {
    const { id } = user;
    expect(positionOf(Stored.of(user), { by: 'displayName' })).to.deep.equal({ id, key: undefined });
  });
});
