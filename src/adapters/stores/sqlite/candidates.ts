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
import { blockOf, isExact, keyTerm, matchQuery } from './word-index.ts';

/** Conditions as they are looked up. */
export interface Wanted {
  readonly filters: readonly Pair[];
  readonly terms: readonly Term[];
  /** The shared filters among them as terms of the index of words; left out where they are looked up as filters only. */
  readonly keys?: readonly Term[];
}

/** Once so many were counted, others get their turn. */
const stepCounted = 10_000;

/** The longest term first, which the fewest match: that is what a user is asked for first. */
export const wantedOf = ({ filters, terms = [] }: Conditions): Wanted => ({
  filters: Object.entries(filters) as Pair[],
  terms: terms.toSorted((one, other) => lengthOf(other) - lengthOf(one)),
});

const lengthOf = (term: Term): number => Math.min(...term.map(({ start }) => start.length));

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
  /** How many users it leads to, as far as they were counted. */
  readonly users: number;
  /** Those of the index of words in which all of them are; left out when they weren't counted to the end. */
  readonly blocks?: readonly number[] | undefined;
}

const rarer = (one: Lead | undefined, other: Lead): Lead =>
  one === undefined || other.users <= one.users ? other : one;

/** A look at each of so many takes no longer than to ask for more. */
const fewEnough = 50;

/** True where many users may have the same key. */
export const isShared = ([filter]: Pair): boolean => sharedFilters.has(filter);

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
  findShared(pair: Pair): SharedKey | undefined {
    return isShared(pair) ? this.#statements.get<SharedKey>(sharedKeySql, [...pair]) : undefined;
  }

  /** With their shared filters as terms; undefined when nobody has one of the keys. */
  withKeys({ filters, terms }: Wanted): Required<Wanted> | undefined {
    const shared = filters.filter(isShared).map((pair) => this.findShared(pair));
    const keys = shared.flatMap((key) => (key?.users ? [keyTerm(key.number)] : []));
    return keys.length < shared.length ? undefined : { filters, terms, keys };
  }

  /** With a frequent condition in front, looking for one address would walk half of the directory. @param most counts no further */
  *findLead({ filters, terms, keys = [] }: Wanted, most: number): Steps<Lead> {
    const leads: Lead[] = [];
    for (const filter of filters) {
      const users = this.#countFilter(filter, most);
      leads.push({ filter, terms: [], users });
      if (users >= stepCounted) yield;
    }
    const words = [...terms, ...keys];
    const rarest = leads.reduce<Lead | undefined>(rarer, undefined);
    if (rarest !== undefined && (words.length === 0 || rarest.users < fewEnough)) return rarest;
    // Many users may have each of them, and few all. Of equals the words: what they lead to is found quicker.
    return rarer(rarest, yield* this.#countMatched(words, most));
  }

  #countFilter(filter: Pair, most: number): number {
    if (isShared(filter)) return Math.min(most, this.findShared(filter)?.users ?? 0);
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
      const query = matchQuery(terms, block);
      const found = this.#statements.get<number>(countMatchedUpToSql, [query, upTo]) ?? 0;
      if (found >= upTo) return { terms, users: most };
      users += found;
      if (found > 0) blocks.push(block);
      if (users >= stepCounted) yield;
    }
    return { terms, users, blocks };
  }

  /** Their numbers, or their ids where the lead is a filter: a step at a time, as JSON. */
  *steps(lead: Lead, pace: Pace): Generator<string> {
    if (lead.filter !== undefined) return yield* this.#idSteps(lead.filter, pace);
    for (const block of lead.blocks ?? this.blocks())
      yield* this.#numberSteps(matchQuery(lead.terms, block), pace);
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
    for (const block of lead.blocks ?? this.blocks()) yield* this.#numbersIn(matchQuery(lead.terms, block));
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
export function residueBehind(wanted: Wanted, lead: Lead): Residue {
  const isByWords = lead.filter === undefined || wanted.terms.length > 0;
  const { filters, terms } = isByWords ? asTerms(wanted) : wanted;
  const isSure = (term: Term) => lead.terms.includes(term) && isExact([term]);
  return residueOf(
    filters.filter((one) => one !== lead.filter),
    terms.filter((term) => !isSure(term)),
  );
}

/** What has to be asked of users in a walk. @param id as of `residueOf` @param walked the filter whose users they are */
export function residueOnWay(wanted: Wanted, id?: string, walked?: Pair): Residue {
  // The search text tells of keys, too, once it is looked at.
  const { filters, terms } = wanted.terms.length > 0 ? asTerms(wanted) : wanted;
  return residueOf(
    filters.filter((one) => one !== walked),
    terms,
    id,
  );
}

const asTerms = ({ filters, terms, keys }: Wanted): Wanted =>
  keys === undefined
    ? { filters, terms }
    : { filters: filters.filter((one) => !isShared(one)), terms: [...terms, ...keys] };
