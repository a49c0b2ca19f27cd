import type { Asked } from '../answers/use-answer.ts';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { Range } from './range.ts';

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
