/**
 * Searches, filters, orders and totals. One idea serves them all: the users that match are a set, with a bit for each user number `n`.
 *
 * A list without conditions, or of one filter in the order of the ids, is a part of an index as it stands (index-scan.ts). The main thread
 * reads it, and everything else is sent to a thread of its own (thread.ts), where it holds up nobody but other searches.
 *
 * There, a query is answered in one read transaction, which begins after the request: so it sees every write that was answered before.
 *
 * 1. The first users along the order are checked, one by one. Where most users match, they fill the page, and that is all.
 * 2. Else the set is made (sets.ts): words by the full-text index, filters by the index of keys, both of which hold `n`; several conditions
 *    are the intersection of their sets. Once few users are left, these are checked instead. A total is the number of bits.
 * 3. The page is found (pages.ts) by a scan along the order's index, past users whose bit is not set. When that has taken as long as to
 *    sort all users of the set, they are sorted.
 *
 * Sets are remembered until somebody writes, the sorted ones with their order. A list that is read in several batches keeps its set, and
 * checks each user again once somebody has written. A clock (clock.ts) refuses what takes too long. What is tuned is in limits.ts.
 */
import { DomainError } from '../../../../domain/errors.ts';
import type { Conditions, UserQuery } from '../../../../domain/ports.ts';
import type { Connection } from '../file/connection.ts';
import { makeRulesCheck } from '../layout/rules.ts';
import { Clock } from './clock.ts';
import { type Condition, conditionOf } from './condition.ts';
import { keepMatching, readDocuments } from './found-users.ts';
import { IndexScan } from './index-scan.ts';
import { probed } from './limits.ts';
import { findPage } from './pages.ts';
import { rangesOf, rangesOfAll } from './ranges.ts';
import { Sets } from './sets.ts';
import { Statements } from './statements.ts';

/** Without what only the main thread knows. @see UserQuery */
export interface Search extends Omit<UserQuery, 'list' | 'hasLeft' | 'client'> {
  /** The list's number, where it has one. */
  readonly list?: number | undefined;
}

export class Searcher {
  readonly #statements: Statements;
  readonly #sets: Sets;
  readonly #isCurrent: () => boolean;

  constructor(db: Connection) {
    this.#statements = new Statements(db);
    this.#sets = new Sets(this.#statements);
    this.#isCurrent = makeRulesCheck(db);
  }

  /** The documents as `readStored` takes them. @throws DomainError `query-too-costly`, `unavailable` */
  list(search: Search): string[] {
    return this.#inOneState((state, clock) => {
      const { skip = 0, limit, sort, list } = search;
      const ranges = rangesOfAll(search);
      if (ranges !== undefined) return new IndexScan(this.#statements, ranges).documents(skip, limit);
      const condition = conditionOf(search);
      const known = this.#sets.find(condition, list, state);
      if (known === undefined && skip === 0) {
        const found = this.#probe(search, condition, clock);
        if (found !== undefined) return readDocuments(this.#statements, found, sort?.by);
      }
      const set = known ?? this.#sets.make(condition, list, state, clock);
      const page = findPage(this.#statements, search, set, { state, condition, clock });
      this.#sets.forgetOldest();
      return readDocuments(this.#statements, page, sort?.by);
    });
  }

  /** @throws DomainError as `list` */
  count(conditions: Conditions): number {
    return this.#inOneState((state, clock) => {
      const condition = conditionOf(conditions);
      const known = this.#sets.find(condition, undefined, state);
      return (known ?? this.#sets.make(condition, undefined, state, clock)).users.size;
    });
  }

  /** The page, when the first users along the order are enough for it. */
  #probe(search: Search, condition: Condition, clock: Clock): number[] | undefined {
    const scan = new IndexScan(this.#statements, rangesOf(search));
    const first = scan.next(probed);
    const found = [...keepMatching(this.#statements, first, condition, clock)].flatMap((some) => [...some]);
    return found.length < search.limit ? undefined : found.slice(0, search.limit);
  }

  #inOneState<T>(query: (state: number, clock: Clock) => T): T {
    return this.#statements.readTogether(() => {
      const state = this.#statements.dataVersion();
      if (!this.#isCurrent()) throw new DomainError('unavailable', 'Another release is at work on the file.');
      return query(state, new Clock());
    });
  }
}
