/**
 * XML 1.0 with namespaces, printed in UTF-8. `port/schema-shapes.ts` maps a schema to elements; their namespace comes with each codec's `Naming`
 * (`apis/resources/definition.ts`), and `strict/tree.ts` checks it.
 *
 * Input: `text/` decodes the bytes, `strict/` (saxes, then fast-xml-parser) checks them and reads them into a tree, then into a value of the
 * schema's shape. Output: `print.ts`, compiled from the schema; `text/escape.ts` escapes texts. `codec.ts` puts both together. User files:
 * `file.ts`, whose items `list/` reads one by one.
 *
 * On a first reading skip `quick/`, which reads documents of nearly all clients without a tree, and `transcode/`, which prints the stores'
 * JSON without values. Both exist for speed alone (docs/performance.md): a test reads and prints everything without them, too.
 */
import type { Format } from '../port/format.ts';
import { makeXml } from './codec.ts';
import { compilePrinter } from './print.ts';
import { compileTranscoder } from './transcode/transcode.ts';

/** @param isQuick false leaves out `quick/` and `transcode/`: the results are the same, but slower */
export const createXml = (isQuick: boolean): Format =>
  makeXml({ isQuick, printerOf: compilePrinter, ...(isQuick && { transcoderOf: compileTranscoder }) });

export const xml = createXml(true);
