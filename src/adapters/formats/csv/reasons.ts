/** The last column of a file of rejects: the reasons of each row. */
import type { Header } from './header.ts';
import { type Frame, quoteCell, splitCells } from './row-splitter.ts';

/** The reasons as this program writes them, from their delimiter on. */
const written = /^."row [0-9]+[:,] [^"]*(?:""[^"]*)*"$/s;

/** A row without its reasons, which a person may also have changed, emptied or deleted. */
export function takeOffReasons(frame: Frame, { hasReasons, delimiter, columns }: Header): Frame {
  const { text, cells, fault } = frame;
  if (!hasReasons) return frame;
  const at = text.lastIndexOf(`${delimiter}"row `);
  if (at >= 0 && written.test(text.slice(at))) return { ...frame, text: text.slice(0, at), cells: cells - 1 };
  if (fault !== undefined || cells !== columns.length) return frame;
  const last = splitCells(text, delimiter).at(-1) ?? '';
  const { length } = text.endsWith('"') ? quoteCell(last) : last;
  return { ...frame, text: text.slice(0, -1 - length), cells: cells - 1 };
}
