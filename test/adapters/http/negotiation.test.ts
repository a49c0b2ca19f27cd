import { expect } from 'chai';
import fc from 'fast-check';
import { formats } from '../../../src/adapters/formats/index.ts';
import { negotiator } from '../../../src/adapters/http/negotiation.ts';

/** Two equal members change nothing of what is accepted, and no table of usual headers has them. */
const unusual = (header: string) => (header === '' ? ', ' : `${header}, ${header}`);

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
    for (const { name } of formats) {
      const { choose, usual } = negotiator(formats, name);
      expect(usual.length).to.be.above(5);
      for (const header of usual) expect(choose(header), header).to.deep.equal(choose(unusual(header)));
      fc.assert(
        fc.property(fc.oneof(built, fc.constantFrom(...usual)), (header) => {
          expect(choose(header)).to.deep.equal(choose(unusual(header)));
        }),
        { numRuns: 500 },
      );
    }
  });
});
