/** XML 1.0 with namespaces, made from a schema. Lists are wrapped, maps are elements with a `name`; printed in UTF-8. */
import type { TObject } from 'typebox';
import { type Codec, type Format, type Naming, type Reading, UnreadableError, wholeOf } from './format.ts';
import { decode } from './xml-decode.ts';
import { printer } from './xml-print.ts';
import { readDocument } from './xml-read.ts';
import { readingTree } from './xml-tree.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

function codec<T>(schema: TObject, naming: Naming): Codec<T> {
  const print = printer<T>(schema);
  const { one, many, namespace } = naming;
  function* read(bytes: Buffer, charset?: string): Reading {
    const text = decode(bytes, charset);
    if (text.trim() === '') throw new UnreadableError('the body is empty', { line: 1, column: 1 });
    const root = yield* readingTree(text);
    yield;
    return readDocument(schema, naming, root);
  }
  return {
    parse: (bytes, charset) => wholeOf(read(bytes, charset)),
    read,
    print: (value) => `${declaration}<${one} xmlns="${namespace}">${print(value)}</${one}>`,
    isCanonical: false,
    list: {
      open: `${declaration}<${many} xmlns="${namespace}">`,
      between: '',
      close: `</${many}>`,
      item: (value) => `<${one}>${print(value)}</${one}>`,
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
  problemType: 'application/problem+xml; charset=utf-8',
  isJson: false,
  revision: 1,
  codec,
};
