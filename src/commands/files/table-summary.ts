/** Tells how a table was read, so that a wrong guess is seen. */
import { type DelimiterName, delimiters, type TableForm } from '../../adapters/formats/port/file-format.ts';
import { describeCount } from '../../domain/validation/describe-count.ts';

const names = new Map(
  Object.entries(delimiters).map(([name, delimiter]) => [delimiter, name as DelimiterName]),
);
const plurals: Readonly<Record<DelimiterName, string>> = {
  comma: 'commas',
  semicolon: 'semicolons',
  tab: 'tabs',
};

/** In UTF-16 code units of a heading. */
const maxShown = 64;

/** For programs. */
export const summarizeTable = ({ delimiter, encoding, headings, words }: TableForm) => ({
  delimiter: names.get(delimiter) ?? 'comma',
  encoding,
  headings: Object.fromEntries(
    [...headings].map(([heading, path]) => [heading.slice(0, maxShown), path ?? null]),
  ),
  booleans: [...words],
});

/** For people. */
export function describeTable(table: TableForm): string {
  const { delimiter, encoding, headings: paths, booleans } = summarizeTable(table);
  const headings = Object.entries(paths).map(([heading, path]) => `"${heading}" is ${path ?? 'left out'}`);
  const begin = describeCount(table.apostrophes.count, 'cell begins', 'cells begin');
  const words = booleans.map((word) => (word === '' ? 'an empty cell' : word));
  return [
    `Read as a table with ${plurals[delimiter]}, in ${encoding.startsWith('utf') ? encoding.toUpperCase() : encoding}`,
    ...(headings.length > 0 ? [headings.join(', ')] : []),
    ...(words.length > 0 ? [`true and false are ${words.join(', ')}`] : []),
    ...(table.apostrophes.count > 0
      ? [`${begin} with an apostrophe, as export --spreadsheet writes: import --spreadsheet removes it`]
      : []),
  ].join('; ');
}
