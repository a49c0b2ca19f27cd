import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { matchesTerms } from '../../src/domain/find/search.ts';
import { aUser } from '../support/a-user.ts';
import { asked, termsOf } from '../support/asked.ts';
import { searchText } from '../support/kinds.ts';
import { typedNames } from '../support/typed-names.ts';

/** By language its letters as CLDR lists them, each with what ICU's Latin-ASCII makes of it: scripts/LetterVectors.java. */
const exemplars: Readonly<Record<string, string>> = JSON.parse(
  readFileSync('test/domain/letter-vectors.json', 'utf8'),
).exemplars;

const lettersOf = (language: string): [letter: string, ascii: string][] =>
  (exemplars[language] ?? '').split(' ').map((entry) => {
    const [letter = '', ascii = letter] = entry.split(':');
    return [letter, ascii];
  });

const textOf = (displayName: string): string => searchText(aUser({ userName: '-', displayName }));
const finds = (text: string, typed: string): boolean => matchesTerms(text, termsOf(asked(typed).where));

/** By the keyboards and habits of those who type. */
const habits: Readonly<Record<string, (text: string, language: string) => string>> = {
  'as it stands': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'in capitals of the language': (text, language) => text.toLocaleUpperCase(language),
  'in small letters': (text) => text.toLowerCase(),
  'in small letters of the language': (text, language) => text.toLocaleLowerCase(language),
  'with combining marks': (text) => text.normalize('NFD'),
  'with typographic apostrophes': (text) => text.replaceAll("'", '’'),
  'with apostrophes of ASCII': (text) => text.replaceAll(/[’‘ʼʻ]/g, "'"),
};

/** The first word of a name with a letter in front, within and at the end. */
function formsWith(letter: string, name: string): readonly string[] {
  const [word = ''] = name.split(' ');
  const [first = '', ...rest] = word;
  return [letter + word, first + letter + rest.join(''), word + letter];
}

describe('A name', () => {
  for (const [language, names] of Object.entries(typedNames)) {
    it(`is found by what people type for it: ${language}`, () => {
      for (const [name, ...typed] of names)
        for (const one of typed) expect(finds(textOf(name), one), `${name} by ${one}`).to.equal(true);
    });

    it(`is found in each habit of typing, with each letter of the language: ${language}`, () => {
      const letters = lettersOf(language);
      expect(letters).to.have.lengthOf.above(10);
      for (const [name] of names)
        for (const [letter, ascii] of letters) {
          const inAscii = formsWith(ascii, name);
          for (const [at, written] of formsWith(letter, name).entries()) {
            const text = textOf(written);
            for (const [habit, type] of Object.entries(habits))
              for (const typed of [type(written, language), type(inAscii[at] ?? '', language)])
                expect(finds(text, typed), `${written} by ${typed}, ${habit}`).to.equal(true);
          }
        }
    });
  }

  it('is not found by what people type for another name', () => {
    const all = Object.values(typedNames).flat();
    for (const [name] of all) {
      const text = textOf(name);
      for (const [other, ...typed] of all.filter((one) => one[0] !== name))
        for (const one of typed) expect(finds(text, one), `${name} by ${one}, for ${other}`).to.equal(false);
    }
  });
});
