/** Cuts parts out of the canonical text of a document, in a quarter of the time that parsing and printing it takes. */
import { isObject } from '../validation/plain-values.ts';
import { omit, type Parts } from './parts.ts';

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The index of the quote at the end of the string that begins at the index; -1 if there is none. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if (end < 0 || (end - before) % 2 === 1) return end;
  }
}

/** The index of the comma or bracket behind the value that begins at the index; -1 if there is none. */
function valueEnd(text: string, start: number): number {
  for (let at = start, depth = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      at = stringEnd(text, at);
      if (at < 0) return -1;
    } else if (character === openList || character === openObject) depth += 1;
    else if (depth === 0 && (character === comma || character === closeObject)) return at;
    else if (character === closeList || character === closeObject) depth -= 1;
  }
  return -1;
}

/** @param value as JSON @returns as JSON, empty if nothing is left @throws SyntaxError */
function cutValue(value: string, part: 'all' | Parts): string {
  const parsed: unknown = part === 'all' ? undefined : JSON.parse(value);
  const rest = part === 'all' || !isObject(parsed) ? {} : omit(part, parsed);
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest);
}

/** @returns undefined for a text that isn't canonical, or whose first member, the `id`, isn't whole @throws SyntaxError */
export function cutText(text: string, parts: Parts): string | undefined {
  let [cut, kept] = ['', 0];
  for (let at = 1; ; at += 1) {
    const nameEnd = text.indexOf('"', at + 1);
    const start = nameEnd + 2;
    const end = valueEnd(text, start);
    if (text.charCodeAt(at) !== quote || text.charCodeAt(nameEnd + 1) !== colon || end < 0) return undefined;
    const part = parts.of(text.slice(at + 1, nameEnd));
    if (part !== undefined) {
      if (at === 1) return undefined;
      const rest = cutValue(text.slice(start, end), part);
      // With the comma in front, which a member that is cut loses.
      cut += text.slice(kept, rest === '' ? at - 1 : start) + rest;
      kept = end;
    }
    at = end;
    if (text.charCodeAt(at) === closeObject)
      return at === text.length - 1 ? cut + text.slice(kept) : undefined;
  }
}
