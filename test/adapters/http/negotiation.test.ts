import { expect } from 'chai';
import fc from 'fast-check';
import { formats } from '../../../src/adapters/formats/index.ts';
import { negotiate, usual, usualChoices } from '../../../src/adapters/http/negotiation.ts';

describe('The table of usual Accept headers', () => {
  it('gives what negotiation gives, whichever format is preferred', () => {
    const types = [
      ...formats.flatMap(({ mediaTypes }) => mediaTypes.map(({ type }) => type)),
      '*/*',
      'application/*',
    ];
    const weight = fc.constantFrom('', ';q=0', ';q=0.5', '; q=.2', ';q=1', ';version=1');
    const member = fc
      .tuple(fc.constantFrom(...types, 'text/html', '*'), weight)
      .map((parts) => parts.join(''));
    const built = fc
      .tuple(fc.array(member, { maxLength: 4 }), fc.constantFrom(',', ', '))
      .map(([all, by]) => all.join(by));
    for (const format of formats) {
      const otherwise = { format, index: 0 };
      const usually = usualChoices(otherwise);
      fc.assert(
        fc.property(fc.oneof(built, fc.constantFrom(...usual), fc.string()), (header) => {
          expect(usually(header)).to.deep.equal(negotiate(header, [otherwise]));
        }),
        { numRuns: 500 },
      );
    }
  });
});
