/**
 * The registry of formats, in order of preference where nothing else decides. `file-formats.ts` is the registry for files of users.
 *
 * A format is a value (`core/format.ts`). For each schema it gives a codec, which reads a document or a list (bytes in, values and violations
 * out, in steps so that other requests are served in between) and prints them. A format of files (`core/file-format.ts`) reads rows with their
 * positions, prints a file in pieces, and prints the rows that were refused. Neither knows what a user is: names, types and limits come from
 * the schema (`core/schema-kinds.ts`).
 *
 * `json/`: JSON.parse behind a count of depth and values; lists are scanned item by item. `csv/`: rows, cells and the columns that a schema
 * has. `xml/`: see `xml/xml.ts`. On a first reading skip `json/pieces.ts`, `json/diagnostics.ts`, `xml/quick/` and `xml/transcode/`.
 */
import type { Format } from './core/format.ts';
import { json } from './json/json.ts';
import { xml } from './xml/xml.ts';

export const formats: readonly [Format, ...Format[]] = [json, xml];

/** The first format when none has that name. */
export const findFormat = (wanted: string): Format =>
  formats.find(({ name }) => name === wanted) ?? formats[0];
