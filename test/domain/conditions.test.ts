import { expect } from 'chai';
import {
  allOf,
  anyOf,
  type Condition,
  matchAll,
  matchesAll,
  matchesNone,
  matching,
  matchNone,
} from '../../src/domain/find/conditions.ts';
import { asked } from '../support/asked.ts';

const role = (key: string): Condition => ({ filter: 'role', key });
const [one, other, third] = [role('a'), role('b'), role('c')];

describe('Combined conditions', () => {
  it('appear once each, in a fixed order, without needless levels', () => {
    expect(allOf([other, one, { all: [one, other] }])).to.deep.equal({ all: [one, other] });
    expect(anyOf([third, { any: [other, third] }, one])).to.deep.equal({ any: [one, other, third] });
    expect(allOf([one, one])).to.deep.equal(one);
    expect(anyOf([one])).to.deep.equal(one);
    expect(allOf([anyOf([other, one]), third])).to.deep.equal(allOf([third, anyOf([one, other])]));
  });
  it('match all or no users when one of them decides', () => {
    expect(anyOf([one, matchAll])).to.satisfy(matchesAll);
    expect(allOf([one, matchNone])).to.satisfy(matchesNone);
    expect(allOf([one, matchAll])).to.deep.equal(one);
    expect(anyOf([one, matchNone])).to.deep.equal(one);
    expect(allOf([])).to.satisfy(matchesAll);
    expect(anyOf([])).to.satisfy(matchesNone);
    expect([matchesAll(matchNone), matchesNone(matchAll), matchesAll(one)]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });
  it('become one search where all words must match', () => {
    const [ada, grace] = [asked('ada').where, asked('grace').where];
    expect(allOf([ada, one, allOf([grace, ada])])).to.deep.equal(asked('ada grace', { role: 'a' }).where);
    expect(anyOf([ada, grace])).to.deep.equal({ any: [ada, grace] });
  });
  it('are the same for the same search and filters, whatever their order', () => {
    expect(matching({})).to.satisfy(matchesAll);
    expect(matching({ role: 'a' })).to.deep.equal(one);
    expect(asked('ada grace', { active: 'true', role: 'a' })).to.deep.equal(
      asked('grace ada ada', { role: 'a', active: 'true' }),
    );
  });
});
