/**
 * Whatever is read quickly must be what the strict reader would have made of it, to the character, without a violation: it
 * goes past the strict reader, and nobody looks at it again.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { longestPlain } from '../../../src/adapters/formats/xml-plain-document.ts';
import { damaged } from '../../outside/damaged-xml.ts';
import { fullestUser } from '../../support/fullest-user.ts';
import { anyUser } from '../../support/users.ts';
import { changed, sentUser } from './sent-users.ts';
import { compareDocument, readQuickly } from './strict-xml.ts';
import { codec } from './xml-documents.ts';

/** How many of the texts were read quickly. */
function countQuick(texts: fc.Arbitrary<string>, numRuns: number): number {
  let count = 0;
  fc.assert(
    fc.property(texts, (text) => {
      if (compareDocument(text)) count += 1;
    }),
    { numRuns },
  );
  return count;
}

describe('The quick reader of XML', () => {
  it('reads every user that we print, even one with all that one may have', () => {
    fc.assert(
      fc.property(anyUser(), (user) => {
        const text = codec.print(user);
        fc.pre(text.length <= longestPlain);
        expect(readQuickly(text)).to.deep.equal(user);
      }),
      { numRuns: 500 },
    );
    expect(readQuickly(codec.print(fullestUser()))).to.deep.equal(fullestUser());
  });

  it('reads users as the strict one does, in whatever way clients write them', () => {
    expect(countQuick(sentUser, 3000)).to.be.above(1000);
  });

  it('reads 5,000 changed users as the strict one does, or leaves them to it', function () {
    this.timeout(60_000);
    expect(countQuick(changed(sentUser), 5000)).to.be.within(500, 4500);
  });

  it('reads 5,000 damaged users as the strict one does, or leaves them to it', function () {
    this.timeout(60_000);
    const bytes = damaged(sentUser.map((text) => Buffer.from(text)));
    expect(countQuick(bytes.map(String), 5000)).to.be.within(250, 4500);
  });
});
