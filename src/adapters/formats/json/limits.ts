/** Checks a text's depth and number of values before JSON.parse reads it: values cost many times as much as characters. */

import { maxDepth } from '../port/format.ts';
import { positionAt, UnreadableError } from '../text/positions.ts';

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const comma = 0x2c;
const colon = 0x3a;

/**
 * @param from inside a string
 * @returns the index of its closing quote; without one `text.length`, or one more when the text ends with an escape's backslash
 */
export function findStringEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Counts for a text or a part of it. */
export interface JsonCounts {
  /** Names of members: the colons outside strings. */
  readonly names: number;
  readonly values: number;
}

export interface CountedPart {
  readonly from: number;
  readonly to: number;
}

/**
 * Doesn't check the syntax.
 * @param limit the maximum number of values
 * @throws UnreadableError where the text first exceeds maxDepth or the limit
 */
export function countValues(
  text: string,
  limit: number,
  { from, to }: CountedPart = { from: 0, to: text.length },
): JsonCounts {
  let names = 0;
  let values = 0;
  let depth = 0;
  /** Directly after an opening bracket, or at the beginning. */
  let isEmpty = true;
  const refuse = (detail: string, at: number): never => {
    throw new UnreadableError(detail, positionAt(text, at));
  };
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= space || unit === colon) {
      if (unit === colon) names += 1;
      continue;
    }
    const opens = unit === 0x5b || unit === 0x7b;
    const closes = unit === 0x5d || unit === 0x7d;
    if (unit === comma || (isEmpty && !closes)) values += 1;
    if (values > limit) refuse(`it has more than ${limit} values`, at);
    isEmpty = opens;
    if (opens) depth += 1;
    else if (closes) depth -= 1;
    if (depth > maxDepth) refuse(`nesting is deeper than ${maxDepth}`, at);
    if (unit === quote) at = findStringEnd(text, at + 1);
  }
  return { names, values };
}
