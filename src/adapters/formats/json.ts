/** JSON (RFC 8259). JSON.parse decides what it is; jsonc-parser finds what JSON.parse keeps to itself: places and repeated names. */
import { visit } from 'jsonc-parser';
import type { Violation } from '../../domain/errors.ts';
import { escapePointer } from '../../domain/validation.ts';
import { type Codec, type Format, maxDepth, maxReported, UnreadableError } from './format.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer, charset = 'utf-8'): string {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new UnreadableError('JSON is read in the charset UTF-8 only');
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableError('the bytes are not UTF-8', placeOf(bytes, utf8Length(bytes)));
  }
}

/** How many bytes at the beginning are whole UTF-8: by halving, since a decoder doesn't tell. */
function utf8Length(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return good;
}

function placeOf(bytes: Buffer, length: number) {
  const before = bytes.subarray(0, length).toString('utf8').split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

interface Visited {
  readonly repeated: readonly Violation[];
  /** Of the first error, if any. */
  readonly place: { line: number; column: number } | undefined;
}

/** @throws UnreadableError when it nests too deeply, before the visitor's own recursion does harm */
function survey(text: string): Visited {
  const names: Set<string>[] = [];
  const repeated: Violation[] = [];
  let depth = 0;
  let place: Visited['place'];
  const begin = (_offset: number, _length: number, line: number, column: number) => {
    depth += 1;
    if (depth > maxDepth)
      throw new UnreadableError(`nesting is deeper than ${maxDepth}`, { line: line + 1, column: column + 1 });
  };
  const end = () => {
    depth -= 1;
  };
  visit(
    text,
    {
      onObjectBegin: (...at) => {
        names.push(new Set());
        begin(...(at as unknown as Parameters<typeof begin>));
      },
      onObjectEnd: () => {
        names.pop();
        end();
      },
      onArrayBegin: (...at) => begin(...(at as unknown as Parameters<typeof begin>)),
      onArrayEnd: end,
      onObjectProperty: (name, _offset, _length, _line, _column, path) => {
        const seen = names.at(-1);
        if (seen?.has(name) && repeated.length < maxReported) {
          const pointer = [...path(), name].map((step) => `/${escapePointer(String(step))}`).join('');
          repeated.push({ pointer, detail: 'stands more than once' });
        }
        seen?.add(name);
      },
      onError: (_code, _offset, _length, line, column) => {
        place ??= { line: line + 1, column: column + 1 };
      },
    },
    { disallowComments: true },
  );
  return { repeated, place };
}

function parse(bytes: Buffer, charset?: string) {
  const text = decode(bytes, charset);
  if (text.trim() === '') throw new UnreadableError('the body is empty', { line: 1, column: 1 });
  const { repeated, place } = survey(text);
  try {
    return { value: JSON.parse(text) as unknown, violations: repeated };
  } catch {
    throw new UnreadableError('this is not JSON', place ?? { line: 1, column: 1 });
  }
}

export const json: Format = {
  name: 'json',
  mediaTypes: [{ type: 'application/json', contentType: 'application/json' }],
  patchTypes: ['application/merge-patch+json'],
  problemType: 'application/problem+json',
  revision: 1,
  codec: <T>(_schema: unknown, { many }: { many: string }): Codec<T> => ({
    parse,
    print: (value) => JSON.stringify(value),
    list: {
      open: `{${JSON.stringify(many)}:[`,
      between: ',',
      close: ']}',
      item: (value) => JSON.stringify(value),
    },
  }),
};
