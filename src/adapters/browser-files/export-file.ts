/** Exports documents as the command does (`commands/files/export-resources.ts`), from pages of the API. */

import { delimiters } from '../formats/port/file-format.ts';
import type { FileEngine } from './engine.ts';
import { codecOf } from './formats.ts';

const isWithin = (fields: readonly string[] | undefined, path: string): boolean =>
  fields?.some((field) => path === field || path.startsWith(`${field}.`)) ?? true;

export const exportFile: FileEngine['exportFile'] = async (wishes, readPages, write) => {
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
