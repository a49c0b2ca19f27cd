/** The last column of a file of rejects: the reasons of each row. */
import type { Header } from './header.ts';
import { type Frame, quoteCell, splitCells } from './row-splitter.ts';

/** The reasons as this program writes them, from their delimiter on. */
const written = /^."row [0-9]+[:,] [^"]*(?:""[^"]*)*"$/s;

/** The reason of a row with too few cells, which the file of rejects fills up. */
const short = /row [0-9]+: the row has ([0-9]+) cells?, the header [0-9]+: cells are missing/;

/** A row up to its reasons, and without the empty cells at its end that they call missing. */
function cutAt(frame: Frame, at: number, { delimiter }: Header): Frame {
  const [text, cells] = [frame.text.slice(0, at), frame.cells - 1];
  const [, given = cells] = short.exec(frame.text.slice(at)) ?? [];
  const added = Math.max(0, cells - Number(given));
  if (!text.endsWith(delimiter.repeat(added))) return { ...frame, text, cells };
  return { ...frame, text: text.slice(0, text.length - added), cells: cells - added };
}

/** A row without its reasons, which a person may also have changed, emptied or deleted. */
export function takeOffReasons(frame: Frame, header: Header): Frame {
  const { hasReasons, delimiter, width } = header;
  const { text, cells, fault } = frame;
  if (!hasReasons) return frame;
  const at = text.lastIndexOf(`${delimiter}"row `);
  if (at >= 0 && written.test(text.slice(at))) return cutAt(frame, at, header);
  if (fault !== undefined || cells < width) return frame;
  const last = splitCells(text, delimiter).at(-1) ?? '';
  // Behind empty cells beyond the header, a reason that was emptied.
  if (cells > width && last !== '') return frame;
  const { length } = text.endsWith('"') ? quoteCell(last) : last;
  return cutAt(frame, text.length - 1 - length, header);
}
