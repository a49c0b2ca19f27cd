/**
 * Parses long texts piece by piece, since JSON.parse blocks the event loop: 131,072 different names take 50 ms. A piece is an item of a
 * list that is a member of the document, such as an operation in `{"Operations":[…]}`.
 */
import { maxDepth, maxNodes } from '../port/format.ts';
import { type CountedPart, countValues, findStringEnd, type JsonCounts } from './limits.ts';

const quote = 0x22;
const comma = 0x2c;

export interface ParsedText {
  readonly value: unknown;
  /** An object has a duplicate name, which JSON.parse ignores. */
  readonly hasRepeated: boolean;
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

/** Parses the text in one step. @throws SyntaxError */
export function parseWhole(text: string, { names }: JsonCounts): ParsedText {
  const value: unknown = JSON.parse(text);
  // If there are as many members as names, no name occurs twice. Finding duplicates takes ten times as long.
  return { value, hasRepeated: countMembers(value, maxDepth) !== names };
}

/** Looks only at brackets and commas: parsing rejects invalid lists. */
function findPieces(text: string): readonly CountedPart[] {
  const pieces: CountedPart[] = [];
  let depth = 0;
  /** The start of the current item; undefined outside such lists. */
  let from: number | undefined;
  const end = (at: number, next?: number): void => {
    // Blank for an empty list or an extra comma.
    if (from !== undefined && text.slice(from, at).trim() !== '') pieces.push({ from, to: at });
    from = next;
  };
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = findStringEnd(text, at + 1);
    else if (unit === comma && depth === 2 && from !== undefined) end(at, at + 1);
    else if (unit === 0x5b || unit === 0x7b) {
      depth += 1;
      if (depth === 2 && unit === 0x5b) from = at + 1;
    } else if (unit === 0x5d || unit === 0x7d) {
      depth -= 1;
      if (depth === 1 && from !== undefined) end(at);
    }
  }
  return pieces;
}

/** The text with each piece replaced by its index. */
function cutOut(text: string, pieces: readonly CountedPart[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [index, { from, to }] of pieces.entries()) {
    parts.push(text.slice(at, from), String(index));
    at = to;
  }
  return parts.join('') + text.slice(at);
}

/** Changes `rest` in place, since `__proto__` may be a member's name. */
function putBack(rest: unknown, values: readonly unknown[]): void {
  for (const list of Object.values(Object(rest)))
    if (Array.isArray(list)) for (const [at, index] of list.entries()) list[at] = values[Number(index)];
}

/**
 * Runs in steps. Each piece, and the rest, may have at most maxNodes values.
 * @throws SyntaxError; UnreadableError for more values, with a position that is exact for pieces only
 */
export function* parseInPieces(text: string): Generator<void, ParsedText, void> {
  const pieces = findPieces(text);
  const values: unknown[] = [];
  let hasRepeated = false;
  for (const piece of pieces) {
    yield;
    const parsed = parseWhole(text.slice(piece.from, piece.to), countValues(text, maxNodes, piece));
    values.push(parsed.value);
    hasRepeated ||= parsed.hasRepeated;
  }
  yield;
  const rest = cutOut(text, pieces);
  const { value, hasRepeated: inRest } = parseWhole(rest, countValues(rest, maxNodes + pieces.length));
  yield;
  putBack(value, values);
  return { value, hasRepeated: hasRepeated || inRest };
}
