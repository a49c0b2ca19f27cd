import { expect } from 'chai';
import fc from 'fast-check';
import { findDisplayNameFault, mapDisplayName } from '../../src/domain/kinds/group/display-name.ts';
import { anyText } from '../support/any-text.ts';

describe('The displayName of a group in comparisons', () => {
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

  it('does not change when it is mapped again, whatever the text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const mapped = mapDisplayName(text);
        expect(mapDisplayName(mapped)).to.equal(mapped);
      }),
    );
  });

  it('is equal in composed and decomposed letters, even beside a character of a later Unicode', () => {
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
    'R\u00A0 D': /U\+00A0 beside another space/,
    'R \u3000D': /U\+3000 beside another space/,
    'R\u2003\u2003D': /U\+2003 beside another space/,
    'O\nps': /U\+000A, which is invisible/,
    'ᠠps\u180B': /U\+180B/,
  };
  const range = (first: number, last = first) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at);

  it('may have no invisible character of any script', () => {
    for (const point of [
      ...[...range(0x17b4, 0x17b5), ...range(0x180b, 0x180f), ...range(0x1bca0, 0x1bca3)],
      ...[...range(0x1d173, 0x1d17a), ...range(0xfff0, 0xfff8), 0xe0fff, 0x9, 0xa, 0xd, ...range(0x7f, 0x9f)],
      ...[0x2028, 0x2029, 0x2800, 0x34f, 0xad, 0x61c, 0x115f, 0x2064, 0x206f, 0x2065, 0xffa0, 0xe0000],
    ]) {
      const why = `U+${point.toString(16).toUpperCase().padStart(4, '0')}, which is invisible`;
      expect(findDisplayNameFault(`Op${String.fromCodePoint(point)}s`)).to.equal(`has ${why}`);
    }
  });

  it('may have no character that Unicode calls ignorable, and no control', () => {
    const every = range(0, 0x10ffff).filter((point) => point < 0xd800 || point > 0xdfff);
    for (const point of every) {
      const one = String.fromCodePoint(point);
      if (/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]/u.test(one))
        expect(findDisplayNameFault(`Op${one}s`), point.toString(16)).to.match(/invisible/);
      // Of the many letters, some.
      else if ((point < 0x3000 || point % 101 === 0) && /\p{L}|\p{Nd}|\p{P}|\p{Zs}/u.test(one))
        expect(findDisplayNameFault(`Op${one}s`), point.toString(16)).to.equal(undefined);
    }
  });

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
    'Équipe\u00A0: Support',
    'Two  spaces',
    'ᠠ\u180Bᠠ',
  ])
    it(`may be ${name}`, () => {
      expect(findDisplayNameFault(name)).to.equal(undefined);
    });
});
