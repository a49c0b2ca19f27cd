import { expect } from 'chai';
import fc from 'fast-check';
import { mapDisplayName } from '../../src/domain/group/display-name.ts';

describe('The displayName of a group, as it is compared', () => {
  it('is equal in either case and in composed and decomposed letters, and differs by marks and forms', () => {
    const same = [
      ['Ärzte', 'a\u0308rzte'],
      ['STRASSE', 'strasse'],
      ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
      ['Ⅷ', 'ⅷ'],
    ] as const;
    for (const [one, other] of same) expect(mapDisplayName(one), one).to.equal(mapDisplayName(other));
    const different = [
      ['Resume', 'Résumé'],
      ['ﬁ', 'fi'],
      ['Ａ', 'A'],
      ['Straße', 'Strasse'],
      ['HR', 'HR '],
    ] as const;
    for (const [one, other] of different)
      expect(mapDisplayName(one), one).not.to.equal(mapDisplayName(other));
  });

  it('stays as it is when it is mapped again, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const mapped = mapDisplayName(text);
        expect(mapDisplayName(mapped)).to.equal(mapped);
      }),
    );
  });
});
