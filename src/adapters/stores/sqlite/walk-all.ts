/** Lists of everybody, or of all whom a filter finds: nobody has to be looked at who isn't listed. */
import type { UserQuery } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import type { Steps } from './candidates.ts';
import { Pace } from './pace.ts';
import { countWithinSql, noResidue, type Pair, pageSql } from './query-sql.ts';
import type { Statements } from './statements.ts';
import { readStored } from './stored-document.ts';
import { findStepEnd, type Stretch, stretchesOf } from './stretches.ts';

/** Of those that are passed over, how many in one step at most: a millisecond's work. */
const passedAtOnce = 20_000;

/** Everybody, or all whom a filter finds: who is passed over is only met in an index. */
export function* walkAll(statements: Statements, query: UserQuery, filter?: Pair): Steps<StoredUser[]> {
  const { skip = 0, limit } = query;
  const users: StoredUser[] = [];
  let toPass = skip;
  for (const stretch of stretchesOf(query, filter)) {
    const { place, passed } = yield* passOver(statements, stretch, toPass);
    toPass -= passed;
    const values = [...stretch.values, ...place, ...stretch.to, limit - users.length, 0];
    const page = statements.all<string>(pageSql(stretch.walk, noResidue), values);
    for (const document of page) users.push(readStored(document));
    if (users.length >= limit) break;
  }
  return users;
}

/** @returns the place of the last one who is passed over; the end of a stretch that has no more of them */
function* passOver(
  statements: Statements,
  stretch: Stretch,
  users: number,
): Steps<{ place: readonly string[]; passed: number }> {
  const pace = new Pace(passedAtOnce);
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
    yield;
  }
  return { place, passed: users };
}
