/**
 * The module that the console loads to import and export files: the code of the commands, over the public API in place of a store. The page uses it
 * by `engine.ts`.
 *
 * A format reads the rows of a file (`source.ts`), and the domain imports them, as in the command (`commands/files/take-resources.ts`);
 * `exportFile` is the other direction. `directory-target.ts` is the import's port over HTTP. A dry run (`domain/import/dry-run.ts`) writes to a
 * `resource-index.ts` instead.
 *
 * `scripts/bundle-console.js` replaces Node's `Buffer` by `buffer.ts`, and TypeBox's compiler, which the page's policy forbids, by `check.ts`.
 */

import { matchMembersOf } from '../../domain/import/import-options.ts';
import { parseBooleans } from '../formats/csv/booleans.ts';
import { protectCell } from '../formats/csv/cells.ts';
import { namedColumns } from '../formats/csv/columns.ts';
import { printRow } from '../formats/csv/row-splitter.ts';
import { delimiters, fileEncodings, findByExtension } from '../formats/port/file-format.ts';
import { lettersOf } from '../formats/port/mistakes.ts';
import type { FileEngine, FormatName } from './engine.ts';
import { codecOf, formats, kindNamed } from './formats.ts';
import { importFile } from './import-file.ts';
import { preview } from './preview.ts';

const isWithin = (fields: readonly string[] | undefined, path: string): boolean =>
  fields?.some((field) => path === field || path.startsWith(`${field}.`)) ?? true;

/** As `commands/files/export-resources.ts`, from pages of the API. */
const exportFile: FileEngine['exportFile'] = async (wishes, readPages, write) => {
  const { kind, format, fields, spreadsheet, delimiter } = wishes;
  const codec = codecOf(kind, format);
  const collector = codec.collectColumns?.();
  if (collector !== undefined)
    for await (const page of readPages()) for (const document of page) collector.add(document);
  const found = collector?.columns();
  const printer = codec.printer({
    columns: found?.filter((path) => isWithin(fields, path)),
    ...{ spreadsheet, delimiter: delimiter && delimiters[delimiter] },
  });
  await write(printer.open);
  let [written, between] = [0, ''];
  for await (const page of readPages()) {
    let rows = '';
    for (const document of page) {
      collector?.add(document);
      rows += between + printer.row(document);
      between = printer.between;
    }
    await write(rows);
    written += page.length;
  }
  if (fields === undefined && collector?.size !== found?.length)
    throw new Error('entries got members meanwhile that the file has no columns for: export again');
  await write(printer.close);
  return written;
};

export const engine: FileEngine = {
  findFormat: (file) => findByExtension(formats, file)?.name as FormatName | undefined,
  endings: formats.flatMap(({ endings }) => endings),
  encodings: fileEncodings,
  columnsOf: (kind) => namedColumns(kindNamed(kind).shown),
  matchMembers: (kind) => matchMembersOf(kindNamed(kind)),
  preview,
  importFile,
  exportFile,
  readBooleans: parseBooleans,
  lettersOf,
  // The byte order mark makes spreadsheets read it as UTF-8.
  printTable: (rows) => `\uFEFF${rows.map((cells) => printRow(cells.map(protectCell), ',')).join('')}`,
};
