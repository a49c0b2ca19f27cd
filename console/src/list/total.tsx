import type { Cursor } from '../address/address.ts';
import type { Asked } from '../answers/use-answer.ts';
import type { Page } from '../api/directory.ts';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

/** Positions in the whole list, counted from 1. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The range of a page in its list. The service does not count positions, so they are carried from page to page, and corrected at both ends.
 * @param total undefined while it isn't known @returns undefined if the range is unknown
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

/** The content of the list: a kind, or the members of a group. */
export type Listed = KindName | 'member';

interface TotalProps {
  readonly total: Asked<number>;
  readonly listed: Listed;
  /** Undefined where it isn't known. */
  readonly range: Range | undefined;
}

function describe(total: number | undefined, listed: Listed, range: Range | undefined): string {
  if (total === undefined) return range === undefined ? '' : texts.list.range(range.from, range.to);
  const count = texts.kinds[listed].count(total);
  // The range says nothing about a list of one page, and would be wrong for a list that has changed.
  const isPart =
    range !== undefined && range.to - range.from + 1 < total && range.from > 0 && range.to <= total;
  return isPart ? texts.list.rangeOf(range.from, range.to, count) : count;
}

/** The number of matches and the shown range; without the number if the service refuses to count. */
export const Total = ({ total: { value, failure, isBusy }, listed, range }: TotalProps) => (
  <p class="total" role="status" aria-busy={isBusy}>
    {describe(failure === undefined ? value : undefined, listed, range)}
  </p>
);
