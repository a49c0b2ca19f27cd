/** Shows the first rows of a file, before a person assigns the headings. */

import { collectColumns } from '../formats/csv/column-collector.ts';
import { findColumns } from '../formats/csv/column-names.ts';
import type { Column } from '../formats/csv/columns.ts';
import { printCells } from '../formats/csv/row-cells.ts';
import { splitCells } from '../formats/csv/row-splitter.ts';
import type { FileFront, FileRow, TableForm } from '../formats/port/file-format.ts';
import { type DelimiterName, delimiters } from '../formats/port/file-format.ts';
import { rejectedName } from '../formats/port/file-rows.ts';
import type { FileEngine, FileFailure, FileKindName, Preview } from './engine.ts';
import { codecOf, kindNamed, readOptionsOf, readRows } from './formats.ts';
import { failureOf, PageSource } from './source.ts';

const rowsShown = 5;

type Shown = Omit<Preview, 'failure'>;

function showTable(table: TableForm, rows: readonly FileRow[]): Shown {
  const { delimiter, encoding, names, headings } = table;
  const pathOf = (heading: string) => (headings.has(heading) ? headings.get(heading) : heading);
  const shown = names.filter((name) => name !== rejectedName);
  const name = Object.keys(delimiters).find((one) => delimiters[one as DelimiterName] === delimiter);
  return {
    headings: shown.map((heading) => ({ heading, path: pathOf(heading) })),
    rows: rows.map(({ text }) => splitCells(text, delimiter).slice(0, shown.length)),
    delimiter: name as DelimiterName | undefined,
    encoding,
  };
}

/** Shows the rows as a table of the columns that they need. */
function showDocuments(kind: FileKindName, rows: readonly FileRow[]): Shown {
  const schema = kindNamed(kind).shown;
  const collector = collectColumns(schema);
  const sound = rows.filter(({ value }) => {
    try {
      collector.add(value);
      return true;
    } catch {
      // The import reports the mistake in the row.
      return false;
    }
  });
  const paths = collector.columns();
  const columns = findColumns(schema, paths) as readonly Column[];
  return {
    headings: paths.map((path) => ({ heading: path, path })),
    rows: sound.map(({ value }) => printCells(columns, value)),
  };
}

export const preview: FileEngine['preview'] = async (file, wishes) => {
  const codec = codecOf(wishes.kind, wishes.format);
  let front: FileFront | undefined;
  let rows: readonly FileRow[] = [];
  let failure: FileFailure | undefined;
  const options = readOptionsOf(wishes, (found) => {
    front = found;
  });
  try {
    const lenient = { ...options, unknown: 'asked' as const, takesLastLine: true };
    for await (const batch of readRows(codec, new PageSource(file).chunks(), lenient)) {
      rows = batch.slice(0, rowsShown);
      break;
    }
  } catch (error) {
    failure = failureOf(error);
  }
  const table = front?.table;
  return { ...(table === undefined ? showDocuments(wishes.kind, rows) : showTable(table, rows)), failure };
};
