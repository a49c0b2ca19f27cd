/** The formats of the command, of which none compiles code here. */

import type { Kind } from '../../domain/kinds/kind.ts';
import { kindsOf } from '../../domain/kinds.ts';
import { namingOf } from '../apis/resources/definition.ts';
import type { FileCodec, FileFormat, FileReadOptions } from '../formats/core/file-format.ts';
import { delimiters, maxRowLength } from '../formats/core/file-format.ts';
import { csv } from '../formats/csv/csv.ts';
import { jsonFile } from '../formats/json/file.ts';
import { jsonl } from '../formats/json/jsonl.ts';
import { makeXml } from '../formats/xml/codec.ts';
import { createXmlFile } from '../formats/xml/file.ts';
import { interpretPrinter } from '../formats/xml/print.ts';
import type { FileKindName, FormatName, ReadWishes } from './engine.ts';

const xmlFile = createXmlFile(makeXml({ isQuick: true, printerOf: interpretPrinter }));

export const formats: readonly FileFormat[] = [csv, jsonl, jsonFile, xmlFile];

const kinds = kindsOf();

export const kindOf = (name: FileKindName): Kind => kinds.of(name);

export function codecOf(kind: FileKindName, format: FormatName): FileCodec<unknown> {
  const found = formats.find(({ name }) => name === format) ?? csv;
  return found.codec(kindOf(kind).shown, namingOf(kindOf(kind)));
}

/** @param onFront as of `FileReadOptions` */
export const readOptionsOf = (
  {
    encoding,
    delimiter,
    booleans,
    emptyRemoves,
    spreadsheet,
    lastLine,
    headings,
    corrections,
    rows,
  }: ReadWishes,
  onFront: NonNullable<FileReadOptions['onFront']>,
): FileReadOptions => ({
  ...{ encoding, booleans, headings, corrections, rows, emptyRemoves, spreadsheet, onFront, maxRowLength },
  takesLastLine: lastLine,
  delimiter: delimiter && delimiters[delimiter],
});
