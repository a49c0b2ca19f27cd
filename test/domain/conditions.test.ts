import { expect } from 'chai';
import {
  allOf,
  anyOf,
  type Condition,
  everybody,
  isEverybody,
  isNobody,
  matching,
  nobody,
} from '../../src/domain/find/conditions.ts';
import { asked } from '../support/asked.ts';

const role = (key: string): Condition => ({ filter: 'role', key });
const [one, other, third] = [role('a'), role('b'), role('c')];

describe('Conditions that are put together', () => {
  it('stand once each, in one order, without needless levels', () => {
    expect(allOf([other, one, { all: [one, other] }])).to.deep.equal({ all: [one, other] });
    expect(anyOf([third, { any: [other, third] }, one])).to.deep.equal({ any: [one, other, third] });
    expect(allOf([one, one])).to.deep.equal(one);
    expect(anyOf([one])).to.deep.equal(one);
    expect(allOf([anyOf([other, one]), third])).to.deep.equal(allOf([third, anyOf([one, other])]));
  });
  it('match all or no users when one of them decides', () => {
    expect(anyOf([one, everybody])).to.satisfy(isEverybody);
    expect(allOf([one, nobody])).to.satisfy(isNobody);
    expect(allOf([one, everybody])).to.deep.equal(one);
    expect(anyOf([one, nobody])).to.deep.equal(one);
    expect(allOf([])).to.satisfy(isEverybody);
    expect(anyOf([])).to.satisfy(isNobody);
    expect([isEverybody(nobody), isNobody(everybody), isEverybody(one)]).to.deep.equal([false, false, false]);
  });
  it('are one search where words must all match', () => {
    const [ada, grace] = [asked('ada').where, asked('grace').where];
    expect(allOf([ada, one, allOf([grace, ada])])).to.deep.equal(asked('ada grace', { role: 'a' }).where);
    expect(anyOf([ada, grace])).to.deep.equal({ any: [ada, grace] });
  });
  it('are the same for the same search and filters, whatever their order', () => {
    expect(matching({})).to.satisfy(isEverybody);
    expect(matching({ role: 'a' })).to.deep.equal(one);
    expect(asked('ada grace', { active: 'true', role: 'a' })).to.deep.equal(
      asked('grace ada ada', { role: 'a', active: 'true' }),
    );
  });
});
