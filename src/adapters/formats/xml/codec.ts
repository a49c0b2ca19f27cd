/** The format as a value, without its printers: `xml.ts` compiles them, which the policy of a page forbids. */

import type { TObject, TSchema } from 'typebox';
import {
  type Codec,
  type Format,
  maxDepth,
  type Naming,
  type Reading,
  type Transcoder,
} from '../port/format.ts';
import { depthOf } from '../port/schema-shapes.ts';
import { documentStart, UnreadableError } from '../text/positions.ts';
import { printAttributes } from './print.ts';
import { readQuickDocument } from './quick/reader.ts';
import { readDocument } from './strict/document.ts';
import { readTree } from './strict/tree.ts';
import { decodeXml } from './text/decode.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

/** How a format prints, and whether it reads quickly. */
interface XmlMeans {
  /** False: without `quick/`. The values are the same. */
  readonly isQuick: boolean;
  printerOf<T>(schema: TSchema): (value: T) => string;
  /** Undefined: values are parsed and printed. The parameters are those of `compileTranscoder`. */
  transcoderOf?(schema: TObject, one: string, root: string): Transcoder;
}

function codec<T>(
  schema: TObject,
  naming: Naming,
  { isQuick, printerOf, transcoderOf }: XmlMeans,
  limit?: number,
): Codec<T> {
  // The quick reader would take documents that the strict one refuses.
  if (depthOf(schema) > maxDepth) throw new Error(`the schema nests deeper than ${maxDepth} levels`);
  const print = printerOf<T>(schema);
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
    ...(transcoderOf && { transcoder: transcoderOf(schema, one, root) }),
    list: {
      open: (beside = {}) => `${declaration}<${many} xmlns="${namespace}"${printAttributes(beside)}>`,
      between: '',
      close: `</${many}>`,
      item: (value) => open + print(value) + close,
    },
  };
}

export const makeXml = (means: XmlMeans): Format => ({
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
  codec: (schema, naming, limit) => codec(schema, naming, means, limit),
});
