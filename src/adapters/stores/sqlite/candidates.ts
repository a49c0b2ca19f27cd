/** Finds the users that the rarest of several conditions leads to. */
import { DomainError } from '../../../domain/errors.ts';
import type { Conditions } from '../../../domain/ports.ts';
import type { Term } from '../../../domain/search.ts';
import type { Pace } from './pace.ts';
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

/** Once so many were counted, others get their turn. */
const stepCounted = 10_000;

export const wantedOf = ({ filters, terms = [] }: Conditions): Wanted => ({
  filters: Object.entries(filters) as Pair[],
  terms,
});

/** Numbers that are read at once. */
const readAtOnce = 20_000;

/** How many users one list or count may look at: a few seconds' work. */
const maxLookedAt = 2_000_000;

/** Counts the users that one query looks at. */
export class Effort {
  users = 0;

  /** @throws DomainError `query-too-costly` */
  add(users: number): void {
    this.users += users;
    if (this.users <= maxLookedAt) return;
    throw new DomainError(
      'query-too-costly',
      'Too many users would have to be looked at. Ask for a longer word, one more word or one more filter; of a list, also in another order.',
    );
  }
}

/** What a query goes by: a filter, or one or all of the terms. */
export interface Lead {
  readonly filter?: Pair | undefined;
  readonly terms: readonly Term[];
  /** How many users it leads to, as far as they were counted. */
  readonly users: number;
  /** Those of the index of words in which all of them are; left out when they weren't counted to the end. */
  readonly blocks?: readonly number[] | undefined;
}

/** Done a step at a time. */
export type Steps<T> = Generator<undefined, T, void>;

export class Candidates {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Users are numbered in the order of their coming. */
  *blocks(): Generator<number> {
    const last = blockOf(this.#statements.get<number | null>(lastNumberSql) ?? 0);
    for (let block = 0; block <= last; block += 1) yield block;
  }

  /** With a frequent condition in front, looking for one address would walk half of the directory. @param most counts no further */
  *findLead({ filters, terms }: Wanted, most: number): Steps<Lead> {
    const leads: Lead[] = [];
    for (const filter of filters) {
      const users = this.#countFilter(filter, most);
      leads.push({ filter, terms: [], users });
      if (users >= stepCounted) yield;
    }
    for (const term of terms) leads.push(yield* this.#countMatched([term], most));
    // Of equals the terms: what they lead to is found quicker.
    const rarest = leads.reduce((one, other) => (other.users <= one.users ? other : one));
    if (rarest.users < most || terms.length < 2) return rarest;
    // Many users have each of them, and few all.
    return yield* this.#countMatched(terms, most);
  }

  #countFilter(filter: Pair, most: number): number {
    return this.#statements.get<number>(countFilterUpToSql, [...filter, most]) ?? 0;
  }

  /** Where the first block has its share of `most`, the others are taken to have theirs: that they haven't, a walk finds out. */
  *#countMatched(terms: readonly Term[], most: number): Steps<Lead> {
    const all = [...this.blocks()];
    const share = Math.ceil(most / all.length);
    let users = 0;
    const blocks: number[] = [];
    for (const block of all) {
      const upTo = block === 0 ? share : most - users;
      const found = this.#statements.get<number>(countMatchedUpToSql, [matchQuery(terms, block), upTo]) ?? 0;
      if (found >= upTo) return { terms, users: most };
      users += found;
      if (found > 0) blocks.push(block);
      if (users >= stepCounted) yield;
    }
    return { terms, users, blocks };
  }

  /** Their numbers, or their ids where the lead is a filter: a step at a time, as JSON. */
  *steps({ filter, terms, blocks }: Lead, pace: Pace): Generator<string> {
    if (filter !== undefined) return yield* this.#idSteps(filter, pace);
    for (const block of blocks ?? this.blocks()) yield* this.#numberSteps(matchQuery(terms, block), pace);
  }

  *#idSteps(filter: Pair, pace: Pace): Generator<string> {
    for (let from = ''; ; ) {
      const { users } = pace;
      const ids = this.#statements.all<string>(idsOfFilterSql, [...filter, from, users]);
      yield JSON.stringify(ids);
      if (ids.length < users) return;
      from = ids.at(-1) ?? '';
    }
  }

  *#numberSteps(query: string, pace: Pace): Generator<string> {
    for (let from = 0; ; ) {
      const numbers = this.#statements.all<number>(matchedSql, [query, from, readAtOnce]);
      for (let at = 0; at < numbers.length; ) {
        const { users } = pace;
        yield JSON.stringify(numbers.slice(at, at + users));
        at += users;
      }
      if (numbers.length < readAtOnce) return;
      from = numbers.at(-1) ?? 0;
    }
  }
}

/** What has to be asked of the users that the lead has led to. */
export function residueBehind({ filters, terms }: Wanted, lead: Lead): Residue {
  const others = filters.filter((one) => one !== lead.filter);
  const isSure = (term: Term) => lead.terms.includes(term) && isExact([term]);
  return residueOf(
    others,
    terms.filter((term) => !isSure(term)),
  );
}
