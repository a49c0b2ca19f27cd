import type { Cursor } from '../address/address.ts';
import type { Page } from '../api/directory.ts';

/** Positions in the whole list, counted from 1. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The range of a page in its list. The service does not count positions, so they are carried from page to page, and corrected at both ends.
 * @param total undefined while it isn't known @returns undefined where nothing says
 */
export function rangeOf(
  { before, position }: Cursor,
  { resources, links }: Page,
  total?: number,
): Range | undefined {
  const count = resources.length;
  const startingAt = (from: number) => ({ from, to: from + count - 1 });
  if (count === 0) return undefined;
  if (links.prev === undefined) return startingAt(1);
  if (links.next === undefined && total !== undefined) return startingAt(total - count + 1);
  if (position === undefined) return undefined;
  return startingAt(before === undefined ? position + 1 : position - count + 1);
}
