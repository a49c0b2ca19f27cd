/** Finds the users that the rarest of several conditions leads to. */
import { DomainError } from '../../../domain/errors.ts';
import type { Term } from '../../../domain/search.ts';
import {
  countFilterUpToSql,
  countMatchedUpToSql,
  idsOfFilterSql,
  lastNumberSql,
  matchedSql,
  type Pair,
  type Residue,
  residueOf,
} from './query-sql.ts';
import type { Statements } from './statements.ts';
import { blockOf, isExact, matchQuery } from './word-index.ts';

/** Conditions as they are looked up. */
export interface Wanted {
  readonly filters: readonly Pair[];
  readonly terms: readonly Term[];
}

/** Users in a step, which is a few milliseconds' work: then others get their turn. */
export const stepSize = 500;

/** Numbers or ids that are read at once. */
const readAtOnce = 20_000;

/** How many users one list or count may look at: a few seconds' work. */
const maxLookedAt = 1_000_000;

/** Counts the users that one query looks at. */
export class Effort {
  #users = 0;

  /** @throws DomainError `query-too-costly` */
  add(users: number): void {
    this.#users += users;
    if (this.#users <= maxLookedAt) return;
    throw new DomainError(
      'query-too-costly',
      'Too many users would have to be looked at. Ask for a longer word, one more word or one more filter, or for another order.',
    );
  }
}

/** What a query goes by: the one filter, or all of the terms. */
export interface Lead {
  readonly filter: Pair | undefined;
  /** How many users it leads to, as far as they were counted. */
  readonly users: number;
}

export class Candidates {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** By number: users are numbered in the order of their coming. */
  *blocks(): Generator<number> {
    const last = blockOf(this.#statements.get<number | null>(lastNumberSql) ?? 0);
    for (let block = 0; block <= last; block += 1) yield block;
  }

  /** With a frequent condition in front, looking for one address would walk half of the directory. @param most counts no further */
  findLead({ filters, terms }: Wanted, most: number): Lead {
    const leads: Lead[] = filters.map((filter) => ({
      filter,
      users: this.#statements.get<number>(countFilterUpToSql, [...filter, most]) ?? 0,
    }));
    if (terms.length > 0) leads.push({ filter: undefined, users: this.#countMatched(terms, most) });
    return leads.reduce((one, other) => (other.users < one.users ? other : one));
  }

  #countMatched(terms: readonly Term[], most: number): number {
    let users = 0;
    for (const block of this.blocks()) {
      if (users >= most) break;
      users +=
        this.#statements.get<number>(countMatchedUpToSql, [matchQuery(terms, block), most - users]) ?? 0;
    }
    return users;
  }

  /** In steps, as JSON. @param first the id behind which ids begin */
  *steps({ terms }: Wanted, { filter }: Lead): Generator<string> {
    if (filter !== undefined) {
      let from = '';
      for (;;) {
        const ids = this.#statements.all<string>(idsOfFilterSql, [...filter, from, stepSize]);
        yield JSON.stringify(ids);
        if (ids.length < stepSize) return;
        from = ids.at(-1) ?? '';
      }
    }
    for (const block of this.blocks()) yield* this.#matchedSteps(matchQuery(terms, block));
  }

  *#matchedSteps(query: string): Generator<string> {
    for (let from = 0; ; ) {
      const numbers = this.#statements.all<number>(matchedSql, [query, from, readAtOnce]);
      for (let at = 0; at < numbers.length; at += stepSize)
        yield JSON.stringify(numbers.slice(at, at + stepSize));
      if (numbers.length < readAtOnce) return;
      from = numbers.at(-1) ?? 0;
    }
  }
}

/** What has to be asked of the users that the lead has led to. */
export function residueBehind({ filters, terms }: Wanted, { filter }: Lead): Residue {
  const others = filters.filter((one) => one !== filter);
  return residueOf(others, filter === undefined && isExact(terms) ? [] : terms);
}
