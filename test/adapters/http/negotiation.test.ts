import { createRequire } from 'node:module';
import { expect } from 'chai';
import fc from 'fast-check';
import { formats } from '../../../src/adapters/formats/index.ts';
import { mediaTypeOf, negotiator } from '../../../src/adapters/http/headers/negotiation.ts';
import { runs } from '../../support/runs.ts';

/** The package that Koa negotiates by. */
const Negotiator = createRequire(import.meta.url)('negotiator') as new (request: {
  headers: { accept: string };
}) => { mediaTypes(available: readonly string[]): string[] };

const types = formats.flatMap(({ mediaTypes }) => mediaTypes.map(({ type }) => type));
const weight = fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.25', ';q=1');
const range = fc.constantFrom(...types, 'text/html', 'image/*', 'text/*', 'application/*', '*/*');
const member = fc.tuple(range, weight).map((parts) => parts.join(''));
/** No range twice: whose weight then counts is told nowhere. */
const header = fc
  .uniqueArray(member, { minLength: 1, maxLength: 5, selector: (one) => one.split(';')[0] })
  .chain((all) => fc.constantFrom(all.join(','), all.join(', ')));

describe('Negotiation', () => {
  it('chooses among the formats that another implementation prefers', () => {
    for (const { name } of formats) {
      const { choose } = negotiator(formats, name);
      fc.assert(
        fc.property(header, (accept) => {
          const theirs = new Negotiator({ headers: { accept } }).mediaTypes(types);
          const choice = choose(accept);
          const ours = choice && mediaTypeOf(choice)?.type;
          expect(ours === undefined, accept).to.equal(theirs.length === 0);
          if (ours !== undefined) expect(theirs, accept).to.include(ours);
        }),
        { numRuns: runs(500) },
      );
    }
  });

  it('prefers the body’s format between equals, and then the setting', () => {
    for (const format of formats) {
      const { choose, choiceOf } = negotiator(formats, format.name);
      for (const accept of [undefined, '', '*/*', 'application/*'])
        expect(choose(accept)?.format, String(accept)).to.equal(format);
      for (const listed of [types, types.toReversed()])
        expect(mediaTypeOf(choose(listed.join()) ?? expect.fail())?.type).to.equal(listed[0]);
      for (const type of types) {
        const bodyChoice = choiceOf(type);
        if (bodyChoice !== undefined) expect(choose('*/*', bodyChoice)).to.equal(bodyChoice);
      }
    }
  });
});
