/** JSON (RFC 8259): json-limits.ts bounds the text, JSON.parse reads it, json-diagnostics.ts explains what is wrong with it. */
import type { TObject } from 'typebox';
import {
  type Codec,
  documentStart,
  type Format,
  maxDepth,
  type Naming,
  type Reading,
  runToEnd,
  UnreadableError,
} from './format.ts';
import { findRepeatedNames, throwSyntaxError } from './json-diagnostics.ts';
import { countNames } from './json-limits.ts';
import { checkJsonCharset, readJsonList } from './json-list.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Buffer, charset?: string): string {
  checkJsonCharset(charset);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableError('the bytes are not UTF-8', findUndecodable(bytes));
  }
}

/** The position of the first byte that isn't UTF-8: where the decoded text, encoded again, first differs. */
function findUndecodable(bytes: Buffer) {
  const again = Buffer.from(bytes.toString('utf8'));
  let length = 0;
  while (length < bytes.length && bytes[length] === again[length]) length += 1;
  // As a stream, since the last character may be incomplete.
  const before = new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
  let line = 1;
  for (let end = before.indexOf('\n'); end >= 0; end = before.indexOf('\n', end + 1)) line += 1;
  return { line, column: before.length - before.lastIndexOf('\n') };
}

/** The members of all objects in `value`; NaN when it nests deeper than `levels`. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Number.NaN;
  const within: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : within.length;
  for (const one of within) count += countMembers(one, levels - 1);
  return count;
}

/** A client may send back read-only members as it got them, so mistakes in them don't count. */
function isReadOnly({ properties }: TObject, pointer: string): boolean {
  const member = properties[pointer.split('/')[1] ?? ''];
  return member !== undefined && 'readOnly' in member && member.readOnly === true;
}

function* read(schema: TObject, bytes: Buffer, charset?: string): Reading {
  const text = decodeUtf8(bytes, charset);
  if (text.trim() === '') throw new UnreadableError('the body is empty', documentStart);
  const names = countNames(text);
  // The rest takes no longer than maxNodes values do.
  yield;
  const value = parseText(text);
  // As many members as names means that none occurs twice. Looking for those takes ten times as long.
  if (countMembers(value, maxDepth) === names) return { value, violations: [] };
  yield;
  return { value, violations: findRepeatedNames(text).filter(({ pointer }) => !isReadOnly(schema, pointer)) };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return throwSyntaxError(text);
  }
}

export const json: Format = {
  name: 'json',
  mediaTypes: [{ type: 'application/json', contentType: 'application/json' }],
  patchTypes: ['application/merge-patch+json'],
  listItems: 'whole',
  problemType: 'application/problem+json',
  inContracts: { body: 'exact', exampleOf: (printed) => JSON.parse(printed) },
  revision: 1,
  codec: <T>(schema: TObject, { many }: Naming): Codec<T> => ({
    parse: (bytes, charset) => runToEnd(read(schema, bytes, charset)),
    read: (bytes, charset) => read(schema, bytes, charset),
    readList: (chunks, options) =>
      readJsonList(chunks, many, options, (item) => runToEnd(read(schema, item))),
    print: (value) => JSON.stringify(value),
    isCanonical: true,
    list: {
      open: (total) => `{${total === undefined ? '' : `"total":${total},`}${JSON.stringify(many)}:[`,
      between: ',',
      close: ']}',
      item: (value) => JSON.stringify(value),
    },
  }),
};
