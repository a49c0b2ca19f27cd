import { expect } from 'chai';
import { codePoints } from '../../src/domain/unicode/code-points.ts';
import { fold, isUnspaced, isWordCharacter } from '../../src/domain/unicode/folding.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const segmentsOf = (text: string): string[] =>
  [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);

/** The longest runs of word characters. */
function wordsOf(text: string): string[] {
  const marked = Array.from(text, (character) =>
    isWordCharacter(character.codePointAt(0) as number) ? character : ' ',
  );
  return marked
    .join('')
    .split(' ')
    .filter((word) => word !== '');
}

const names = [
  ...['Zoë Straße', 'Jean-Luc Picard', 'Łukasz Żółw', 'Nguyễn Thị Ánh', 'Zoe\u0308 Li', 'Louis Ⅻ 2nd'],
  ...['Γιώργος Παπαδόπουλος', 'Йорданка Ёлкина', 'Արամ Խաչատրյան', 'ნინო ბერიძე', 'ᏣᎳᎩ ᎠᏰᎵ'],
  ...['שָׁלוֹם עליכם', 'محمد بن سلمان', 'ܡܪܝܡ ܒܪ', 'ޢަލީ ޙަސަން', '𞤀𞤁𞤂 𞤃𞤄'],
  ...['किरण बेदी', 'রবীন্দ্রনাথ ঠাকুর', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ', 'ગાંધી મોહનદાસ', 'கண்ணன் ராஜா', 'రామ కృష్ణ', 'ಕನ್ನಡ ರಾಜ', 'മോഹൻ ലാൽ'],
  ...['මහින්ද සිල්වා', 'བསྟན་འཛིན་རྒྱ་མཚོ', 'አበበ ቢቂላ', '김철수 박', 'ᠮᠣᠩᠭᠣᠯ ᠬᠦᠮᠦᠨ', 'ⵎⵓⵃⵎⵎⴷ ⴰⵢⵜ'],
];

/** The segmenter joins letters over signs that are no word characters; whoever asks for a part finds it only if it begins a word. */
const differences: [name: string, words: string[], reason: string][] = [
  ['O’Neil', ['O', 'Neil'], 'an apostrophe is punctuation: neil and o’n find it'],
  ["d'Arc", ['d', 'Arc'], 'the same in ASCII'],
  ['J.R.R. Tolkien', ['J', 'R', 'R', 'Tolkien'], 'initials are words, with spaces or without'],
  ['anna_maria', ['anna', 'maria'], 'a low line is punctuation'],
  ['Gal·la', ['Gal', 'la'], 'the middle dot of Catalan is punctuation'],
  ['צה״ל', ['צה', 'ל'], 'gershayim are punctuation'],
  ['ז׳בוטינסקי', ['ז', 'בוטינסקי'], 'a geresh is punctuation'],
  ['علی\u200cرضا', ['علی', 'رضا'], 'a zero width non-joiner is a format character'],
  ['Anna\u00adlena', ['Anna', 'lena'], 'so is a soft hyphen'],
  ['R2½', ['R2½'], 'a fraction is a number, where the segmenter sees a sign'],
];

const unspacedNames = [
  ...['山田太郎', '佐々木', 'ガブリエル', 'ひらがな', 'スーパー', 'ﾔﾏﾀﾞ', '〱'],
  ...['김철수', 'สมชาย', 'น้ำทิพย์', 'ສົມສັກ', 'សុខា', 'အောင်ဆန်း'],
];

describe('A word', () => {
  it("is what the runtime's segmenter finds, for names in twenty scripts", () => {
    expect(names.map((name) => [name, ...wordsOf(name)])).to.deep.equal(
      names.map((name) => [name, ...segmentsOf(name)]),
    );
  });

  for (const [name, words, reason] of differences) {
    it(`differs from what the runtime's segmenter finds: ${name}, since ${reason}`, () => {
      expect(wordsOf(name)).to.deep.equal(words);
      expect(segmentsOf(name)).to.not.deep.equal(words);
    });
  }

  it('folds independently: the words of a folded text are the folded words', () => {
    const all = [...names, ...differences.map(([name]) => name)].filter((name) => !name.includes('½'));
    expect(all.map((name) => wordsOf(fold(name)))).to.deep.equal(
      all.map((name) => wordsOf(name).map((word) => fold(word))),
    );
  });

  it('may fold to several words where NFKD adds signs: words must be taken from the folded text', () => {
    expect(wordsOf(fold('R2½'))).to.deep.equal(['r21', '2']); // 1, a fraction slash, 2
    expect(wordsOf(fold('⑴a'))).to.deep.equal(['1', 'a']);
  });

  it('of Hangul, or of a script without spaces, which the runtime cuts by a dictionary, is a whole run', () => {
    for (const name of unspacedNames) {
      expect(wordsOf(name)).to.deep.equal([name]);
      expect(segmentsOf(name).join('')).to.equal(name);
      expect(codePoints(name + fold(name)).every(isUnspaced), name).to.equal(true);
    }
  });

  it('of any script except Hangul and those without spaces is spaced', () => {
    const texts = [...names, ...differences.map(([name]) => name)]
      .join('')
      .replace(/\p{Script=Hangul}/gu, '');
    const spaced = codePoints(texts).filter(isUnspaced);
    expect(spaced).to.deep.equal([]);
  });

  it('has no signs of the unspaced scripts, and no code point newer than Unicode 15.1', () => {
    expect(
      codePoints('・「。〒⺀๏។၊').filter((point) => isUnspaced(point) || isWordCharacter(point)),
    ).to.deep.equal([]);
    expect(isWordCharacter(0x1c89)).to.equal(false); // a letter since Unicode 16.0
    expect(isUnspaced(0x323b0)).to.equal(false); // Han since Unicode 17.0
  });
});
