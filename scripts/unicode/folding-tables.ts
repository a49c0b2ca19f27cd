// What unicode-tables.ts takes for src/domain/unicode/folding.ts, not yet encoded.
import commonFolding from '@unicode/unicode-15.1.0/Case_Folding/C/code-points.mjs';
import fullFolding from '@unicode/unicode-15.1.0/Case_Folding/F/code-points.mjs';
import categories from '@unicode/unicode-15.1.0/General_Category/index.mjs';
import han from '@unicode/unicode-15.1.0/Script_Extensions/Han/code-points.mjs';
import hangul from '@unicode/unicode-15.1.0/Script_Extensions/Hangul/code-points.mjs';
import hiragana from '@unicode/unicode-15.1.0/Script_Extensions/Hiragana/code-points.mjs';
import katakana from '@unicode/unicode-15.1.0/Script_Extensions/Katakana/code-points.mjs';
import khmer from '@unicode/unicode-15.1.0/Script_Extensions/Khmer/code-points.mjs';
import lao from '@unicode/unicode-15.1.0/Script_Extensions/Lao/code-points.mjs';
import myanmar from '@unicode/unicode-15.1.0/Script_Extensions/Myanmar/code-points.mjs';
import thai from '@unicode/unicode-15.1.0/Script_Extensions/Thai/code-points.mjs';
import lowercase from '@unicode/unicode-15.1.0/Simple_Case_Mapping/Lowercase/code-points.mjs';
import { readLetters } from './letter-tables.ts';

const category = (point: number): string => categories.get(point) ?? 'Unassigned';
const isMark = (point: number): boolean => category(point).endsWith('Mark');
const every = Array.from({ length: 0x110000 }, (_, point) => point);

export const marks = every.filter(isMark);

export const wordCharacters = every.filter((point) => /(Letter|Mark|Number)$/.test(category(point)));

/** By Script_Extensions: Script calls U+30FC and the other marks that Hiragana and Katakana share common to all scripts. */
export const unspaced = [hiragana, katakana, han, hangul, thai, lao, khmer, myanmar]
  .flat()
  .filter((point) => /(Letter|Mark|Number)$/.test(category(point)));

const decompose = (text: string): number[] =>
  Array.from(text.normalize('NFKD'), (character) => character.codePointAt(0) as number).filter(
    (point) => !isMark(point),
  );

const foldCase = (point: number): string =>
  String.fromCodePoint(...(fullFolding.get(point) ?? [commonFolding.get(point) ?? point]));

/** The second decomposition is in it already, so that the runtime's is needed once. */
const foldCaseAndMarks = (point: number): number[] => decompose(foldCase(point));

/** What is left of any text of Unicode 15.1 when it is decomposed and without marks. */
const reachable = new Set(
  every
    .filter((point) => category(point) !== 'Unassigned')
    .flatMap((point) => decompose(String.fromCodePoint(point))),
);

const isBase = (point: number): boolean =>
  reachable.has(point) && String(foldCaseAndMarks(point)) === `${point}`;

/** What folding makes of each reachable code point that it changes. */
function foldAll(cldr: string): Map<number, number[]> {
  const letters = readLetters(cldr, isBase);
  const fold = (point: number): number[] =>
    foldCaseAndMarks(point).flatMap((base) => {
      const replacement = letters.get(base) ?? [base];
      return replacement.length === 1 && replacement[0] === base ? [base] : replacement.flatMap(fold);
    });
  return new Map([...reachable].map((point) => [point, fold(point)]));
}

/** @param cldr the folder `common` of CLDR 44 */
export function listFolding(cldr: string): { short: Map<number, number>; long: string } {
  const folded = [...foldAll(cldr)];
  return {
    /** Where folding to one code point isn't what `lower` gives. */
    short: new Map(
      folded
        .filter(([point, result]) => result.length === 1 && result[0] !== (lowercase.get(point) ?? point))
        .map(([point, result]) => [point, result[0] as number]),
    ),
    /** Each a word: the character, then what it becomes. */
    long: folded
      .filter(([, result]) => result.length !== 1)
      .map(([point, result]) => String.fromCodePoint(point, ...result))
      .join(' '),
  };
}
