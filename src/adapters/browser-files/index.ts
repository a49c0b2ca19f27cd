/**
 * The module that the console loads to import and export files: the code of the commands, over the public API in place of a store. The page uses it
 * by `engine.ts`.
 *
 * A format reads the rows of a file (`source.ts`), and the domain imports them, as in the command (`commands/files/take-resources.ts`);
 * `export-file.ts` is the other direction. `directory-target.ts` is the import's port over HTTP. A dry run (`domain/import/dry-run.ts`) writes to a
 * `resource-index.ts` instead.
 *
 * `buffer.ts` is Node's `Buffer` in the page. `scripts/bundle-console.js` replaces other modules, such as TypeBox's compiler, by `stand-ins.ts`.
 */

import './buffer.ts';
import { matchMembersOf } from '../../domain/import/import-options.ts';
import { parseBooleans, protectCell } from '../formats/csv/cells.ts';
import { collectColumns } from '../formats/csv/column-collector.ts';
import { findColumns, headingRules } from '../formats/csv/column-names.ts';
import { type Column, namedColumns, userColumns } from '../formats/csv/columns.ts';
import { printCells } from '../formats/csv/row-cells.ts';
import { printRow, splitCells } from '../formats/csv/row-splitter.ts';
import {
  type DelimiterName,
  delimiters,
  type FileFront,
  type FileRow,
  fileEncodings,
  findByExtension,
  type TableForm,
} from '../formats/port/file-format.ts';
import { rejectedName } from '../formats/port/file-rows.ts';
import { lettersOf } from '../formats/port/mistakes.ts';
import type { FileEngine, FileFailure, FileKindName, FormatName, Preview } from './engine.ts';
import { exportFile } from './export-file.ts';
import { codecOf, formats, kindNamed, readOptionsOf, readRows } from './formats.ts';
import { importFile } from './import-file.ts';
import { failureOf, PageSource } from './source.ts';

const rowsShown = 5;

type Shown = Omit<Preview, 'failure'>;

function showTable(table: TableForm, rows: readonly FileRow[]): Shown {
  const { delimiter, encoding, names, headings } = table;
  const [order, ...others] = new Set(table.dates.values());
  const pathOf = (heading: string) => (headings.has(heading) ? headings.get(heading) : heading);
  const shown = names.filter((name) => name !== rejectedName);
  const name = Object.keys(delimiters).find((one) => delimiters[one as DelimiterName] === delimiter);
  return {
    headings: shown.map((heading) => ({ heading, path: pathOf(heading) })),
    rows: rows.map(({ text }) => splitCells(text, delimiter).slice(0, shown.length)),
    delimiter: name as DelimiterName | undefined,
    encoding,
    dates: others.length > 0 ? undefined : order,
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

/** The first rows of a file, before a person assigns the headings. */
const preview: FileEngine['preview'] = async (file, wishes) => {
  const codec = codecOf(wishes.kind, wishes.format);
  let front: FileFront | undefined;
  let rows: readonly FileRow[] = [];
  let failure: FileFailure | undefined;
  const options = readOptionsOf(wishes, (found) => {
    front = found;
  });
  try {
    const lenient = { ...options, unknown: 'asked' as const, lastLine: true };
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

export const engine: FileEngine = {
  findFormat: (file) => findByExtension(formats, file)?.name as FormatName | undefined,
  endings: formats.flatMap(({ endings }) => endings),
  encodings: fileEncodings,
  columnsOf: (kind) => [...namedColumns(kindNamed(kind).shown), ...userColumns(kindNamed(kind).shown)],
  pathOf: (kind, heading) => headingRules(kindNamed(kind).shown, new Map()).find(heading)?.path,
  matchMembers: (kind) => matchMembersOf(kindNamed(kind)),
  preview,
  importFile,
  exportFile,
  readBooleans: parseBooleans,
  lettersOf,
  // The byte order mark makes spreadsheets read it as UTF-8.
  printTable: (rows, delimiter = 'comma') =>
    `\uFEFF${rows.map((cells) => printRow(cells.map(protectCell), delimiters[delimiter])).join('')}`,
};
