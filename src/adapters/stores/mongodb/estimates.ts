/** Finds the condition that the fewest match, by a bounded look into the index of each. */
import type { Collection } from 'mongodb';
import type { Condition } from './conditions.ts';
import type { UserDocument } from './stored-document.ts';

/** At most so many are sorted without a try to walk. To count them in an index takes some milliseconds. */
export const defaultFewCandidates = 10_000;

export interface Estimate {
  readonly rarest: Condition;
  /** True when it takes less to look at all who match the rarest than to walk to so many who match all. */
  readonly isSortingQuicker: boolean;
}

/**
 * How many users a walk looks at, if who matches one condition is as likely as anybody to match another one.
 * @param shares of all users, of each condition
 */
const walkTo = (limit: number, shares: readonly number[]): number =>
  limit / shares.reduce((product, share) => product * share, 1);

export interface EstimateOptions {
  /** How many users the page has. */
  readonly limit: number;
  /** More are not counted. */
  readonly few: number;
  readonly maxTimeMS: number;
}

/** Undefined without conditions. */
export async function estimate(
  users: Collection<UserDocument>,
  conditions: readonly Condition[],
  { limit, few, maxTimeMS }: EstimateOptions,
): Promise<Estimate | undefined> {
  const count = async (condition: Condition) => {
    const options = { hint: condition.index, limit: few + 1, maxTimeMS };
    return { condition, candidates: await users.countDocuments(condition.byIndex, options) };
  };
  if (conditions.length === 0) return undefined;
  // A rough number will do here, and this one costs nothing.
  const [all, ...counts] = await Promise.all([
    users.estimatedDocumentCount({ maxTimeMS }),
    ...conditions.map(count),
  ]);
  const [rarest] = counts.sort((one, other) => one.candidates - other.candidates);
  if (rarest === undefined) return undefined;
  const shares = counts.map(({ candidates }) => (candidates > few ? 1 : candidates / Math.max(all, 1)));
  const isSortingQuicker = rarest.candidates <= Math.min(few, walkTo(limit, shares));
  return { rarest: rarest.condition, isSortingQuicker };
}
