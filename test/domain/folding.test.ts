import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { codePoints, label, setOf } from '../../src/domain/unicode/code-points.ts';
import { fold } from '../../src/domain/unicode/folding.ts';
import * as tables from '../../src/domain/unicode/tables.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/runs.ts';
import { pointsOf } from './code-point-ranges.ts';

type Vectors = { dropped: string; single: string[]; longer: string[] };

/** Results of Python 3.13 with Unicode 15.1, written by scripts/folding-vectors.py: before letters are replaced. */
const vectors: Vectors = JSON.parse(readFileSync('test/domain/folding-vectors.json', 'utf8'));

/** Results of ICU 74.2 with Unicode 15.1, written by scripts/LetterVectors.java: each letter and what replaces it. */
const letters = new Map(
  (JSON.parse(readFileSync('test/domain/letter-vectors.json', 'utf8')).letters as string[])
    .flatMap((line) => line.split(' '))
    .map(([...[letter = '', ...to]]) => [letter, to.join('')]),
);
/** The standard's own data, written by scripts/unicode/case-vectors.ts. */
const cases: { marks: string; folded: string[] } = JSON.parse(
  readFileSync('test/domain/case-vectors.json', 'utf8'),
);
const marks = new Set(pointsOf(cases.marks));
const caseFolding = new Map(
  cases.folded
    .flatMap((line) => line.split(' '))
    .map(([...[character = '', ...to]]) => [character, to.join('')]),
);

const replaceLetters = (text: string): string =>
  Array.from(text, (character) => letters.get(character) ?? character).join('');

const every = Array.from({ length: 0x110000 }, (_, point) => point);
const isUnassigned = setOf(tables.unassigned);

/** Section 3.12 of the standard. */
function jamoOf(syllable: number): string {
  const index = syllable - 0xac00;
  const [leading, vowel, trailing] = [Math.floor(index / 588), Math.floor((index % 588) / 28), index % 28];
  return String.fromCodePoint(0x1100 + leading, 0x1161 + vowel, ...(trailing ? [0x11a7 + trailing] : []));
}

/** A code point that is missing folds to itself. */
function readVectors(): Map<number, string> {
  const entries = [
    ...Array.from(letters, ([letter, to]): [number, string] => [letter.codePointAt(0) as number, to]),
    ...Array.from(readFoldedCase(), ([point, to]): [number, string] => [point, replaceLetters(to)]),
  ];
  return new Map(entries);
}

function readFoldedCase(): Map<number, string> {
  const runs = vectors.single.flatMap((run) => {
    const [first = ''] = run.split(':', 1);
    return Array.from(run.slice(first.length + 1), (to, index): [number, string] => [
      Number.parseInt(first, 16) + index,
      to,
    ]);
  });
  return new Map([
    ...runs,
    ...vectors.longer.map(([...[from = '', ...to]]): [number, string] => [
      from.codePointAt(0) as number,
      to.join(''),
    ]),
    ...pointsOf(vectors.dropped).map((point): [number, string] => [point, '']),
    ...every.slice(0xac00, 0xd7a4).map((point): [number, string] => [point, jamoOf(point)]),
  ]);
}

/** The definition, step by step, of the whole text. */
function foldByDefinition(text: string): string {
  const isMark = (character: string) => marks.has(character.codePointAt(0) as number);
  const decompose = (part: string) => [...part.normalize('NFKD')].filter((character) => !isMark(character));
  const cased = decompose(text).map((character) => caseFolding.get(character) ?? character);
  return replaceLetters(decompose(cased.join('')).join(''));
}

const examples: Record<string, [text: string, folded: string]> = {
  Latin: ['ZOË Straße GROẞ Łukasz ﬁ Ⅻ', 'zoe strasse gross lukasz fi xii'],
  Vietnamese: ['Nguyễn Thị Ánh', 'nguyen thi anh'],
  Nordic: ['Søren Ægir Þór Guðrún Ŋuorra', 'soren aegir thor gudrun nuorra'],
  Apostrophes: ['O’Brien Oʼbrien Kaʻiu Jean‑Luc', "o'brien o'brien ka'iu jean-luc"],
  Turkish: ['İSTANBUL Işık', 'istanbul isik'],
  Greek: ['Γιώργος ΟΔΥΣΣΕΎΣ ᾼ', 'γιωργοσ οδυσσευσ α'],
  Cyrillic: ['Йорданка Ёлкина', 'иорданка елкина'],
  Armenian: ['ԱՐԱՄ և', 'արամ եւ'],
  Georgian: ['ᲜᲘᲜᲝ ნინო', 'ნინო ნინო'],
  Cherokee: ['ꮳꮃꭹ Ꮳ ᏸ', 'ᏣᎳᎩ Ꮳ Ᏸ'],
  Adlam: ['𞤀𞤁', '𞤢𞤣'],
  Hebrew: ['שָׁלוֹם יוסף', 'שלומ יוספ'],
  Arabic: ['مُحَمَّد أحمد ﷴ محـمد', 'محمد احمد محمد محمد'],
  'Arabic as keyboards have it': ['فاطمة علی على', 'فاطمه علي علي'],
  Devanagari: ['किरण ज़ोया', 'करण जय'],
  Bengali: ['রবীন্দ্রনাথ', 'রবনদরনথ'],
  Tamil: ['கண்ணன்', 'கணணன'],
  Thai: ['สมชาย น้ำ', 'สมชาย นา'],
  Lao: ['ສົມສັກ', 'ສມສກ'],
  Khmer: ['សុខា', 'សខ'],
  Myanmar: ['အောင်', 'အင'],
  Ethiopic: ['አበበ', 'አበበ'],
  Hangul: ['김', '\u1100\u1175\u11b7'],
  Kana: ['ガブリエル ｶﾞ ー ひらがな キャヽ', 'かふりえる か ー ひらかな きやゝ'],
  Han: ['山田太郎 ＡＢ ㈱', '山田太郎 ab (株)'],
};

const changed = [...readVectors().keys()].filter((point) => point < 0xac00 || point > 0xd7a3);
const character = fc.oneof(
  fc.constantFrom(...Object.values(examples).flatMap(([text]) => [...text])),
  fc.constantFrom(...changed).map((point) => String.fromCodePoint(point)),
  anyText({ minLength: 1, maxLength: 1 }),
);
const written = fc.string({ unit: character });
const knownText = written
  .map((text) => codePoints(text).filter((point) => !isUnassigned(point)))
  .map((points) => String.fromCodePoint(...points));

describe('A folded text', () => {
  it('is what Python and ICU produce for every code point of Unicode 15.1; others stay', () => {
    const expected = readVectors();
    const wrong = every.filter((point) => {
      const character = String.fromCodePoint(point);
      return fold(character) !== (expected.get(point) ?? character);
    });
    expect(wrong.map(label)).to.deep.equal([]);
  });

  it('folds to itself', () => {
    const changing = [...readVectors().keys()].filter((point) => {
      const folded = fold(String.fromCodePoint(point));
      return fold(folded) !== folded;
    });
    expect(changing.map(label)).to.deep.equal([]);
    fc.assert(
      fc.property(written, (text) => fold(fold(text)) === fold(text)),
      { numRuns: runs(1000) },
    );
  });

  for (const [script, [text, folded]] of Object.entries(examples)) {
    it(`has no case, no marks, and no letters specific to one language: ${script}`, () =>
      expect(fold(text)).to.equal(folded));
  }

  it('is the same for composed, decomposed and capital forms', () => {
    for (const form of ['Zoë', 'Zoe\u0308', 'ZOË', 'zoe', 'ＺＯＥ']) expect(fold(form)).to.equal('zoe');
  });

  it('follows the definition, and begins with its own folded beginning', () => {
    fc.assert(
      fc.property(knownText, knownText, (one, other) => {
        expect(fold(one + other)).to.equal(foldByDefinition(one + other));
        expect(fold(one + other)).to.equal(fold(one) + fold(other));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('keeps characters newer than Unicode 15.1, even where the runtime knows them', () => {
    expect(fold('É\u1c89É')).to.equal('e\u1c89e'); // a capital since Unicode 16.0
    expect(fold('\u{105c9}É')).to.equal('\u{105c9}e'); // decomposes since Unicode 16.0
    expect(fold('a\u0897É')).to.equal('a\u0897e'); // a mark since Unicode 16.0
  });
});
