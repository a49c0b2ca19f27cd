import type { Cursor } from '../address/address.ts';
import type { Page } from '../api/directory.ts';

/** Places in the whole list, counted from 1. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Where a page stands in its list. The service counts no places, so they are carried from page to page, and made good at both ends.
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
