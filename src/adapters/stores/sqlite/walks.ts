/** Lists that are walked to: along an index in their order, past those who don't match. */
import type { UserQuery } from '../../../domain/ports.ts';
import { searchedSorts } from '../../../domain/sorts.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { Effort, type Lead, type Steps, type Wanted } from './candidates.ts';
import type { Counts } from './counts.ts';
import { Pace } from './pace.ts';
import { countKeysSql, type Pair, pageSql, residueOf } from './query-sql.ts';
import type { Statements } from './statements.ts';
import { readStored } from './stored-document.ts';
import { findStepEnd, type Stretch, stretchesOf, stretchesWithin } from './stretches.ts';

/** Users that a walk looks at before it is asked where those are that it looks for. */
const firstPatience = 2_000;

/** Users that it looks at before another way is thought to be shorter. */
const leastPatience = 10_000;

/** Keys that are counted in one step. */
const mostKeys = 200_000;

export class Walks {
  readonly #statements: Statements;
  readonly #counts: Counts;

  constructor(statements: Statements, counts: Counts) {
    this.#statements = statements;
    this.#counts = counts;
  }

  /** With the beginning that the keys of all of them have, when a search for it is sorted by what it has found. */
  *#countLead(query: UserQuery, lead: Lead): Steps<{ users: number; beginning: string | undefined }> {
    const state = this.#statements.dataVersion();
    const users = yield* this.#counts.countLead(lead);
    const [pattern, ...others] = lead.terms.length === 1 && !lead.filter ? (lead.terms[0] ?? []) : [];
    const by = query.sort?.by ?? '';
    if (pattern === undefined || others.length > 0 || users > mostKeys || !searchedSorts.has(by))
      return { users, beginning: undefined };
    const range = [by, pattern.start, `${pattern.start}\u{10ffff}`];
    const isAll =
      this.#statements.get<number>(countKeysSql, range) === users && this.#statements.dataVersion() === state;
    return { users, beginning: isAll ? pattern.start : undefined };
  }

  /**
   * The last place of a step is read first, so that a user who is written meanwhile falls into this step or the next, never between.
   * @param lead when given, undefined is returned as soon as it would have cost less to look at all whom it leads to
   */
  *walk(
    query: UserQuery,
    { filters, terms }: Wanted,
    filter?: Pair,
    lead?: Lead,
    stretches: readonly Stretch[] = stretchesOf(query, filter),
  ): Steps<StoredUser[] | undefined> {
    const { limit } = query;
    const others = filters.filter((one) => one !== filter);
    const residue = residueOf(others, terms);
    const [effort, pace] = [new Effort(), new Pace()];
    let patience = lead && leastPatience;
    let isCounted = false;
    const users: StoredUser[] = [];
    for (const stretch of stretches) {
      const { walk, values, from, to } = stretch;
      const sql = pageSql(walk, residue);
      for (let place = from; users.length < limit; ) {
        const end =
          residue.sql === '' ? undefined : findStepEnd(this.#statements, stretch, place, pace.users);
        const range = [...values, ...place, ...(end ?? to)];
        effort.add(pace.users);
        const page = pace.measure(() =>
          this.#statements.all<string>(sql, [...range, ...residue.values, limit - users.length]),
        );
        for (const document of page) users.push(readStored(document));
        if (end === undefined) break;
        place = end;
        if (lead && !isCounted && effort.users >= firstPatience) {
          isCounted = true;
          const { users, beginning } = yield* this.#countLead(query, lead);
          if (beginning !== undefined)
            return yield* this.walk(
              query,
              { filters, terms },
              filter,
              undefined,
              stretchesWithin(query, beginning),
            );
          patience = Math.max(leastPatience, users);
        }
        if (patience !== undefined && effort.users >= patience) return undefined;
        yield;
      }
    }
    return users;
  }
}
