/** How many users match: from the indexes alone where they know, else by looking at those whom the rarest condition leads to. */
import { type Candidates, Effort, type Lead, residueBehind, type Steps, type Wanted } from './candidates.ts';
import { Pace } from './pace.ts';
import { passOver } from './pass-over.ts';
import {
  countMatchedSql,
  countMatchingSql,
  countWithinSql,
  type Pair,
  residueOf,
  totalSql,
  usersOfFilter,
} from './query-sql.ts';
import type { Statements } from './statements.ts';
import { findStepEnd, stretchOf } from './stretches.ts';
import { isExact, matchQuery } from './word-index.ts';

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
      return yield* this.#countFilters([filter]);
    if (filter === undefined && isExact(terms)) return yield* this.#countTerms(wanted);
    const lead = yield* this.#candidates.findLead(wanted, countedForLead);
    if (lead.filter !== undefined && terms.length === 0)
      return yield* this.#countFilters([lead.filter, ...filters.filter((one) => one !== lead.filter)]);
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

  /** The users of the rarest filter who have all the others, from the index of filters alone. */
  *#countFilters([rarest, ...others]: readonly [Pair, ...Pair[]]): Steps<number> {
    const stretch = stretchOf(usersOfFilter(false), rarest);
    if (others.length === 0)
      return (yield* passOver(this.#statements, stretch, Number.POSITIVE_INFINITY)).passed;
    const residue = residueOf(others, [], stretch.walk.id);
    const sql = countWithinSql(stretch.walk, residue);
    const [effort, pace] = [new Effort(), new Pace()];
    let users = 0;
    for (let place = stretch.from; ; ) {
      const end = findStepEnd(this.#statements, stretch, place, pace.users);
      const range = [...rarest, ...place, ...(end ?? stretch.to), ...residue.values];
      effort.add(pace.users);
      users += pace.measure(() => this.#statements.get<number>(sql, range) ?? 0);
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
      : yield* this.#countFilters([filter]);
  }
}
