/** JSON (RFC 8259): bounded by json-bounds.ts, decided by JSON.parse, and surveyed for what that keeps to itself by json-survey.ts. */
import type { TObject } from 'typebox';
import {
  type Codec,
  type Format,
  maxDepth,
  type Naming,
  type Reading,
  UnreadableError,
  wholeOf,
} from './format.ts';
import { countNames } from './json-bounds.ts';
import { notJson, surveyJson } from './json-survey.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer, charset = 'utf-8'): string {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new UnreadableError('JSON is read in the charset UTF-8 only');
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableError('the bytes are not UTF-8', placeOf(bytes));
  }
}

/** Where the first byte is that isn't UTF-8: where the text, encoded again, first differs. */
function placeOf(bytes: Buffer) {
  const again = Buffer.from(bytes.toString('utf8'));
  let length = 0;
  while (length < bytes.length && bytes[length] === again[length]) length += 1;
  // As a stream, since the last character may be there in part.
  const before = new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
  let line = 1;
  for (let end = before.indexOf('\n'); end >= 0; end = before.indexOf('\n', end + 1)) line += 1;
  return { line, column: before.length - before.lastIndexOf('\n') };
}

/** In all its objects; not a number when it nests deeper than `levels`. */
function membersIn(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Number.NaN;
  const within: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : within.length;
  for (const one of within) count += membersIn(one, levels - 1);
  return count;
}

/** What a client can't set it may send back in whatever state. */
function isReadOnly({ properties }: TObject, pointer: string): boolean {
  const member = properties[pointer.split('/')[1] ?? ''];
  return member !== undefined && 'readOnly' in member && member.readOnly === true;
}

function* read(schema: TObject, bytes: Buffer, charset?: string): Reading {
  const text = decode(bytes, charset);
  if (text.trim() === '') throw new UnreadableError('the body is empty', { line: 1, column: 1 });
  const names = countNames(text);
  // What follows takes no longer than the values that there may be.
  yield;
  const value = parsed(text);
  // No name stands twice where the value has as many members as the text names: the survey takes ten times as long.
  if (membersIn(value, maxDepth) === names) return { value, violations: [] };
  yield;
  return { value, violations: surveyJson(text, false).filter(({ pointer }) => !isReadOnly(schema, pointer)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    surveyJson(text, true);
    throw notJson({ line: 1, column: 1 });
  }
}

export const json: Format = {
  name: 'json',
  mediaTypes: [{ type: 'application/json', contentType: 'application/json' }],
  patchTypes: ['application/merge-patch+json'],
  problemType: 'application/problem+json',
  isJson: true,
  revision: 1,
  codec: <T>(schema: TObject, { many }: Naming): Codec<T> => ({
    parse: (bytes, charset) => wholeOf(read(schema, bytes, charset)),
    read: (bytes, charset) => read(schema, bytes, charset),
    print: (value) => JSON.stringify(value),
    isCanonical: true,
    list: {
      open: `{${JSON.stringify(many)}:[`,
      between: ',',
      close: ']}',
      item: (value) => JSON.stringify(value),
    },
  }),
};
