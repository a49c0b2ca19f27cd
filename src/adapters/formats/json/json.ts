/**
 * JSON (RFC 8259): limits.ts checks the limits, JSON.parse reads the text, diagnostics.ts explains errors.
 *
 * Files: `jsonl.ts` for a line per user, `file.ts` for a list. `list-scanner.ts` finds the items of a list, `list-frame.ts` checks the text
 * around them, and each is read by the code below.
 */

import type { TObject } from 'typebox';
import {
  type Codec,
  type Format,
  maxNodes,
  type Naming,
  type Parsed,
  type Reading,
  runToEnd,
} from '../port/format.ts';
import { decodeSoundPart, stripMark } from '../text/decoding.ts';
import { documentStart, positionAt, UnreadableError } from '../text/positions.ts';
import { examineJson } from './diagnostics.ts';
import { countValues } from './limits.ts';
import { type ParsedText, parseInPieces, parseWhole } from './pieces.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws UnreadableError for a charset other than UTF-8 (RFC 8259 §8.1) and its subset US-ASCII */
function decodeUtf8(bytes: Buffer, charset = 'utf-8'): string {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new UnreadableError('JSON is read in the charset UTF-8 only');
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableError('the bytes are not UTF-8', findUndecodable(bytes));
  }
}

/** The position of the first byte that isn't UTF-8. */
function findUndecodable(bytes: Buffer) {
  const before = stripMark(decodeSoundPart(bytes, 'utf-8'), 'utf-8');
  return positionAt(before, before.length);
}

/** Clients may send back read-only members unchanged, so errors in them are ignored. */
function isReadOnly({ properties }: TObject, pointer: string): boolean {
  const member = properties[pointer.split('/')[1] ?? ''];
  return member !== undefined && 'readOnly' in member && member.readOnly === true;
}

function* parse(text: string, limit: number): Generator<void, ParsedText, void> {
  const counts = countValues(text, limit);
  // The next step takes no longer than maxNodes values do.
  yield;
  return counts.values <= maxNodes ? parseWhole(text, counts) : yield* parseInPieces(text);
}

function* read(limit: number, schema: TObject, bytes: Buffer, charset?: string): Reading {
  const text = decodeUtf8(bytes, charset);
  if (text.trim() === '') throw new UnreadableError('the body is empty', documentStart);
  return yield* readText(limit, schema, text);
}

function* readText(limit: number, schema: TObject, text: string): Reading {
  let parsed: ParsedText | undefined;
  try {
    parsed = yield* parse(text, limit);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (parsed?.hasRepeated === false) return { value: parsed.value, violations: [] };
  yield;
  const repeated = yield* examineJson(text);
  if (parsed === undefined) throw new UnreadableError('this is not JSON', documentStart);
  const violations = repeated.filter(({ pointer }) => !isReadOnly(schema, pointer));
  return { value: parsed.value, violations };
}

/** Like a codec's `read`, at once, for text that is decoded and not empty. @throws UnreadableError */
export const parseDocument = (schema: TObject, text: string): Parsed =>
  runToEnd(readText(maxNodes, schema, text));

/**
 * @param limit the maximum number of values in a document. If it is above maxNodes, each item of a list in the document, and the rest of the
 * document, may have at most maxNodes values.
 */
export const jsonCodec = <T>(schema: TObject, { many }: Naming, limit: number = maxNodes): Codec<T> => ({
  read: (bytes, charset) => read(limit, schema, bytes, charset),
  print: (value) => JSON.stringify(value),
  isCanonical: true,
  list: {
    open: (beside = {}) => {
      const members = JSON.stringify(beside).slice(1, -1);
      return `{${members}${members && ','}${JSON.stringify(many)}:[`;
    },
    between: ',',
    close: ']}',
    item: (value) => JSON.stringify(value),
  },
});

export const json: Format = {
  name: 'json',
  mediaTypes: [{ type: 'application/json', contentType: 'application/json' }],
  patchTypes: ['application/merge-patch+json'],
  problemType: 'application/problem+json',
  inContracts: { body: 'exact', exampleOf: (printed) => JSON.parse(printed) },
  revision: 1,
  codec: (schema, naming, limit) => jsonCodec(schema, naming, limit),
};
