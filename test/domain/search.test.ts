import { expect } from 'chai';
import fc from 'fast-check';
import {
  matchesTerms,
  maxSearchLength,
  maxTerms,
  parseSearch,
  supersetTerms,
  type Term,
  wordStarts,
} from '../../src/domain/find/search.ts';
import { runMark } from '../../src/domain/find/search-words.ts';
import { lowerCase } from '../../src/domain/unicode/case-mapping.ts';
import { fold, isWordCharacter } from '../../src/domain/unicode/folding.ts';
import { aUser } from '../support/a-user.ts';
import { searchText } from '../support/kinds.ts';
import { anyBeginning, anyOverflowing, beginningOf, cutOffUser } from '../support/overflowing-users.ts';
import { runs } from '../support/runs.ts';
import { anyUser } from '../support/users.ts';

/** More than any word has. */
const whole = 1_000_000;

const textOf = (displayName: string): string => searchText(aUser({ userName: '-', displayName }));
const textOfPhone = (value: string): string =>
  searchText(aUser({ userName: '-', phoneNumbers: [{ value }] }));

function termsOf(search: string): readonly Term[] {
  const terms = parseSearch(search);
  return typeof terms === 'string' ? expect.fail(`${search}: must ${terms}`) : terms;
}

const finds = (text: string, search: string): boolean => matchesTerms(text, termsOf(search));

/** What stands, what finds it and what doesn't. */
const examples: readonly [text: string, found: readonly string[], notFound: readonly string[]][] = [
  [
    "O'Brien",
    ["o'b", 'o', "O'", 'bri', 'BRIEN', "o'brien", 'obrien', 'ob'],
    ["'b", 'rien', "o''b", "brien'", 'obr n'],
  ],
  ['Müller-Åse', ['muller', 'mueller', 'MÜLLER', 'mue', 'aase', 'ase'], ['uller', 'muelller', 'moeller']],
  ['Zoë', ['zoe', 'ZOE', 'Zo\u00eb', 'zo\u0308e\u0308', 'z'], ['oe', 'zoee']],
  ['Groß', ['gross', 'GROSS', 'groß', 'gros'], ['ss', 'groz']],
  [
    'ada@example.org',
    [
      'ada@exa',
      'example',
      'org',
      'example.o',
      '@example',
      'ada.',
      '"ada',
      '(ada)',
      'ada*',
      '<ada@example.org>',
    ],
    ['xample', '@xample', 'ada@org', '#ada', 'ada%', "ada'"],
  ],
  ['山田太郎', ['山田', '田太', '郎', '山田太郎'], ['太田', '田山', '郎山']],
  ['สมชาย', ['สม', 'ชาย', 'มชา'], ['ชส']],
  ['abc山田def', ['abc山', '山田d', 'def', '田'], ['bc山', 'ef']],
  ['김철수', ['김', '철수', '수', '김처', '김ㅊ', 'ㄱ'], ['수철', '임', 'ㅓ']],
  ['a김b', ['a김', '김b', 'b'], ['ab']],
  ['ㅠㅠ', ['ㅠ', 'ㅠㅠ'], ['ㅠㅠㅠ']],
  ['スーパー', ['すーぱー', 'ｽｰﾊﾟｰ', 'ーぱ'], ['すぱ', 'すうぱあ']],
  ['-a- b', ['-a', 'a', 'b', 'b a'], ['--a', 'a-b', '-b']],
  ['x__y %z', ['x__', '%z', 'y', 'z'], ['x_y', 'x%', '_y']],
  ['\u{1D49F}r \u{1F600}b', ['dr', '\u{1F600}b', 'b'], ['\u{1F601}b']],
];

describe('A search', () => {
  for (const [text, found, notFound] of examples) {
    it(`finds ${text} by ${found.join(' · ')} and not by ${notFound.join(' · ')}`, () => {
      for (const search of found) expect(finds(textOf(text), search), search).to.equal(true);
      for (const search of notFound) expect(finds(textOf(text), search), search).to.equal(false);
    });
  }
  it('finds a phone number from its beginning and by four or more of its last digits', () => {
    for (const number of ['+31 (20) 555-0012', '0031205550012', 'tel:+31-20-555-00-12']) {
      const text = textOfPhone(number);
      for (const search of ['+31', '0031', '31', '+312055', '31(20)555-0012', '0012', '550012', '5-0012'])
        expect(finds(text, search), `${number} by ${search}`).to.equal(true);
      for (const search of ['20', '012', '12', '+20', '555', '2055', '00123', '310'])
        expect(finds(text, search), `${number} by ${search}`).to.equal(false);
    }
    for (const number of ['+31 (0)20 555-0012', '+31 20 555 0012'])
      for (const search of ['+31 (0)20 555-0012', '+31(0)205550012'])
        expect(finds(textOfPhone(number), search), `${number} by ${search}`).to.equal(true);
    expect(textOfPhone('none')).to.equal(textOf('-'));
  });
  it('does not mistake typed control characters for its own marks', () => {
    const text = searchText(aUser({ displayName: "O'Brien 山def", phoneNumbers: [{ value: '+3120555' }] }));
    for (const search of ["o'\x1f", '山\x1f', '\x1fb', '\x1fa', '\x1d31', '\x1e5550', '\x1d\x1f3', 'o\x00'])
      expect(finds(text, search), JSON.stringify(search)).to.equal(false);
  });
  it('finds the users that each of its words finds, whatever white space separates them', () => {
    const text = textOf('Ada Lovelace');
    for (const search of ['ada love', ' love\tada ', 'ada\u00a0ada', 'a l'])
      expect(finds(text, search), search).to.equal(true);
    expect(finds(text, 'ada x')).to.equal(false);
  });
  it('leaves out single quotes around several words, and around each of them', () => {
    const text = textOf('Ada Lovelace');
    for (const search of ["'ada love'", "'ada' 'love'", '‘ada’ ‘love’', "'ada' love"])
      expect(finds(text, search), search).to.equal(true);
  });

  it('is refused when it is empty, too long, of too many words, or has a word of punctuation only', () => {
    const long = 'a'.repeat(maxSearchLength);
    const many = Array.from({ length: maxTerms }, (_, index) => `w${index}`).join(' ');
    for (const good of [long, '\u{10400}'.repeat(maxSearchLength), many, ` ${many} `, '-a', '7', '山', '+3'])
      expect(parseSearch(good), good).to.be.an('array');
    const refused: readonly [RegExp, readonly string[]][] = [
      [/letter or a digit/, ['', ' ', '\n\t', '-', '%', '_', '"', '*', 'a -', '\u0301', '\u{1F600}', '+']],
      [/128 characters/, [`${long}a`, '\u{10400}'.repeat(maxSearchLength + 1)]],
      // The last one is four words as folded.
      [/8 words/, [`${many} i`, '\uFDFA'.repeat(3)]],
    ];
    for (const [reason, searches] of refused)
      for (const search of searches) expect(parseSearch(search), search).to.match(reason);
  });
});

/** Few characters, so that words and terms meet: of each kind that is treated apart. */
const unit = fc.constantFrom(
  ...[
    'a',
    'B',
    'é',
    'ß',
    '7',
    '0',
    '+',
    "'",
    '-',
    '@',
    '_',
    '山',
    '田',
    '수',
    'ㅓ',
    'ガ',
    'ø',
    '’',
    'ก',
    '។',
    '\u2E80',
    '\u{10400}',
    '\uFFFD',
  ],
);
const anyText = fc
  .array(fc.string({ unit, minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const anyOfTheirs = fc.oneof(
  anyText.map((text) => aUser({ userName: text, phoneNumbers: [{ value: text }] })),
  anyUser(),
);
const anyTerm = fc
  .string({ unit, minLength: 1, maxLength: 5 })
  .map(parseSearch)
  .filter((terms): terms is readonly Term[] => typeof terms !== 'string');

describe('The words of a user', () => {
  it('begin with a term exactly where it is found', () => {
    fc.assert(
      fc.property(anyOfTheirs, anyTerm, (user, terms) => {
        const text = searchText(user);
        const words = [...wordStarts(text, whole)];
        for (const term of terms) {
          const begins = term.some(({ start }) => words.some((word) => word.startsWith(start)));
          expect(matchesTerms(text, [term])).to.equal(begins);
        }
      }),
      { numRuns: runs(1000) },
    );
  });
  it('are the same words when they are cut, and the index has no others', () => {
    fc.assert(
      fc.property(anyOfTheirs, fc.integer({ min: 1, max: 12 }), (user, length) => {
        const text = searchText(user);
        const cut = [...wordStarts(text, whole)].map((word) => Array.from(word).slice(0, length).join(''));
        expect([...wordStarts(text, length)]).to.have.members([...new Set(cut)]);
      }),
    );
  });
  it('are found by each of their beginnings as written', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.integer({ min: 1, max: 8 }), (text, which, length) => {
        const words = text.split(' ');
        const typed = Array.from(words[which % words.length] ?? '')
          .slice(0, length)
          .join('');
        const terms = parseSearch(typed);
        fc.pre(typeof terms !== 'string');
        expect(matchesTerms(textOf(text), terms)).to.equal(true);
      }),
      { examples: [["'។ㅓ'a", 0, 4]] },
    );
  });
  it('are the same for another normalization form', () => {
    fc.assert(fc.property(anyText, (text) => textOf(text.normalize('NFD')) === textOf(text)));
  });
  it('include those of the folded text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [all, folded] = [textOf(text), textOf(fold(text))].map((found) => found.split(runMark));
        expect(all).to.include.members(folded ?? []);
      }),
    );
  });
});

const cutOff = cutOffUser({ userName: 'ada' });

describe('The terms that find a superset', () => {
  it('match all users with a text that begins so, in any case, however many there are', () => {
    fc.assert(
      fc.property(anyOverflowing, anyBeginning, (user, beginning) => {
        const typed = beginningOf(user, beginning);
        fc.pre(typed !== undefined);
        const hasLetters = Array.from(fold(typed)).some((one) => isWordCharacter(one.codePointAt(0) ?? 0));
        const terms = supersetTerms(typed);
        expect(terms !== undefined, typed).to.equal(hasLetters && typed.isWellFormed());
        expect(matchesTerms(searchText(user), terms ?? []), typed).to.equal(true);
        expect(terms ?? []).to.have.lengthOf.at.most(maxTerms);
      }),
      { numRuns: runs(1000) },
    );
  });
  it('match by the same words as an index finds', () => {
    fc.assert(
      fc.property(anyOverflowing, anyOverflowing, anyBeginning, (user, other, beginning) => {
        const terms = supersetTerms(beginningOf(other, beginning) ?? 'a') ?? [];
        const text = searchText(user);
        const words = [...wordStarts(text, whole)];
        for (const term of terms) {
          const begins = term.some(({ start }) => words.some((word) => word.startsWith(start)));
          expect(matchesTerms(text, [term])).to.equal(begins);
        }
      }),
    );
  });
  it('match each user whose search text was truncated, and other users that have the words', () => {
    const [all, few] = [searchText(cutOff), textOf('Ada Lovelace')];
    expect(finds(all, 'engines')).to.equal(false);
    for (const text of ['Engines', 'engi', 'Love', 'nobody at all']) {
      const terms = supersetTerms(text) ?? expect.fail(text);
      expect(matchesTerms(all, terms), text).to.equal(true);
      expect(matchesTerms(few, terms), text).to.equal(text === 'Love');
    }
  });
  it('are empty where no index helps: without letters and digits, or for half a character', () => {
    for (const text of ['', ' ', '-', '+', '%_', '\u0301', '\u{1F600}', 'a\ud801'])
      expect(supersetTerms(text), text).to.equal(undefined);
  });
  it('are made of the first words, and of the first characters of each', () => {
    const many = Array.from({ length: 20 }, (_, index) => `w${index}`).join(' ');
    expect(supersetTerms(many)).to.deep.equal(supersetTerms(many.split(' ').slice(0, maxTerms).join(' ')));
    const long = 'a'.repeat(maxSearchLength);
    expect(supersetTerms(`${long}b - ${long}c a a`)).to.deep.equal(supersetTerms(`${long} a`));
  });
  it('have a mark that no client can type', () => {
    const [all, few] = [searchText(cutOff), textOf('Ada Lovelace')];
    const mark = all.slice(all.lastIndexOf('\n'));
    expect(matchesTerms(all, supersetTerms('nobody') ?? [])).to.equal(true);
    for (const typed of [mark, mark.trim(), '\x1d', '-', '\x1d-'].flatMap((one) => [
      `${one}a`,
      `${one}7`,
      one,
    ])) {
      const terms = parseSearch(typed);
      if (typeof terms !== 'string') expect(matchesTerms(all, terms), JSON.stringify(typed)).to.equal(false);
      const wider = supersetTerms(typed);
      if (wider !== undefined) expect(matchesTerms(few, wider), JSON.stringify(typed)).to.equal(false);
    }
  });
  it('compare as lowerCase does, for every character', () => {
    const many = 0x800;
    for (let first = 0; first <= 0x10ffff; first += many) {
      if (first >= 0xd800 && first <= 0xdfff) continue;
      const text = String.fromCodePoint(...Array.from({ length: many }, (_, at) => first + at));
      expect(fold(lowerCase(text)), first.toString(16)).to.equal(fold(text));
    }
  });
});
