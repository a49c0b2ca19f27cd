/** What a text of JSON may hold at most, looked at before any of it is read: values cost many times what their characters do. */
import { maxDepth, maxNodes, UnreadableError } from './format.ts';

const quote = 0x22;
const backslash = 0x5c;
const space = 0x20;
const comma = 0x2c;
const colon = 0x3a;

/** The place of the quote that ends the string which begins here. */
function endOfString(text: string, begin: number): number {
  let at = begin + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** The place of a character, line ends as JSON has them. One-based. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let index = 0; index < at; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit !== 0x0a && (unit !== 0x0d || text.charCodeAt(index + 1) === 0x0a)) continue;
    line += 1;
    start = index + 1;
  }
  return { line, column: at - start + 1 };
}

/**
 * Counts without reading, so what isn't JSON is counted as if it were.
 * @returns how many names there are: colons outside of strings
 * @throws UnreadableError where it nests deeper than maxDepth or has more values than maxNodes, whichever comes first
 */
export function countNames(text: string): number {
  let names = 0;
  let values = 0;
  let depth = 0;
  /** At the beginning of what holds nothing yet. */
  let isEmpty = true;
  const refuse = (detail: string, at: number): never => {
    throw new UnreadableError(detail, placeIn(text, at));
  };
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit <= space || unit === colon) {
      if (unit === colon) names += 1;
      continue;
    }
    const opens = unit === 0x5b || unit === 0x7b;
    const closes = unit === 0x5d || unit === 0x7d;
    if (unit === comma || (isEmpty && !closes)) values += 1;
    if (values > maxNodes) refuse(`it has more than ${maxNodes} values`, at);
    isEmpty = opens;
    if (opens) depth += 1;
    else if (closes) depth -= 1;
    if (depth > maxDepth) refuse(`nesting is deeper than ${maxDepth}`, at);
    if (unit === quote) at = endOfString(text, at);
  }
  return names;
}
