// Reads from CLDR 44 (which goes with Unicode 15.1) what folding makes of letters without a decomposition. Not yet encoded.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import categories from '@unicode/unicode-15.1.0/General_Category/index.mjs';
import latin from '@unicode/unicode-15.1.0/Script/Latin/code-points.mjs';

const category = (point: number): string => categories.get(point) ?? 'Unassigned';
const isMark = (point: number): boolean => category(point).endsWith('Mark');
const isLetter = (point: number): boolean => category(point).endsWith('Letter');
const toPoints = (text: string): number[] => Array.from(text, (one) => one.codePointAt(0) as number);

/** What replaces a letter: none, one or several code points. */
type Letters = ReadonlyMap<number, readonly number[]>;

/** Letters that people type for one another, and that the root collation keeps apart. */
const alsoEqual: Letters = new Map([
  [0x629, [0x647]], // Arabic teh marbuta, as heh
  [0x649, [0x64a]], // Arabic alef maksura, as yeh
  [0x6cc, [0x64a]], // Farsi yeh, as Arabic yeh
  [0x30fd, [0x309d]], // the iteration mark of Katakana, as that of Hiragana
]);

/** Of a line of allkeys_CLDR.txt. */
interface Weights {
  readonly point: number;
  /** Those that are not zero. */
  readonly primaries: readonly string[];
  /** The secondary and tertiary ones, which tell the plain letter from its variants. */
  readonly rest: string;
}

/** The tertiary weight of Hiragana of full size: small kana have lower ones (UTS #10, Tertiary Weight Table). */
const plainKana = '000E';

function readWeights(file: string): Weights[] {
  return [...file.matchAll(/^([0-9A-F]{4,6}) +; ((?:\[.+?\])+)/gm)].map(([, point = '', elements = '']) => {
    const weights = [...elements.matchAll(/([0-9A-F]+)\.([0-9A-F]+)\.([0-9A-F]+)/g)];
    const rest = weights.map(([, , secondary, tertiary]) => `${secondary}.${tertiary}`).join();
    return {
      point: Number.parseInt(point, 16),
      primaries: weights.map(([, primary = '']) => primary).filter((primary) => primary !== '0000'),
      rest: rest.endsWith(plainKana) ? '' : rest,
    };
  });
}

/**
 * By the root collation at primary strength: the first of the letters that are equal, or those letters that together equal one.
 * @param isBase whether case folding and decomposition leave a letter as it is
 */
function readCollation(file: string, isBase: (point: number) => boolean): Letters {
  const weights = readWeights(file);
  const isShort = ({ primaries }: Weights) => primaries.length === 1;
  const bases = weights
    .filter((one) => isShort(one) && isLetter(one.point) && isBase(one.point))
    .sort((one, other) => (one.rest < other.rest ? -1 : one.rest > other.rest ? 1 : one.point - other.point));
  const replacements = new Map<string, readonly number[]>();
  for (const { primaries } of weights.filter((one) => isShort(one) && isMark(one.point)))
    replacements.set(primaries.join(), []);
  for (const { point, primaries } of bases.reverse()) replacements.set(primaries.join(), [point]);
  return new Map(
    weights
      .filter(({ point, primaries }) => isLetter(point) && primaries.every((one) => replacements.has(one)))
      .map(({ point, primaries }) => [point, primaries.flatMap((one) => replacements.get(one) ?? [])]),
  );
}

/** Of the Latin-ASCII transform the Latin letters, and what it makes an apostrophe or a hyphen. */
function readLatinAscii(file: string): Letters {
  const rules = [...file.matchAll(/^(.|\\u[0-9A-F]{4}) → (\S+) ;/gmu)].map(
    ([, from = '', to = '']): [number, string] => [
      (from.length > 2 ? Number.parseInt(from.slice(2), 16) : from.codePointAt(0)) as number,
      to.replace(/['\\](.+?)'?$/, '$1'),
    ],
  );
  const isLatin = new Set(latin);
  const isWanted = ([from, to]: [number, string]) =>
    (isLatin.has(from) && isLetter(from)) || to === "'" || to === '-';
  return new Map(rules.filter(isWanted).map(([from, to]) => [from, toPoints(to)]));
}

/**
 * For Latin letters the Latin-ASCII transform decides, for what it leaves the root collation.
 * @param cldr the folder `common` of CLDR 44
 * @param isBase whether case folding and decomposition leave a code point as it is
 */
export function readLetters(cldr: string, isBase: (point: number) => boolean): Letters {
  const read = (path: string) => readFileSync(join(cldr, path), 'utf8');
  return new Map([
    ...readCollation(read('uca/allkeys_CLDR.txt'), isBase),
    ...readLatinAscii(read('transforms/Latin-ASCII.xml')),
    ...alsoEqual,
  ]);
}
