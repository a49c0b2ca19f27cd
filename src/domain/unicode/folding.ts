/**
 * Folding of texts for search and sort, by pinned Unicode tables.
 *
 * Names have rules of their own: `case-mapping.ts` compares them, `precis.ts` decides which are allowed. `code-points.ts`
 * reads `tables.ts`, which is generated.
 */
import { codePoints, mappingOf, setOf } from './code-points.ts';
import * as tables from './tables.ts';

const isUnassigned = setOf(tables.unassigned);
const isMark = setOf(tables.mark);
const folding = new Map<number, string>([
  ...toText(mappingOf(tables.lower)),
  ...toText(mappingOf(tables.folding)),
  ...readLong(tables.longFolding),
]);

const ascii = /^\p{ASCII}*$/u;
const firstMark = 0x300;
// U+0378 is the first code point that Unicode 15.1 leaves unassigned.
const allAssigned = /^[\0-\u0377]*$/;

/**
 * Equal for texts that people type interchangeably. In order:
 *
 * 1. NFKD as of Unicode 15.1, without marks: `Zoë` becomes `Zoe`.
 * 2. Full case folding: `Straße` becomes `strasse`.
 * 3. Latin letters without a decomposition, apostrophes and hyphens by the Latin-ASCII transform of CLDR 44: `søren` becomes
 *    `soren`, `o’brien` `o'brien`.
 * 4. Letters that the transform leaves by CLDR's root collation at primary strength: Katakana become Hiragana, and small kana the
 *    plain ones.
 * 5. Four letters that the root collation keeps apart: Arabic teh marbuta becomes heh, alef maksura and Farsi yeh become yeh,
 *    the iteration mark of Katakana becomes that of Hiragana.
 *
 * May be longer than the text, or empty. Folding a folded text changes nothing.
 *
 * Every character is folded independently of its neighbours: a folded prefix is a prefix of the folded text.
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of decompose(text)) folded += foldCharacter(character);
  return folded;
}

/**
 * NFKD, which all supported runtimes compute alike for the characters of Unicode 15.1. Later characters are left out, since runtimes may
 * disagree on them; the text is then decomposed character by character, which affects only the order of marks, and marks are dropped.
 */
function decompose(text: string): string {
  if (allAssigned.test(text) || !codePoints(text).some(isUnassigned)) return text.normalize('NFKD');
  return Array.from(text, (character) =>
    isUnassigned(character.codePointAt(0) as number) ? character : character.normalize('NFKD'),
  ).join('');
}

/** The table's results are decomposed already. */
function foldCharacter(character: string): string {
  const point = character.codePointAt(0) as number;
  return folding.get(point) ?? (point >= firstMark && isMark(point) ? '' : character);
}

function toText(mapping: ReadonlyMap<number, number>): [number, string][] {
  return Array.from(mapping, ([from, to]) => [from, String.fromCodePoint(to)]);
}

/** Entries: a character, then its folding. */
function readLong(table: string): [number, string][] {
  const words = table.trim().split(/\s+/);
  return words.map(([from = '', ...to]) => [from.codePointAt(0) as number, to.join('')]);
}

/** Letters, marks and numbers (general categories L, M and N). */
export const isWordCharacter = setOf(tables.wordCharacter);

/** Word characters of Hangul, and of the scripts written without spaces: Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar. */
export const isUnspaced = setOf(tables.unspaced);
