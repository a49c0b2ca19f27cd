/** Passes over users of whom nothing else is asked: one takes less than a tenth of a microsecond. */
import type { Steps } from './candidates.ts';
import { Pace } from './pace.ts';
import { countWithinSql, noResidue } from './query-sql.ts';
import type { Statements } from './statements.ts';
import { findStepEnd, type Stretch } from './stretches.ts';

/** In the first step and in any. */
const [firstPassed, mostPassed] = [5_000, 20_000];

/**
 * Meets users in an index only.
 * @returns the place of the last one; of a stretch that has no more than these its end, and how many it had
 */
export function* passOver(
  statements: Statements,
  stretch: Stretch,
  users: number,
): Steps<{ place: readonly string[]; passed: number }> {
  const pace = new Pace(firstPassed, mostPassed);
  let place = stretch.from;
  for (let passed = 0; passed < users; ) {
    const step = Math.min(users - passed, pace.users);
    const end = pace.measure(() => findStepEnd(statements, stretch, place, step));
    if (end === undefined) {
      const sql = countWithinSql(stretch.walk, noResidue);
      const rest = statements.get<number>(sql, [...stretch.values, ...place, ...stretch.to]) ?? 0;
      return { place: stretch.to, passed: Math.min(users, passed + rest) };
    }
    passed += step;
    place = end;
    if (passed < users) yield;
  }
  return { place, passed: users };
}
