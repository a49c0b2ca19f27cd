import { expect } from 'chai';
import { measurePattern, mostTries } from '../../../src/domain/kinds/attributes/pattern-cost.ts';

const patient = [
  '^[A-Z]{2}[0-9]+$',
  '^(?:AB|CD)-[0-9]{1,6}$',
  '^\\p{L}+, \\p{L}+$',
  '^[^@]+@[^@]+$',
  '^a{3}$',
  '^(ab)*$',
];
const slow = [
  '^(a+)+$',
  '^(a|aa)+$',
  '^(?:a?){30}$',
  '^a*a*a*$',
  `^${'a?'.repeat(30)}$`,
  '^(\\w+\\s?)*$',
  '[0-9]+[a-z]+$',
];

describe('A pattern of a declared attribute', () => {
  for (const pattern of patient)
    it(`is accepted if it is quick for every text: ${pattern}`, () => {
      expect(measurePattern(pattern, 1024)).to.be.a('number').that.is.at.most(mostTries);
    });

  for (const pattern of slow)
    it(`is refused if some text takes it long: ${pattern}`, () => {
      const measured = measurePattern(pattern, 1024);
      if (typeof measured === 'number') expect(measured).to.be.above(mostTries);
    });

  it('is refused if it looks around, names a group or refers back', () => {
    for (const pattern of ['^(?=a)b$', '^(?<!a)b$', '^(?<x>a)$'])
      expect(measurePattern(pattern, 10)).to.include('look around');
    expect(measurePattern('^(a)\\1$', 10)).to.include('refer back');
  });
});
