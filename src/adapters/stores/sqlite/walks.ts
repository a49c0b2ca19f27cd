/** Lists of many candidates: a walk along an index in their order, past those who don't match. */
import type { UserQuery } from '../../../domain/ports.ts';
import { searchedSorts } from '../../../domain/sorts.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { Effort, type Lead, type Steps, type Wanted } from './candidates.ts';
import type { Counts } from './counts.ts';
import { Pace } from './pace.ts';
import {
  countKeysSql,
  countWithinSql,
  type Pair,
  pageSql,
  type Residue,
  residueOf,
  totalSql,
} from './query-sql.ts';
import { sortingEffort } from './sorting.ts';
import type { Statements } from './statements.ts';
import { readStored } from './stored-document.ts';
import { findStepEnd, type Stretch, stretchesOf, stretchesWithin } from './stretches.ts';

/** Users that a walk looks at before it is asked where those are that it looks for. */
const firstPatience = 2_000;

/** Users that it looks at before another way is thought to be shorter. */
const leastPatience = 10_000;

/** To look at a candidate and to sort it takes as long as to walk past so many users. */
const costOfSorting = 4;

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
   * @param filter of those that are wanted, the one whose index is walked
   * @param lead when given, undefined is returned as soon as it would have cost less to look at all whom it leads to
   */
  *walk(
    query: UserQuery,
    wanted: Wanted,
    filter?: Pair,
    lead?: Lead,
    stretches: readonly Stretch[] = stretchesOf(query, filter),
  ): Steps<StoredUser[] | undefined> {
    const others = wanted.filters.filter((one) => one !== filter);
    const [effort, pace] = [new Effort(), new Pace()];
    let patience = lead && leastPatience;
    let isCounted = false;
    const users: StoredUser[] = [];
    let toPass = query.skip ?? 0;
    for (const stretch of stretches) {
      const residue = residueOf(others, wanted.terms, stretch.walk.id);
      for (let place = stretch.from; users.length < query.limit; ) {
        const end = findStepEnd(this.#statements, stretch, place, pace.users);
        const part = { ...stretch, from: place, to: end ?? stretch.to };
        effort.add(pace.users);
        const found = pace.measure(() => this.#look(part, residue, toPass, query.limit - users.length));
        toPass -= found.passed;
        for (const document of found.documents) users.push(readStored(document));
        if (end === undefined) break;
        place = end;
        if (lead && !isCounted && effort.users >= firstPatience) {
          isCounted = true;
          const { users, beginning } = yield* this.#countLead(query, lead);
          if (beginning !== undefined) {
            const within = stretchesWithin(query, beginning);
            return yield* this.walk(query, wanted, filter, undefined, within);
          }
          patience = this.#patienceFor(query, users);
        }
        if (patience !== undefined && effort.users >= patience) return undefined;
        yield;
      }
    }
    return users;
  }

  /**
   * As many users as there are candidates may stand in front of them. Evenly spread, the last one that is asked for comes behind
   * `evenly` users: twice as many are worth a walk, unless to sort costs less.
   */
  #patienceFor(query: UserQuery, candidates: number): number {
    const total = this.#statements.get<number>(totalSql) ?? 0;
    const evenly = (total * ((query.skip ?? 0) + query.limit)) / Math.max(1, candidates);
    const sorting = costOfSorting * sortingEffort(candidates, query);
    return Math.max(leastPatience, candidates, Math.min(2 * evenly, sorting));
  }

  /** At one step. Documents are read once enough have been passed over. */
  #look(
    { walk, values, from, to }: Stretch,
    residue: Residue,
    toPass: number,
    limit: number,
  ): { passed: number; documents: readonly string[] } {
    const range = [...values, ...from, ...to, ...residue.values];
    const there =
      toPass === 0 ? 0 : (this.#statements.get<number>(countWithinSql(walk, residue), range) ?? 0);
    if (there < toPass) return { passed: there, documents: [] };
    const documents = this.#statements.all<string>(pageSql(walk, residue), [...range, limit, toPass]);
    return { passed: toPass, documents };
  }
}
