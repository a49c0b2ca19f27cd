/**
 * The module that the console loads to import and export files: the code of the commands, over the public API in place of a store. The page uses it
 * by `engine.ts`.
 *
 * A format reads the rows of a file (`source.ts`), and the domain imports them, as in the command (`commands/files/take-resources.ts`);
 * `export-file.ts` is the other direction. `directory-target.ts` is the import's port over HTTP. A dry run (`domain/import/dry-run.ts`) writes to a
 * `resource-index.ts` instead.
 *
 * `scripts/bundle-console.js` replaces Node's `Buffer` by `buffer.ts`, and TypeBox's compiler, which the page's policy forbids, by `check.ts`.
 */
import { matchMembersOf } from '../../domain/import/import-options.ts';
import { parseBooleans } from '../formats/csv/booleans.ts';
import { protectCell } from '../formats/csv/cells.ts';
import { namedColumns } from '../formats/csv/columns.ts';
import { printRow } from '../formats/csv/row-splitter.ts';
import { fileEncodings, findByExtension } from '../formats/port/file-format.ts';
import { lettersOf } from '../formats/port/mistakes.ts';
import type { FileEngine, FormatName } from './engine.ts';
import { exportFile } from './export-file.ts';
import { formats, kindNamed } from './formats.ts';
import { importFile } from './import-file.ts';
import { preview } from './preview.ts';

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
