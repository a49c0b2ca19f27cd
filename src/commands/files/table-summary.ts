/** Tells how a table was read, so that a wrong guess is seen. */
import { type DelimiterName, delimiters, type TableForm } from '../../adapters/formats/core/file-format.ts';

const names = new Map(
  Object.entries(delimiters).map(([name, delimiter]) => [delimiter, name as DelimiterName]),
);
const plurals: Readonly<Record<DelimiterName, string>> = {
  comma: 'commas',
  semicolon: 'semicolons',
  tab: 'tabs',
};

/** For programs. */
export const summarizeTable = ({ delimiter, encoding, headings, words }: TableForm) => ({
  delimiter: names.get(delimiter) ?? 'comma',
  encoding,
  headings: Object.fromEntries([...headings].map(([heading, path]) => [heading, path ?? null])),
  booleans: [...words],
});

/** For people. */
export function describeTable(table: TableForm): string {
  const { delimiter, encoding, booleans } = summarizeTable(table);
  const headings = [...table.headings].map(([heading, path]) =>
    path === undefined ? `"${heading}" is left out` : `"${heading}" is ${path}`,
  );
  const words = booleans.map((word) => (word === '' ? 'an empty cell' : word));
  return [
    `Read as a table with ${plurals[delimiter]}, in ${encoding.startsWith('utf') ? encoding.toUpperCase() : encoding}`,
    ...(headings.length > 0 ? [headings.join(', ')] : []),
    ...(words.length > 0 ? [`true and false are ${words.join(', ')}`] : []),
  ].join('; ');
}
