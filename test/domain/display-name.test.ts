import { expect } from 'chai';
import fc from 'fast-check';
import { findDisplayNameFault, mapDisplayName } from '../../src/domain/kinds/group/display-name.ts';

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

  it('is equal in composed and decomposed letters also beside a character of a later Unicode', () => {
    const later = '\u{1FFFD}';
    expect(mapDisplayName(`${later} ÄRZTE ${later}\u0308 Ö`)).to.equal(
      mapDisplayName(`${later} a\u0308rzte ${later}\u0308 o\u0308`),
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('ä', 'a', '\u0308', '\u0327', later, 'Σ', '가', 'ᄀ', 'ᅡ')),
        (parts) => {
          const name = parts.join('');
          const mapped = mapDisplayName(name);
          expect(mapDisplayName(mapped)).to.equal(mapped);
          expect(mapDisplayName(name.normalize('NFD'))).to.equal(mapped);
        },
      ),
    );
  });

  const refused: Readonly<Record<string, RegExp>> = {
    ' Ops': /begin or end/,
    'Ops ': /begin or end/,
    'Ops\t': /begin or end/,
    'Ops\u00A0': /begin or end/,
    '\u3000運用': /begin or end/,
    'O\u200Bps': /U\+200B/,
    'O\u200Cps': /U\+200C/,
    'Ops\u200D': /U\+200D/,
    '\uFEFFOps': /begin or end|U\+FEFF/,
    'O\u2060ps': /U\+2060/,
    'O\u00ADps': /U\+00AD/,
    '\u202Espo': /U\+202E/,
    'a\u2067b': /U\+2067/,
    'a\u200Eb': /U\+200E/,
    'Ops\u{E0041}': /U\+E0041/,
    '\u3164': /U\+3164/,
    'Ops\uFE0F': /U\+FE0F/,
  };
  for (const [name, why] of Object.entries(refused))
    it(`may not be ${JSON.stringify(name)}`, () => {
      expect(findDisplayNameFault(name)).to.match(why);
    });

  for (const name of [
    'Ops and HR',
    'Büro “𝔎”',
    'می\u200Cخواهم',
    'क्\u200Dष',
    '👩‍💻 Team',
    '❤️ Care',
    '1️⃣ First',
    '葛\u{E0100}城',
    'עברית',
    '運用\u3000部',
  ])
    it(`may be ${name}`, () => {
      expect(findDisplayNameFault(name)).to.equal(undefined);
    });
});
