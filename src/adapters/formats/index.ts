/**
 * The registry of formats, in order of preference. `file-formats.ts` is the registry for user files.
 *
 * A format is a value (`port/format.ts`). For each schema it provides a codec, which reads documents and lists (bytes in, values and
 * violations out, in steps so that other requests are served in between) and prints them. A file format (`port/file-format.ts`) reads rows
 * with their positions, prints a file in pieces, and prints rejected rows. Neither knows the user model: names, types and limits come from
 * the schema (`port/schema-shapes.ts`).
 *
 * `json/`: JSON.parse after a check of depth and number of values; lists are scanned item by item. `csv/`: rows, cells and the columns of a
 * schema. `xml/`: see `xml/xml.ts`. On a first reading skip `json/pieces.ts`, `json/diagnostics.ts`, `xml/quick/` and `xml/transcode/`.
 */

import { json } from './json/json.ts';
import type { Format } from './port/format.ts';
import { xml } from './xml/xml.ts';

export const formats: readonly [Format, ...Format[]] = [json, xml];

/** Returns the first format for an unknown name. */
export const findFormat = (wanted: string): Format =>
  formats.find(({ name }) => name === wanted) ?? formats[0];
