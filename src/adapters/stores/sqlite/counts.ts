/** How many users match: from the indexes alone where they know, else by looking at those whom the rarest condition leads to. */
import { type Candidates, Effort, type Lead, residueBehind, type Steps, type Wanted } from './candidates.ts';
import { Pace } from './pace.ts';
import {
  countMatchedSql,
  countMatchingSql,
  countWithinSql,
  noResidue,
  type Pair,
  totalSql,
  usersOfFilter,
} from './query-sql.ts';
import type { Statements } from './statements.ts';
import { findStepEnd, stretchOf } from './stretches.ts';
import { isExact, matchQuery } from './word-index.ts';

/** Keys of a filter that are counted in one step. */
const countedAtOnce = 50_000;

/** How far conditions are counted to find the rarest, where each of its users is looked at. */
const countedForLead = 100_000;

export class Counts {
  readonly #statements: Statements;
  readonly #candidates: Candidates;

  constructor(statements: Statements, candidates: Candidates) {
    this.#statements = statements;
    this.#candidates = candidates;
  }

  *count(wanted: Wanted): Steps<number> {
    const { filters, terms } = wanted;
    const [filter] = filters;
    if (filter === undefined && terms.length === 0) return this.#statements.get<number>(totalSql) ?? 0;
    if (filter !== undefined && filters.length === 1 && terms.length === 0)
      return yield* this.#countFilter(filter);
    if (filter === undefined && isExact(terms)) return yield* this.#countTerms(wanted);
    const lead = yield* this.#candidates.findLead(wanted, countedForLead);
    const residue = residueBehind(wanted, lead);
    const sql = countMatchingSql(lead.filter ? 'id' : 'n', residue);
    const [effort, pace] = [new Effort(), new Pace()];
    let users = 0;
    for (const step of this.#candidates.steps(lead, pace)) {
      effort.add(pace.users);
      users += pace.measure(() => this.#statements.get<number>(sql, [step, ...residue.values]) ?? 0);
      yield;
    }
    return users;
  }

  *#countFilter(filter: Pair): Steps<number> {
    const stretch = stretchOf(usersOfFilter(false), filter);
    const sql = countWithinSql(stretch.walk, noResidue);
    let users = 0;
    for (let place = stretch.from; ; ) {
      const end = findStepEnd(this.#statements, stretch, place, countedAtOnce);
      const range = [...filter, ...place, ...(end ?? stretch.to)];
      users += this.#statements.get<number>(sql, range) ?? 0;
      if (end === undefined) return users;
      place = end;
      yield;
    }
  }

  *#countTerms({ terms }: Wanted): Steps<number> {
    let users = 0;
    for (const block of this.#candidates.blocks()) {
      users += this.#statements.get<number>(countMatchedSql, [matchQuery(terms, block)]) ?? 0;
      yield;
    }
    return users;
  }

  /** All whom it leads to. */
  *countLead({ filter, terms }: Lead): Steps<number> {
    return filter === undefined
      ? yield* this.#countTerms({ filters: [], terms })
      : yield* this.#countFilter(filter);
  }
}
