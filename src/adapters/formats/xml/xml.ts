/**
 * XML 1.0 with namespaces, printed in UTF-8. `core/schema-kinds.ts` maps a schema to elements.
 *
 * Input: `text/` decodes the bytes, `strict/` (saxes, then fast-xml-parser) checks them and reads them into a tree, then into a value of
 * the schema's shape. Output: `print.ts`, compiled from the schema. User files: `file.ts`, whose items
 * `list/` reads one by one.
 *
 * On a first reading skip `quick/`, which reads documents of nearly all clients without a tree, and `transcode/`, which prints the stores'
 * JSON without values. Both exist for speed alone (docs/performance.md): a test reads and prints everything without them, too.
 */
import type { TObject } from 'typebox';
import {
  type Codec,
  documentStart,
  type Format,
  maxDepth,
  type Naming,
  type Reading,
  UnreadableError,
} from '../core/format.ts';
import { depthOf } from '../core/schema-kinds.ts';
import { compilePrinter, printAttributes } from './print.ts';
import { readQuickDocument } from './quick/document.ts';
import { readDocument } from './strict/read.ts';
import { readTree } from './strict/tree.ts';
import { decodeXml } from './text/decode.ts';
import { compileTranscoder } from './transcode/transcode.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

function codec<T>(schema: TObject, naming: Naming, isQuick: boolean, limit?: number): Codec<T> {
  // The quick reader would take documents that the strict one refuses.
  if (depthOf(schema) > maxDepth) throw new Error(`the schema nests deeper than ${maxDepth} levels`);
  const print = compilePrinter<T>(schema);
  const { one, many, namespace } = naming;
  const [root, open, close] = [`${declaration}<${one} xmlns="${namespace}">`, `<${one}>`, `</${one}>`];
  function* read(bytes: Buffer, charset?: string): Reading {
    const text = decodeXml(bytes, charset);
    if (text.trim() === '') throw new UnreadableError('the body is empty', documentStart);
    const value = isQuick ? readQuickDocument(schema, naming, text) : undefined;
    if (value !== undefined) return { value, violations: [] };
    yield;
    const root = yield* readTree(text, limit);
    yield;
    return readDocument(schema, naming, root);
  }
  return {
    read,
    print: (value) => root + print(value) + close,
    isCanonical: false,
    ...(isQuick && { transcoder: compileTranscoder(schema, one, root) }),
    list: {
      open: (beside = {}) => `${declaration}<${many} xmlns="${namespace}"${printAttributes(beside)}>`,
      between: '',
      close: `</${many}>`,
      item: (value) => open + print(value) + close,
    },
  };
}

/** @param isQuick false leaves out `quick/` and `transcode/`: the results are the same, but slower */
export const createXml = (isQuick: boolean): Format => ({
  name: 'xml',
  mediaTypes: [
    { type: 'application/xml', contentType: 'application/xml; charset=utf-8' },
    { type: 'text/xml', contentType: 'text/xml; charset=utf-8' },
  ],
  patchTypes: [],
  problemType: 'application/problem+xml; charset=utf-8',
  inContracts: {
    body: 'elements',
    exampleOf: (printed) => printed,
    language: { name: 'XML Schema', extension: 'xsd' },
  },
  revision: 1,
  codec: (schema, naming, limit) => codec(schema, naming, isQuick, limit),
});

export const xml = createXml(true);
