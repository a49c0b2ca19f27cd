import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { findUserNameFault, mapUserName } from '../../src/domain/kinds/user/user-name.ts';
import { lowerCase } from '../../src/domain/unicode/case-mapping.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/runs.ts';
import { pointsOf } from './code-point-ranges.ts';

type Vectors = { assigned: string; allowed: string; changed: string[]; strings: [string, string | null][] };

/** Results of precis-i18n 1.1.2 with Unicode 14.0, written by scripts/user-name-vectors.py. */
const vectors: Vectors = JSON.parse(readFileSync('test/domain/user-name-vectors.json', 'utf8'));

const outcome = (name: string): string | null =>
  findUserNameFault(name) === undefined ? mapUserName(name) : null;

describe('A userName', () => {
  it('is allowed and mapped like the reference does for every code point of Unicode 14', () => {
    const allowed = new Set(pointsOf(vectors.allowed));
    const changed = new Map(vectors.changed.map(([from = '', ...to]) => [from, to.join('')]));
    const wrong = pointsOf(vectors.assigned).filter((point) => {
      const name = String.fromCodePoint(point);
      return outcome(name) !== (allowed.has(point) ? (changed.get(name) ?? name) : null);
    });
    expect(wrong.map((point) => point.toString(16))).to.deep.equal([]);
  });

  it('is allowed and mapped like the reference does for names that mix scripts, digits and marks', () => {
    const wrong = vectors.strings.filter(([name, mapped]) => outcome(name) !== mapped);
    expect(
      wrong.map(([name, mapped]) => [name, mapped, outcome(name), findUserNameFault(name)]),
    ).to.deep.equal([]);
  });

  it('of halfwidth Hangul is refused, where the reference maps a step further than RFC 8265 says', () => {
    // U+FFA1 U+FFC2 decompose to the compatibility letters U+3131 U+314F. precis-i18n takes their NFKC
    // instead, conjoining jamo, which NFC then makes a syllable of.
    expect(findUserNameFault('\uffa1\uffc2')).to.equal('U+3131 is not allowed in a userName');
  });

  it('may use letters that are newer than the reference, and none newer than Unicode 15.1', () => {
    expect(findUserNameFault('\u{11f04}')).to.equal(undefined); // Kawi, Unicode 15.0
    expect(findUserNameFault('\u{2ebf0}')).to.equal(undefined); // Han, Unicode 15.1
    expect(findUserNameFault('a\u1c8a')).to.equal('U+1C8A is not allowed in a userName'); // Cyrillic, Unicode 16.0
  });

  it('maps the same on every runtime even when it has letters newer than Unicode 15.1', () => {
    expect(mapUserName('A\u1c89')).to.equal('a\u1c89'); // a capital since Unicode 16.0
    expect(mapUserName('\u{105d2}\u0307')).to.equal('\u{105d2}\u0307'); // composes since Unicode 16.0
  });

  it('is refused with its wrong character named', () => {
    const reasons: [string, string][] = [
      ['', 'a userName must not be empty'],
      ['a b', 'must not contain spaces'],
      ['a\ud800', 'U+D800 is not allowed in a userName'],
      ['a\u00b7l', 'U+00B7 is allowed in a userName only between two letters l'],
      ['a\u200d', 'U+200D is allowed in a userName only after a virama'],
      ['\u30fb', 'U+30FB is allowed in a userName only with Hiragana, Katakana or Han'],
      ['\u0627\u0661\u06f1', 'U+0661 is not allowed in a userName with U+06F1'],
      [
        'a\u05d0',
        'a userName with right-to-left characters must begin with a right-to-left letter, not U+0061',
      ],
      ['\u05d0a', 'U+0061 is not allowed in a userName that begins with a right-to-left letter'],
      ['\u06271\u0661', 'U+0661 is not allowed in a userName with European digits'],
      ['\u05d0.', 'a right-to-left userName must end with a letter or a digit, not U+002E'],
    ];
    expect(reasons.map(([name]) => [name, findUserNameFault(name)])).to.deep.equal(reasons);
  });

  it('maps to a name that maps to itself', () => {
    const character = fc.constantFrom(...new Set(vectors.strings.flatMap(([name]) => [...name])));
    const anyName = fc.oneof(fc.string({ unit: character }), anyText());
    fc.assert(
      fc.property(anyName, (name) => mapUserName(mapUserName(name)) === mapUserName(name)),
      { numRuns: runs(1000) },
    );
  });
});

describe('A text in lower case', () => {
  it('ends a Greek word with a final sigma and keeps the dot of a Turkish I', () => {
    expect(lowerCase('\u039f\u0394\u039f\u03a3 \u03a3\u0391')).to.equal(
      '\u03bf\u03b4\u03bf\u03c2 \u03c3\u03b1',
    );
    expect(lowerCase('\u0130')).to.equal('i\u0307');
  });

  it('keeps its width, its spaces and its order of marks', () => {
    expect(lowerCase('\uff21 A\u0301\u0323\ud800')).to.equal('\uff41 a\u0301\u0323\ud800');
  });

  it("equals the runtime's lower case for letters of Unicode 14", () => {
    const different = pointsOf(vectors.assigned)
      .map((point) => String.fromCodePoint(point))
      .filter((character) => lowerCase(character) !== character.toLowerCase());
    expect(different).to.deep.equal([]);
  });
});
