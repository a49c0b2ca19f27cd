/** Finds the target of a pointer in JSON text. Used for messages to operators, so not optimized. */

import { findStringEnd } from './limits.ts';
import { skipSpace } from './list-frame.ts';

const isDelimiter = (character: string): boolean => ',]} \n\r\t'.includes(character);

/** @param from the start of a value @returns the index after it */
function findValueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = findStringEnd(text, at + 1);
    else if (character === '[' || character === '{') depth += 1;
    else if (depth > 0 && (character === ']' || character === '}')) depth -= 1;
    else if (depth === 0 && isDelimiter(character)) return at;
    if (depth === 0 && '"]}'.includes(character)) return at + 1;
  }
  return text.length;
}

/** The names or indexes in an object or list, and the starts of their values. @param from the opening bracket */
function* listValues(text: string, from: number): Generator<readonly [key: string, at: number]> {
  const isObject = text[from] === '{';
  let at = skipSpace(text, from + 1);
  for (let index = 0; at < text.length && !isDelimiter(text.charAt(at)); index += 1) {
    let key = String(index);
    if (isObject) {
      const end = findStringEnd(text, at + 1) + 1;
      key = String(JSON.parse(text.slice(at, end)));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    yield [key, at];
    at = skipSpace(text, findValueEnd(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
}

/** Of duplicate names, the last one counts. */
function findValue(text: string, from: number, key: string): number | undefined {
  let found: number | undefined;
  if (text[from] === '{' || text[from] === '[')
    for (const [name, at] of listValues(text, from)) if (name === key) found = at;
  return found;
}

/**
 * @param text that JSON.parse accepts
 * @param pointer RFC 6901
 * @returns the start of the value; if it is missing, the start of its nearest parent
 */
export function findPlace(text: string, pointer: string): number {
  let at = skipSpace(text, 0);
  for (const step of pointer.split('/').slice(1)) {
    const found = findValue(text, at, step.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (found === undefined) return at;
    at = found;
  }
  return at;
}
