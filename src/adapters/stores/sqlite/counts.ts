/** How many users match: from the indexes alone where they know, else by looking at those whom the rarest condition leads to. */
import type { Term } from '../../../domain/search.ts';
import { type Candidates, Effort, type Lead, residueBehind, type Steps, type Wanted } from './candidates.ts';
import { KnownCounts } from './known-counts.ts';
import { Pace } from './pace.ts';
import { passOver } from './pass-over.ts';
import {
  blockChangesSql,
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
  readonly #known = new KnownCounts();

  constructor(statements: Statements, candidates: Candidates) {
    this.#statements = statements;
    this.#candidates = candidates;
  }

  *count(wanted: Wanted): Steps<number> {
    const { filters, terms } = wanted;
    const [filter] = filters;
    if (filters.length + terms.length === 0) return this.#statements.get<number>(totalSql) ?? 0;
    const resolved = this.#candidates.withKeys(wanted);
    if (resolved === undefined) return 0;
    const { keys } = resolved;
    const isByWords = keys.length === filters.length && isExact(terms);
    if (!isByWords) return yield* this.#countBehind(resolved);
    if (filter === undefined || keys.length + terms.length > 1)
      return yield* this.#countWords([...terms, ...keys]);
    return this.#candidates.findShared(filter)?.users ?? 0;
  }

  /** By a look at all whom the rarest condition leads to. */
  *#countBehind(wanted: Wanted): Steps<number> {
    const { filters, terms } = wanted;
    const lead = yield* this.#candidates.findLead(wanted, countedForLead);
    if (lead.filter !== undefined && terms.length === 0)
      return yield* this.#countFilters([lead.filter, ...filters.filter((one) => one !== lead.filter)]);
    const residue = residueBehind(wanted, lead);
    const sql = countMatchingSql(lead.filter ? 'id' : 'n', residue);
    const [effort, pace] = [new Effort(), new Pace()];
    let users = 0;
    for (const step of this.#candidates.steps(lead, pace)) {
      yield;
      effort.add(pace.users);
      users += pace.measure(() => this.#statements.get<number>(sql, [step, ...residue.values]) ?? 0);
    }
    return users;
  }

  /** The users of the rarest filter who have all the others, from the index of filters alone. */
  *#countFilters([rarest, ...others]: readonly [Pair, ...Pair[]]): Steps<number> {
    const stretch = stretchOf(usersOfFilter(false), rarest);
    const counted = others.length === 0 ? this.#candidates.findShared(rarest) : undefined;
    if (counted !== undefined) return counted.users;
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

  *#countWords(terms: readonly Term[]): Steps<number> {
    const known = this.#known.of(matchQuery(terms, 0), this.#blockChanges());
    let users = 0;
    for (const block of this.#candidates.blocks()) {
      const counted = known.find(block);
      // Before the first, too: many may begin in one turn.
      if (counted === undefined) yield;
      users += counted ?? known.keep(block, this.#countInBlock(terms, block));
    }
    return users;
  }

  #countInBlock(terms: readonly Term[], block: number): number {
    return this.#statements.get<number>(countMatchedSql, [matchQuery(terms, block)]) ?? 0;
  }

  /** Read before anything is counted, so that what is counted is never older than they say. */
  #blockChanges(): ReadonlyMap<number, number> {
    const rows = this.#statements.all<{ block: number; changes: number }>(blockChangesSql, []);
    return new Map(rows.map(({ block, changes }) => [block, changes]));
  }

  /** All whom it leads to. */
  *countLead({ filter, terms }: Lead): Steps<number> {
    return filter === undefined ? yield* this.#countWords(terms) : yield* this.#countFilters([filter]);
  }
}
