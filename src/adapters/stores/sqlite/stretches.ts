/** The parts of the indexes that a list walks through. */
import type { UserQuery } from '../../../domain/ports.ts';
import { compareCodePoints, comparePositions, type Position } from '../../../domain/sorts.ts';
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
  /** Its last place; that of the walk where it is left out. */
  readonly to?: readonly string[];
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

/** Only the keys that begin with a text. */
export function stretchesWithin({ sort = {}, after, backward = false }: UserQuery, text: string): Stretch[] {
  const descending = (sort.descending ?? false) !== backward;
  const ends = [
    { key: text, id: '' },
    { key: `${text}\u{10ffff}`, id: '' },
  ];
  const [first, last] = (descending ? ends.reverse() : ends) as [Key, Key];
  const isBehindKeys = after !== undefined && after.key === undefined;
  if (isBehindKeys && !backward) return [];
  const isFurther = after?.key !== undefined && comparePositions(after, first, { descending }) > 0;
  const from = isFurther ? [after.key ?? '', after.id] : [first.key, first.id];
  return [{ walk: usersByKey(descending), values: [sort.by ?? ''], from, to: [last.key, last.id] }];
}

type Key = Required<Position> & { readonly key: string };

/** True also of the last place itself. */
function isBehind(place: readonly string[], { walk, to = [] }: Pick<Stretch, 'walk' | 'to'>): boolean {
  for (const [at, last] of to.entries()) {
    const order = compareCodePoints(place[at] ?? '', last);
    if (order !== 0) return walk.descending ? order < 0 : order > 0;
  }
  return to.length > 0;
}

/** Its last one of so many from a place on; undefined when fewer are left. */
export function findStepEnd(
  statements: Statements,
  { walk, values, to }: Pick<Stretch, 'walk' | 'values' | 'to'>,
  place: readonly string[],
  users: number,
): readonly string[] | undefined {
  const end = statements.get<string | Record<string, string>>(stepEndSql(walk), [
    ...values,
    ...place,
    users - 1,
  ]);
  if (end === undefined) return undefined;
  const found = typeof end === 'object' ? Object.values(end) : [end];
  return to !== undefined && isBehind(found, { walk, to }) ? undefined : found;
}
