/** The way back through a list, for whoever can only walk forwards: in the order turned round. */
import { type Position, positionOf, type Sort } from '../../../../domain/sorts.ts';
import { type Batches, takeWhile } from './batches.ts';

/** In front of all ids, or behind them. */
const endOfIds = ({ descending }: Sort): Position => ({ id: descending ? '~' : '' });

/**
 * The nearest to `before` come first.
 * @param walk from a place on, in this order
 * @param before the end of the list where it is left out
 */
export async function* walkBackwards(
  walk: (sort: Sort, after: Position | undefined) => Batches,
  sort: Sort,
  before: Position | undefined,
): Batches {
  const back: Sort = { by: sort.by, descending: sort.descending !== true };
  if (sort.by === undefined) return yield* walk(back, before);
  // Those without the value stand last in either direction: they are walked by themselves, and first.
  const isBehindKeyed = before?.key === undefined;
  if (isBehindKeyed) yield* walk(back, before ?? endOfIds(back));
  const keyed = walk(back, isBehindKeyed ? undefined : before);
  yield* takeWhile(keyed, (user) => positionOf(user, back).key !== undefined);
}
