/** Lists of many candidates: a walk along an index in their order, past those who don't match. */
import type { UserQuery } from '../../../domain/ports.ts';
import { searchedSorts } from '../../../domain/sorts.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { type Candidates, Effort, type Lead, residueOnWay, type Steps, type Wanted } from './candidates.ts';
import type { Counts } from './counts.ts';
import { Pace } from './pace.ts';
import { passOver } from './pass-over.ts';
import { countWithinSql, type Pair, pageSql, totalSql } from './query-sql.ts';
import { Shortcuts } from './shortcuts.ts';
import { Sieve } from './sieve.ts';
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

/** Where the candidates are more than this part of all users, a sieve takes less than to sort them. */
const worthSieving = 1 / 40;

/** Beyond so many it isn't asked if their keys begin alike. */
const mostKeys = 200_000;

/** A list on its way. */
interface Walking {
  readonly query: UserQuery;
  readonly wanted: Wanted;
  /** Of those that are wanted, the one whose index is walked. */
  readonly filter: Pair | undefined;
  /** Of the data, in which it began. */
  readonly state: number;
  readonly effort: Effort;
  readonly pace: Pace;
  readonly users: StoredUser[];
  toPass: number;
}

export class Walks {
  readonly #statements: Statements;
  readonly #candidates: Candidates;
  readonly #counts: Counts;
  readonly #shortcuts = new Shortcuts();

  constructor(statements: Statements, candidates: Candidates, counts: Counts) {
    this.#statements = statements;
    this.#candidates = candidates;
    this.#counts = counts;
  }

  /**
   * @param filter of those that are wanted, the one whose index is walked
   * @param lead when given, undefined is returned as soon as it would have cost less to look at all whom it leads to
   */
  *walk(query: UserQuery, wanted: Wanted, filter?: Pair, lead?: Lead): Steps<StoredUser[] | undefined> {
    const walking = begin(query, wanted, this.#statements.dataVersion(), filter);
    const shortcut = this.#shortcuts.find(query, walking.state);
    if (lead !== undefined && shortcut !== undefined) return yield* this.#walkOn(walking, lead, shortcut);
    const mayStop = lead && (() => walking.effort.users >= firstPatience);
    const left = yield* this.#walkAlong(walking, stretchesOf(query, filter), mayStop);
    if (left === undefined || lead === undefined) return walking.users;
    const beginning = yield* this.#findBeginning(query, wanted);
    if (beginning === undefined) return yield* this.#walkOn(walking, lead, left);
    const again = begin(query, wanted, walking.state);
    yield* this.#walkAlong(again, this.#keep(again, stretchesWithin(query, beginning)));
    return again.users;
  }

  /** When nobody knows where those who match stand. */
  *#walkOn(walking: Walking, lead: Lead, from: readonly Stretch[]): Steps<StoredUser[] | undefined> {
    const { query, effort, users } = walking;
    const candidates = yield* this.#counts.countLead(lead);
    const total = this.#statements.get<number>(totalSql) ?? 0;
    const mayBeSieved = query.sort?.by !== undefined && lead.filter === undefined;
    const isSieved = mayBeSieved && candidates > worthSieving * total;
    const evenly = (total * ((query.skip ?? 0) + query.limit)) / Math.max(1, candidates);
    const patience = isSieved ? 2 * evenly : patienceFor(query, candidates, evenly);
    const enough = effort.users + Math.max(leastPatience, patience);
    const left = yield* this.#walkAlong(walking, from, () => effort.users >= enough);
    if (left === undefined) return users;
    if (!isSieved) return undefined;
    yield* this.#walkSieved(walking, lead, left);
    return users;
  }

  *#walkSieved(walking: Walking, lead: Lead, from: readonly Stretch[]): Steps<void> {
    const { query, effort, users } = walking;
    const sieve = yield* Sieve.make(this.#statements, this.#candidates, lead);
    for (let left: readonly Stretch[] | undefined = from; left !== undefined; ) {
      const next: readonly Stretch[] = yield* sieve.pass(left, effort);
      if (users.length === 0 && walking.toPass === (query.skip ?? 0)) this.#keep(walking, next);
      left = yield* this.#walkAlong(walking, next, (found) => !found);
    }
  }

  /**
   * The last place of a step is read first, so that a user who is written meanwhile falls into this step or the next, never between.
   * @param mayStop asked after each step, which has found somebody or not
   * @returns what is left; undefined when the page is full or there is nobody more
   */
  *#walkAlong(
    walking: Walking,
    stretches: readonly Stretch[],
    mayStop: (found: boolean) => boolean = () => false,
  ): Steps<readonly Stretch[] | undefined> {
    const { query, effort, pace, users } = walking;
    for (let left = stretches; ; ) {
      const [stretch, ...rest] = left;
      if (stretch === undefined || users.length >= query.limit) return undefined;
      const end = findStepEnd(this.#statements, stretch, stretch.from, pace.users);
      effort.add(pace.users);
      const found = pace.measure(() => this.#look({ ...stretch, to: end ?? stretch.to }, walking));
      left = end === undefined ? rest : [{ ...stretch, from: end }, ...rest];
      if (end === undefined) continue;
      if (mayStop(found)) return left;
      yield;
    }
  }

  /** The beginning that the keys of all who match have, and nobody else's, when a search for it is sorted by what it has found. */
  *#findBeginning(query: UserQuery, { terms }: Wanted): Steps<string | undefined> {
    const [pattern, ...others] = terms.length === 1 ? (terms[0] ?? []) : [];
    const by = query.sort?.by ?? '';
    if (pattern === undefined || others.length > 0 || !searchedSorts.has(by)) return undefined;
    const state = this.#statements.dataVersion();
    const users = yield* this.#counts.countLead({ terms, users: 0 });
    if (users > mostKeys) return undefined;
    const [range] = stretchesWithin({ ...query, after: undefined }, pattern.start);
    if (range === undefined) return undefined;
    const { passed } = yield* passOver(this.#statements, range, users + 1);
    const isAll = passed === users && this.#statements.dataVersion() === state;
    return isAll ? pattern.start : undefined;
  }

  #keep({ query, state }: Walking, stretches: readonly Stretch[]): readonly Stretch[] {
    if (this.#statements.dataVersion() === state) this.#shortcuts.keep(query, state, stretches);
    return stretches;
  }

  /** At one step. Documents are read once enough have been passed over. @returns true when somebody matches */
  #look({ walk, values, from, to }: Stretch, walking: Walking): boolean {
    const { query, wanted, filter, users } = walking;
    const residue = residueOnWay(wanted, walk.id, filter);
    const range = [...values, ...from, ...to, ...residue.values];
    const { toPass } = walking;
    const there =
      toPass === 0 ? 0 : (this.#statements.get<number>(countWithinSql(walk, residue), range) ?? 0);
    walking.toPass -= Math.min(there, toPass);
    if (there < toPass) return there > 0;
    const limit = query.limit - users.length;
    const documents = this.#statements.all<string>(pageSql(walk, residue), [...range, limit, toPass]);
    for (const document of documents) users.push(readStored(document));
    return there + documents.length > 0;
  }
}

const begin = (query: UserQuery, wanted: Wanted, state: number, filter?: Pair): Walking => ({
  ...{ query, wanted, filter, state },
  ...{ effort: new Effort(), pace: new Pace(), users: [], toPass: query.skip ?? 0 },
});

/**
 * As many users as there are candidates may stand in front of them. Twice as many as it were if they were evenly spread are worth a walk,
 * unless to sort costs less.
 */
const patienceFor = (query: UserQuery, candidates: number, evenly: number): number =>
  Math.max(candidates, Math.min(2 * evenly, costOfSorting * sortingEffort(candidates, query)));
