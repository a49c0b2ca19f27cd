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
import { sortNumber } from './search-rows.ts';
import type { Statements } from './statements.ts';

/** A walk, the values that it asks for, the place behind which it begins and the last one that belongs to it. */
export interface Stretch {
  readonly walk: Walk;
  readonly values: readonly string[];
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The whole walk, or what comes behind a place. */
export function stretchOf(walk: Walk, values: readonly string[], from?: readonly string[]): Stretch {
  const [before, behind] = walk.ends;
  const [first, last] = walk.descending ? [behind, before] : [before, behind];
  return { walk, values, from: from ?? first, to: last };
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
    [String(sortNumber(sort.by))],
    isBehindKeys ? undefined : after && [after.key ?? '', after.id],
  );
  const others = stretchOf(
    usersWithoutKey(descending),
    [String(sortNumber(sort.by))],
    isBehindKeys ? from : undefined,
  );
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
  return [
    { walk: usersByKey(descending), values: [String(sortNumber(sort.by))], from, to: [last.key, last.id] },
  ];
}

type Key = Required<Position> & { readonly key: string };

/** True also of the last place itself. */
export function isAtEnd(place: readonly string[], { walk, to }: Stretch): boolean {
  for (const [at, last] of to.entries()) {
    const order = compareCodePoints(place[at] ?? '', last);
    if (order !== 0) return walk.descending ? order < 0 : order > 0;
  }
  return true;
}

/** Its last one of so many from a place on; undefined when it has no more than these left. */
export function findStepEnd(
  statements: Statements,
  stretch: Stretch,
  place: readonly string[],
  users: number,
): readonly string[] | undefined {
  const { walk, values } = stretch;
  const end = statements.get<string | Record<string, string>>(stepEndSql(walk), [
    ...values,
    ...place,
    users - 1,
  ]);
  if (end === undefined) return undefined;
  const found = typeof end === 'object' ? Object.values(end) : [end];
  // The index goes on behind a stretch: users without a key come in front of the others there.
  return isAtEnd(found, stretch) ? undefined : found;
}
