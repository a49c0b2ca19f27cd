/** The parts of the indexes that a list walks through. */
import type { UserQuery } from '../../../domain/ports.ts';
import {
  allUsers,
  type Pair,
  stepEndSql,
  usersByKey,
  usersOfFilter,
  usersWithoutKey,
  type Walk,
} from './query-sql.ts';
import type { Statements } from './statements.ts';

/** A walk, the values that it asks for and the place behind which it begins. */
export interface Stretch {
  readonly walk: Walk;
  readonly values: readonly string[];
  readonly from: readonly string[];
}

export const firstPlace = ({ ends, descending }: Walk): readonly string[] => ends[descending ? 1 : 0];
export const lastPlace = ({ ends, descending }: Walk): readonly string[] => ends[descending ? 0 : 1];

function stretchOf(walk: Walk, values: readonly string[], from?: readonly string[]): Stretch {
  return { walk, values, from: from ?? firstPlace(walk) };
}

/** What is walked, one after the other: by key those that have one come first, or last when it is walked backward. */
export function stretchesOf({ sort = {}, after, backward = false }: UserQuery, filter?: Pair): Stretch[] {
  const descending = (sort.descending ?? false) !== backward;
  const from = after && [after.id];
  if (filter !== undefined) return [stretchOf(usersOfFilter(descending), filter, from)];
  if (sort.by === undefined) return [stretchOf(allUsers(descending), [], from)];
  const isBehindKeys = after !== undefined && after.key === undefined;
  const keyed = stretchOf(
    usersByKey(descending),
    [sort.by],
    isBehindKeys ? undefined : after && [after.key ?? '', after.id],
  );
  const others = stretchOf(usersWithoutKey(descending), [sort.by], isBehindKeys ? from : undefined);
  if (backward) return after !== undefined && !isBehindKeys ? [keyed] : [others, keyed];
  return isBehindKeys ? [others] : [keyed, others];
}

/** Its last one of so many from a place on; undefined when fewer are left. */
export function findStepEnd(
  statements: Statements,
  { walk, values }: Pick<Stretch, 'walk' | 'values'>,
  place: readonly string[],
  users: number,
): readonly string[] | undefined {
  const end = statements.get<string | Record<string, string>>(stepEndSql(walk), [
    ...values,
    ...place,
    users - 1,
  ]);
  if (end === undefined) return undefined;
  return typeof end === 'object' ? Object.values(end) : [end];
}
