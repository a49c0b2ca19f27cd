/** Exports documents as the command does (`commands/files/export-resources.ts`), from pages of the API. */

import { delimiters } from '../formats/core/file-format.ts';
import { collectColumns } from '../formats/csv/column-collector.ts';
import type { ExportWishes, FileEngine } from './engine.ts';
import { codecOf, kindOf } from './formats.ts';

const isWithin = (fields: readonly string[] | undefined, path: string): boolean =>
  fields?.some((field) => path === field || path.startsWith(`${field}.`)) ?? true;

export const exportFile: FileEngine['exportFile'] = async (wishes, readPages, write) => {
  const collector = wishes.format === 'csv' ? collectColumns(kindOf(wishes.kind).shown) : undefined;
  if (collector !== undefined)
    for await (const page of readPages()) for (const document of page) collector.add(document);
  const found = collector?.columns();
  const printer = printerOf(
    wishes,
    found?.filter((path) => isWithin(wishes.fields, path)),
  );
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
  if (wishes.fields === undefined && collector?.size !== found?.length)
    throw new Error('entries got members meanwhile that the file has no columns for: export again');
  await write(printer.close);
  return written;
};

function printerOf({ kind, format, spreadsheet, delimiter }: ExportWishes, columns?: readonly string[]) {
  const options = { columns, spreadsheet, delimiter: delimiter && delimiters[delimiter] };
  return codecOf(kind, format).printer(options);
}
