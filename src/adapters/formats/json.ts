/** JSON (RFC 8259). JSON.parse decides what it is; jsonc-parser finds what JSON.parse keeps to itself: places and repeated names. */
import { type JSONVisitor, visit } from 'jsonc-parser';
import type { TObject } from 'typebox';
import type { Violation } from '../../domain/errors.ts';
import { escapePointer } from '../../domain/validation.ts';
import {
  type Codec,
  type Format,
  maxDepth,
  maxReported,
  type Naming,
  type Parsed,
  UnreadableError,
} from './format.ts';
import { checkJsonCharset, readJsonList } from './json-list.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer, charset?: string): string {
  checkJsonCharset(charset);
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

const notJson = (position: { line: number; column: number }): UnreadableError =>
  new UnreadableError('this is not JSON', position);

/** Throws, since the visitor calls itself for each level: nothing but an exception keeps it from the stack's end. */
function depthGuard() {
  let depth = 0;
  const enter = (_offset: number, _length: number, line: number, column: number): void => {
    depth += 1;
    if (depth > maxDepth)
      throw new UnreadableError(`nesting is deeper than ${maxDepth}`, { line: line + 1, column: column + 1 });
  };
  const leave = (): void => {
    depth -= 1;
  };
  return { enter, leave };
}

/**
 * The names that stand twice in one object.
 * @throws UnreadableError when it nests too deeply and, when `broken`, at the first error: the visitor would go on,
 * slowly, to find more
 */
function survey(text: string, broken: boolean): Violation[] {
  const names: Set<string>[] = [];
  const repeated: Violation[] = [];
  const { enter, leave } = depthGuard();
  const visitor: JSONVisitor = {
    onObjectBegin: (offset, length, line, column) => {
      names.push(new Set());
      enter(offset, length, line, column);
    },
    onObjectEnd: () => {
      names.pop();
      leave();
    },
    onArrayBegin: (offset, length, line, column) => enter(offset, length, line, column),
    onArrayEnd: leave,
    onObjectProperty: (name, _offset, _length, _line, _column, path) => {
      const seen = names.at(-1);
      if (seen?.has(name) && repeated.length < maxReported) {
        const pointer = [...path(), name].map((step) => `/${escapePointer(String(step))}`).join('');
        repeated.push({ pointer, detail: 'stands more than once' });
      }
      seen?.add(name);
    },
    onError: (_code, _offset, _length, line, column) => {
      if (broken) throw notJson({ line: line + 1, column: column + 1 });
    },
  };
  visit(text, visitor, { disallowComments: true });
  return repeated;
}

function parse(bytes: Buffer, charset?: string) {
  const text = decode(bytes, charset);
  if (text.trim() === '') throw new UnreadableError('the body is empty', { line: 1, column: 1 });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    survey(text, true);
    throw notJson({ line: 1, column: 1 });
  }
  return { value, violations: isPlain(text, value) ? [] : survey(text, false) };
}

/**
 * Whether there is nothing for `survey` to find, at a tenth of what it costs: no name stands twice where the value has as many
 * members as the text names, which is as many as it has colons outside of strings.
 */
function isPlain(text: string, value: unknown): boolean {
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === colon) colons += 1;
    else if (unit === quote) at = endOfString(text, at);
  }
  return membersIn(value, maxDepth) === colons;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** The place of the quote that ends the string which begins here. */
function endOfString(text: string, begin: number): number {
  let at = begin + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
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

function parseAs(schema: TObject, bytes: Buffer, charset?: string): Parsed {
  const { value, violations } = parse(bytes, charset);
  return { value, violations: violations.filter(({ pointer }) => !isReadOnly(schema, pointer)) };
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
    parse: (bytes, charset) => parseAs(schema, bytes, charset),
    readList: (chunks, options) => readJsonList(chunks, many, options, (item) => parseAs(schema, item)),
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
