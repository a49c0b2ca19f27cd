/** The registry of formats for user files. */

import type { FileFormat } from './core/file-format.ts';
import { csv } from './csv/csv.ts';
import { jsonFile } from './json/file.ts';
import { jsonl } from './json/jsonl.ts';
import { xmlFile } from './xml/file.ts';

export const fileFormats: readonly [FileFormat, ...FileFormat[]] = [jsonl, jsonFile, xmlFile, csv];

const compressed = '.gz';

/** @param file a path; a final `.gz` is ignored @returns undefined for an unknown extension */
export function findFileFormat(file: string): FileFormat | undefined {
  const name = file.toLowerCase();
  const plain = name.endsWith(compressed) ? name.slice(0, -compressed.length) : name;
  return fileFormats.find(({ endings }) => endings.some((ending) => plain.endsWith(ending)));
}
