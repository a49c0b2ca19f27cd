/** XML 1.0 with namespaces, printed in UTF-8. xml-shape.ts maps schemas to elements. */
import type { TObject } from 'typebox';
import {
  type Codec,
  documentStart,
  type Format,
  type Naming,
  type Reading,
  runToEnd,
  UnreadableError,
} from './format.ts';
import { decodeXml } from './xml-decode.ts';
import { readXmlList } from './xml-list.ts';
import { readPlainDocument } from './xml-plain-document.ts';
import { compileShape } from './xml-plain-shape.ts';
import { compilePrinter } from './xml-print.ts';
import { readDocument } from './xml-read.ts';
import { compileTranscoder } from './xml-transcode.ts';
import { readTree } from './xml-tree.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

function codec<T>(schema: TObject, naming: Naming): Codec<T> {
  const print = compilePrinter<T>(schema);
  const shape = compileShape(schema);
  const { one, many, namespace } = naming;
  const [root, open, close] = [`${declaration}<${one} xmlns="${namespace}">`, `<${one}>`, `</${one}>`];
  function* read(bytes: Buffer, charset?: string): Reading {
    const text = decodeXml(bytes, charset);
    if (text.trim() === '') throw new UnreadableError('the body is empty', documentStart);
    const plain = readPlainDocument(shape, naming, text);
    if (plain !== undefined) return { value: plain, violations: [] };
    yield;
    const root = yield* readTree(text);
    yield;
    return readDocument(schema, naming, root);
  }
  return {
    parse: (bytes, charset) => runToEnd(read(bytes, charset)),
    read,
    readList: (chunks, options) => readXmlList(chunks, { schema, shape, naming }, options),
    print: (value) => root + print(value) + close,
    isCanonical: false,
    transcoder: compileTranscoder(schema, one, root),
    list: {
      open: (total) =>
        `${declaration}<${many} xmlns="${namespace}"${total === undefined ? '' : ` total="${total}"`}>`,
      between: '',
      close: `</${many}>`,
      item: (value) => open + print(value) + close,
    },
  };
}

export const xml: Format = {
  name: 'xml',
  mediaTypes: [
    { type: 'application/xml', contentType: 'application/xml; charset=utf-8' },
    { type: 'text/xml', contentType: 'text/xml; charset=utf-8' },
  ],
  patchTypes: [],
  listItems: 'whole',
  problemType: 'application/problem+xml; charset=utf-8',
  inContracts: {
    body: 'elements',
    exampleOf: (printed) => printed,
    language: { name: 'XML Schema', extension: 'xsd' },
  },
  revision: 1,
  codec,
};
