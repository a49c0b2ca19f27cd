/** Finds the users that the rarest of several conditions leads to. */
import { DomainError } from '../../../domain/errors.ts';
import { sharedFilters } from '../../../domain/filters.ts';
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
  sharedKeySql,
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

/** A key that many users may have. */
export interface SharedKey {
  readonly number: number;
  /** How many users have it. */
  readonly users: number;
}

/** What a query goes by: a filter, or what is looked up in the index of words. */
export interface Lead {
  readonly filter?: Pair | undefined;
  readonly terms: readonly Term[];
  /** Filters that are looked up together with the terms. */
  readonly shared?: readonly Pair[] | undefined;
  /** How many users it leads to, as far as they were counted. */
  readonly users: number;
  /** Those of the index of words in which all of them are; left out when they weren't counted to the end. */
  readonly blocks?: readonly number[] | undefined;
}

/** Of the index of words. */
interface Counted extends Lead {
  /** Of the numbers of those whom it leads to, about: greater for rarer ones. */
  readonly spacing: number;
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

  /** Undefined when it is of another filter, or nobody ever had it. */
  findShared([filter, key]: Pair): SharedKey | undefined {
    return sharedFilters.has(filter)
      ? this.#statements.get<SharedKey>(sharedKeySql, [filter, key])
      : undefined;
  }

  /** True when nobody has one of the keys, as far as that is known without a look at their index. */
  isNobodys(filters: readonly Pair[]): boolean {
    return filters.some((pair) => sharedFilters.has(pair[0]) && !this.findShared(pair)?.users);
  }

  /** The query of the index of words for those of a block. */
  matchQuery({ terms, shared = [] }: Pick<Lead, 'terms' | 'shared'>, block: number): string {
    const keys = shared.flatMap((pair) => this.findShared(pair)?.number ?? []);
    return matchQuery(terms, block, keys);
  }

  /**
   * With a frequent condition in front, looking for one address would walk half of the directory.
   * @param most counts no further
   * @returns with the terms that are wanted, as far as is known the rarest first
   */
  *findLead({ filters, terms }: Wanted, most: number): Steps<{ lead: Lead; terms: readonly Term[] }> {
    const leads: Lead[] = [];
    for (const filter of filters) {
      const users = this.#countFilter(filter, most);
      leads.push({ filter, terms: [], users });
      if (users >= stepCounted) yield;
    }
    const found: Counted[] = [];
    for (const term of terms) found.push(yield* this.#countMatched({ terms: [term] }, most));
    const ordered = found.toSorted((one, other) => other.spacing - one.spacing);
    // Of equals the terms: what they lead to is found quicker.
    const rarest = [...leads, ...found].reduce((one, other) => (other.users <= one.users ? other : one));
    const shared = filters.filter((pair) => sharedFilters.has(pair[0]));
    const isAlone = rarest.users < most || terms.length === 0 || terms.length + shared.length < 2;
    // Many users have each of them, and few all.
    const lead = isAlone ? rarest : yield* this.#countMatched({ terms, shared }, most);
    return { lead, terms: ordered.flatMap((each) => each.terms) };
  }

  #countFilter(filter: Pair, most: number): number {
    if (sharedFilters.has(filter[0])) return Math.min(most, this.findShared(filter)?.users ?? 0);
    return this.#statements.get<number>(countFilterUpToSql, [...filter, most]) ?? 0;
  }

  /** Where the first block has its share of `most`, the others are taken to have theirs: that they haven't, a walk finds out. */
  *#countMatched(words: Pick<Lead, 'terms' | 'shared'>, most: number): Steps<Counted> {
    const all = [...this.blocks()];
    const share = Math.ceil(most / all.length);
    let users = 0;
    const blocks: number[] = [];
    for (const block of all) {
      const upTo = block === 0 ? share : most - users;
      const query = this.matchQuery(words, block);
      const found = this.#statements.get<{ users: number; last: number }>(countMatchedUpToSql, [query, upTo]);
      if (found === undefined) continue;
      if (found.users >= upTo) return { ...words, users: most, spacing: found.last / upTo };
      users += found.users;
      if (found.users > 0) blocks.push(block);
      if (users >= stepCounted) yield;
    }
    return { ...words, users, blocks, spacing: Number.POSITIVE_INFINITY };
  }

  /** Their numbers, or their ids where the lead is a filter: a step at a time, as JSON. */
  *steps(lead: Lead, pace: Pace): Generator<string> {
    if (lead.filter !== undefined) return yield* this.#idSteps(lead.filter, pace);
    for (const block of lead.blocks ?? this.blocks())
      yield* this.#numberSteps(this.matchQuery(lead, block), pace);
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
    for (const numbers of this.#numbersIn(query))
      for (let at = 0; at < numbers.length; ) {
        const { users } = pace;
        yield JSON.stringify(numbers.slice(at, at + users));
        at += users;
      }
  }

  /** Of all whom it leads to, by the index of words: some at a time. */
  *numbers(lead: Lead): Generator<readonly number[]> {
    for (const block of lead.blocks ?? this.blocks()) yield* this.#numbersIn(this.matchQuery(lead, block));
  }

  *#numbersIn(query: string): Generator<readonly number[]> {
    for (let from = 0; ; ) {
      const numbers = this.#statements.all<number>(matchedSql, [query, from, readAtOnce]);
      yield numbers;
      if (numbers.length < readAtOnce) return;
      from = numbers.at(-1) ?? 0;
    }
  }
}

/** What has to be asked of the users that the lead has led to. */
export function residueBehind({ filters, terms }: Wanted, lead: Lead): Residue {
  const others = filters.filter((one) => one !== lead.filter && !lead.shared?.includes(one));
  const isSure = (term: Term) => lead.terms.includes(term) && isExact([term]);
  return residueOf(
    others,
    terms.filter((term) => !isSure(term)),
  );
}
