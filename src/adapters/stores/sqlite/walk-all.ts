/** Lists of everybody, or of all whom a filter finds: nobody has to be looked at who isn't listed. */
import type { UserQuery } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import type { Steps } from './candidates.ts';
import { passOver } from './pass-over.ts';
import { noResidue, type Pair, pageSql } from './query-sql.ts';
import type { Statements } from './statements.ts';
import { readStored } from './stored-document.ts';
import { stretchesOf } from './stretches.ts';

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
