/**
 * Searches, filters, orders and totals. One idea serves them all: the users that match are a set, with a bit for each user number `n`.
 *
 * A list without conditions, or of one filter in the order of the ids, is a part of an index as it stands (index-scan.ts). The main thread
 * reads it, as it does one id, and everything else is sent to a thread of its own (thread.ts), where it delays only other searches.
 *
 * There, a query is answered in one read transaction, which begins after the request: so it sees every write that was answered before.
 *
 * 1. The first users along the order are checked, one by one. Where most users match, they fill the page, and that is all.
 * 2. Else the set is made (sets.ts): words by the full-text index, filters by the index of keys, both of which hold `n`. Of conditions that
 *    must all match it is the intersection of their sets, and once few users are left, these are checked instead. Of alternatives it is
 *    the union, and what their words find is one full-text query. A total is the number of bits. Where it only matters whether there are
 *    more than so many, the set is read until there are.
 * 3. The page is found (pages.ts) by a scan along the order's index, past users whose bit is not set. When that has taken as long as to
 *    sort all users of the set, they are sorted.
 *
 * Sets are remembered until the next write, the sorted ones with their order. A list that is read in several batches keeps its set, and
 * checks each user again after a write. A clock (clock.ts) refuses what takes too long. What is tuned is in limits.ts.
 */

import { DomainError } from '../../../../domain/base/errors.ts';
import type { Condition } from '../../../../domain/find/conditions.ts';
import { keepOwner, ownerName } from '../../../../domain/find/owners.ts';
import type { Count, Query } from '../../../../domain/ports.ts';
import type { Connection } from '../file/connection.ts';
import type { AnyRowType } from '../index/row-type.ts';
import { makeRulesCheck } from '../layout/rules.ts';
import { leavesOf, resolveMemberships } from './condition.ts';
import { keepMatching, readDocuments } from './found-users.ts';
import { IndexScan } from './index-scan.ts';
import { Clock, probed } from './limits.ts';
import { findPage } from './pages.ts';
import { rangesOf, rangesOfAll } from './ranges.ts';
import { Sets } from './sets.ts';
import { Statements } from './statements.ts';

/** Without what only the main thread knows. @see Query */
export interface Search extends Omit<Query, 'list' | 'hasLeft' | 'client' | 'view'> {
  /** The list's number, where it has one. */
  readonly list?: number | undefined;
  readonly owners: KnownOwners;
}

/** The owners of the view, by `ownerName`, as the main thread found them. */
export type KnownOwners = ReadonlyMap<string, number | undefined>;

export type Counting = Pick<Search, 'where' | 'owners'> & Pick<Count, 'most'>;

export class Searcher {
  readonly #statements: Statements;
  readonly #sets: Sets;
  readonly #isCurrent: () => boolean;
  readonly #sortNumber = (by: string | undefined): number => this.#statements.sortNumber(by);

  constructor(db: Connection, type: AnyRowType) {
    this.#statements = new Statements(db, type);
    this.#sets = new Sets(this.#statements);
    this.#isCurrent = makeRulesCheck(db);
  }

  /** The documents as `RowType.read` takes them. @throws DomainError `query-too-costly`, `unavailable` */
  list(search: Search): string[] {
    return this.#inOneState((state, clock) => {
      const { skip = 0, limit, list } = search;
      const condition = this.#resolve(search);
      const ranges = rangesOfAll({ ...search, where: condition }, this.#sortNumber);
      if (ranges !== undefined) return new IndexScan(this.#statements, ranges).documents(skip, limit);
      const known = this.#sets.find(condition, list, state);
      if (known === undefined && skip === 0) {
        const found = this.#probe(search, condition, clock);
        if (found !== undefined) return readDocuments(this.#statements, found);
      }
      const set = known ?? this.#sets.make(condition, list, state, clock);
      const page = findPage(this.#statements, search, set, { state, condition, clock });
      this.#sets.measure(set);
      return readDocuments(this.#statements, page);
    });
  }

  /** @param most where more match, any larger number may be returned @throws DomainError as `list` */
  count({ most = Number.POSITIVE_INFINITY, ...conditions }: Counting): number {
    return this.#inOneState((state, clock) =>
      this.#sets.count(this.#resolve(conditions), most, state, clock),
    );
  }

  #resolve({ where, owners }: Pick<Search, 'where' | 'owners'>): Condition {
    return resolveMemberships(where, (membership) =>
      keepOwner(membership, owners.get(ownerName(membership)), this.#statements.ownerOf(membership)),
    );
  }

  /**
   * The page, when the first users along the order are enough for it. A look takes longer the more conditions there are: after each
   * `probed` conditions that were checked it goes on only if users matched.
   */
  #probe(search: Search, condition: Condition, clock: Clock): number[] | undefined {
    const scan = new IndexScan(this.#statements, rangesOf(search, this.#sortNumber));
    const step = Math.ceil(probed / leavesOf(condition));
    const page: number[] = [];
    for (let looked = 0; looked < probed; looked += step) {
      const found = [...keepMatching(this.#statements, scan.next(step), condition, clock)];
      page.push(...found.flatMap((some) => [...some]));
      if (page.length >= search.limit) return page.slice(0, search.limit);
      if (found.every(({ length }) => length === 0)) break;
    }
    return undefined;
  }

  #inOneState<T>(query: (state: number, clock: Clock) => T): T {
    return this.#statements.readTogether(() => {
      const state = this.#statements.dataVersion();
      if (!this.#isCurrent()) throw new DomainError('unavailable', 'Another release is at work on the file.');
      return query(state, new Clock());
    });
  }
}
