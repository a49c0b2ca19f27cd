/** The registry of formats for user files. */

import { csv } from './csv/csv.ts';
import { jsonFile } from './json/file.ts';
import { jsonl } from './json/jsonl.ts';
import { type FileFormat, findByExtension } from './port/file-format.ts';
import { createXmlFile } from './xml/file.ts';
import { xml } from './xml/xml.ts';

export const xmlFile = createXmlFile(xml);

export const fileFormats: readonly [FileFormat, ...FileFormat[]] = [jsonl, jsonFile, xmlFile, csv];

/** @param file as of `findByExtension` */
export const findFileFormat = (file: string): FileFormat | undefined => findByExtension(fileFormats, file);
