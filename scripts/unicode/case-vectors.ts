// Prints test/domain/case-vectors.json: the marks of Unicode 15.1, and what full case folding makes of each character.
// npm ci --prefix scripts/unicode
// node scripts/unicode/case-vectors.ts > test/domain/case-vectors.json
import commonFolding from '@unicode/unicode-15.1.0/Case_Folding/C/code-points.mjs';
import fullFolding from '@unicode/unicode-15.1.0/Case_Folding/F/code-points.mjs';
import categories from '@unicode/unicode-15.1.0/General_Category/index.mjs';

/** First and last of each range in hexadecimal, the first as a step from the last of the range before. */
function listRanges(points: readonly number[]): string {
  const firsts = points.filter((point, at) => points[at - 1] !== point - 1);
  const lasts = points.filter((point, at) => points[at + 1] !== point + 1);
  const rangeOf = (first: number, at: number) => {
    const length = (lasts[at] ?? first) - first;
    return (first - (lasts[at - 1] ?? 0)).toString(16) + (length > 0 ? `+${length.toString(16)}` : '');
  };
  return firsts.map(rangeOf).join(' ');
}

const marks = [...categories].filter(([, category]) => category.endsWith('Mark')).map(([point]) => point);
const folded = [...commonFolding, ...fullFolding].map(([point, to]) =>
  String.fromCodePoint(point, ...[to].flat()),
);
/** Escapes what combines with the character before it or may run from right to left. */
const escapeInvisible = (text: string) =>
  text.replace(/\p{M}|[\u{10000}-\u{10ffff}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
const lines = folded.join(' ').match(/.{1,99}(?= |$)/gu) ?? [];
process.stdout.write(`{
  "marks": "${listRanges(marks.sort((one, other) => one - other))}",
  "folded": [
${lines.map((line) => `    "${escapeInvisible(line.trim())}"`).join(',\n')}
  ]
}
`);
