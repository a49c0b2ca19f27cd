/** Prints the cells that were noted of a user as a row: the same to the byte as csv-stringify and `protectCell`. */
import { backslash, comma, type NoteCursor, quote } from './csv-transcode-cursor.ts';
import { buffers, byteSet, unexpected } from './transcode-buffers.ts';

const { input, output, from, to } = buffers;

const [tab, lineFeed, carriageReturn, apostrophe, pipe, bracket] = [0x09, 0x0a, 0x0d, 0x27, 0x7c, 0x5b];

/** By what stands behind a backslash in JSON. */
const unescaped = new Uint8Array(256);
for (const [letter, byte] of Object.entries({
  '"': quote,
  '\\': backslash,
  n: lineFeed,
  r: carriageReturn,
  t: tab,
}))
  unescaped[letter.charCodeAt(0)] = byte;

/** A cell with one of these stands in quotes. */
const quoted = byteSet('",\r\n');

/** As `risky` of csv-cells.ts has them; the wide ones begin with the same two bytes. */
const risky = byteSet('=+-@\t\r\n');
const wide = [0xef, 0xbc];
const riskyWide = new Set([0x9d, 0x8b, 0x8d, 0xa0]);

function isRisky(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && bytes[at] === apostrophe) at += 1;
  if (at >= end) return false;
  if (risky[bytes[at] ?? 0] === 1) return true;
  return bytes[at] === wide[0] && bytes[at + 1] === wide[1] && riskyWide.has(bytes[at + 2] ?? 0);
}

/** A cell that can't just be copied, unescaped, with its quotes doubled. @returns where it ends */
function putContent(begin: number, stop: number, start: number): number {
  let end = start;
  // In front of a text stands its quote.
  const isList = input[begin] === bracket && input[begin - 1] !== quote;
  for (let at = isList ? begin + 2 : begin; at < stop; at += 1) {
    let byte = input[at] ?? 0;
    if (byte === quote) {
      // Two more, a comma and the next one's, between two texts of a list; at its end it is the last that counts.
      if (at + 1 < stop) output[end++] = pipe;
      at += 2;
      continue;
    }
    if (byte === backslash) {
      at += 1;
      byte = unescaped[input[at] ?? 0] ?? 0;
    }
    if (byte === quote) output[end++] = quote;
    else if (isList && (byte === pipe || byte === backslash)) output[end++] = backslash;
    output[end++] = byte;
  }
  return end;
}

/** @returns where the cell ends that begins at `start` */
function putSpecial(begin: number, stop: number, start: number, isProtected: boolean): number {
  const content = start + 2;
  let end = putContent(begin, stop, content);
  let needsQuotes = false;
  for (let at = content; at < end; at += 1) if (quoted[output[at] ?? 0] === 1) needsQuotes = true;
  let first = start;
  if (needsQuotes) output[first++] = quote;
  if (isProtected && isRisky(output, content, end)) output[first++] = apostrophe;
  output.copyWithin(first, content, end);
  end += first - content;
  if (needsQuotes) output[end++] = quote;
  return end;
}

/**
 * @param start in the output
 * @param isProtected an apostrophe stands in front of what a spreadsheet would run
 * @returns where the row ends
 * @throws RangeError or `unexpected` when there is no room for it
 */
export function putRow(notes: NoteCursor, start: number, isProtected: boolean): number {
  const { starts, ends, begin } = notes;
  const { count } = notes.columns;
  let end = start;
  for (let column = 0; column < count; column += 1) {
    const first = starts[column] ?? -1;
    if (first >= begin) {
      const last = ends[column] ?? 0;
      if (last < 0) end = putSpecial(first, -last, end, isProtected);
      else if (isProtected && isRisky(input, first, last)) end = putSpecial(first, last, end, true);
      else {
        // Up to three bytes too many, over which the next ones are written.
        for (let at = first; at < last; at += 4) to.setInt32(end + at - first, from.getInt32(at, true), true);
        end += last - first;
      }
    }
    output[end++] = comma;
  }
  output[end - 1] = carriageReturn;
  output[end++] = lineFeed;
  // Bytes that are written behind the end of a buffer are lost without a word.
  if (end > output.length) throw unexpected;
  return end;
}
