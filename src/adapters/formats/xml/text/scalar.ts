/** Text content, and its conversion to the schema's types. */
import type { TSchema } from 'typebox';

export const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text);
export const isSpace = (unit: number): boolean =>
  unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d;

/** Trims XML's white space only. A pattern such as /\s+$/ is quadratic: it retries at every space. */
function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** XML Schema's lexical forms (XSD 1.0 part 2 §3.2.2, §3.3.13). Other text is left for the validator to report. */
export function readScalar(schema: TSchema, text: string): unknown {
  const type = 'type' in schema ? schema.type : undefined;
  if (type === 'boolean') {
    const word = trimSpace(text);
    if (word === 'true' || word === '1') return true;
    return word === 'false' || word === '0' ? false : word;
  }
  if (type !== 'integer' && type !== 'number') return text;
  const word = trimSpace(text);
  return /^[+-]?[0-9]+(?:\.[0-9]+)?$/.test(word) ? Number(word) : text;
}
