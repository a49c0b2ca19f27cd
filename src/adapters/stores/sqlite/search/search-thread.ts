/**
 * Searches, filters, orders and totals. One idea serves them all: the resources that match are a set, with a bit for each resource's number `n`.
 *
 * A list without conditions, or with one filter in the order of the ids, is part of an index (index-scan.ts). The main thread reads such lists,
 * and single ids. All other queries go to the thread that runs this file, where they delay only other searches.
 *
 * The thread answers a query in one read transaction (statements.ts). It begins after the request, so the query sees each write that was answered
 * before.
 *
 * 1. The first resources along the order are tested one by one. If most of them match, they fill the page, and the query is answered.
 * 2. Otherwise the set is made (sets.ts): from the full-text index for words, from the index of keys for filters. Conditions that must all match
 *    make the intersection of their sets; when few resources are left, these are tested instead. Alternatives make the union; their words are one
 *    full-text query. A total is the number of bits. For a total with a limit, the set is read only up to the limit.
 * 3. The page is found (set-pages.ts) by a scan along the order's index, past resources whose bit is not set. If the scan takes longer than
 *    sorting all resources of the set would, they are sorted.
 *
 * Sets are remembered until the next write (found-sets.ts), sorted ones with their order. A list that is read in several batches keeps its set, and
 * tests each resource again after a write. A query that takes too long is refused (statements.ts).
 *
 * The constants of these files were measured with 1,000,000 users of 700 bytes on two cores, in CPU time: 0.2 µs for each user of a set that is
 * read, 0.35 µs for each entry of an index that is scanned, 5 µs for each user whose row is fetched.
 */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Condition } from '../../../../domain/find/conditions.ts';
import { keepOwner, ownerName } from '../../../../domain/find/owners.ts';
import { type KindsSource, loadKinds, ofKind } from '../../../../domain/kinds.ts';
import type { PageQuery } from '../../../../domain/store.ts';
import { DomainError, type KindName } from '../../../../domain/validation/errors.ts';
import { type Connection, openConnection, readBusyTimeout } from '../file/connection.ts';
import { describeError, isStorageFault, sqliteCode } from '../file/sqlite-errors.ts';
import { makeRulesAssertion } from '../layout/layout.ts';
import { type Tables, tablesOf } from '../layout/tables.ts';
import { IndexScan, orderOf, rangesOf } from './index-scan.ts';
import { noRows, type RowPage, readIndexPage, readPageOf } from './read-page.ts';
import { findPage, type SetQuery } from './set-pages.ts';
import { Sets } from './sets.ts';
import { leavesOf } from './sql.ts';
import { Statements } from './statements.ts';

/** Resources along the order that are tested before a set is made. This takes 0.3 ms; the set of a term that a tenth of a million have takes 20. */
const probed = 300;

/** A query, without the parts that only the main thread knows. */
interface Search extends Omit<PageQuery, 'list' | 'hasLeft' | 'client'> {
  /** The number of a list that is read in batches. */
  readonly list?: number | undefined;
  readonly owners: KnownOwners;
}

/** The owners of the list, by `ownerName`, as the main thread found them. */
export type KnownOwners = ReadonlyMap<string, number | undefined>;

export interface SearchQuestion {
  readonly kind: KindName;
  readonly search: Search;
}

/** Requests are answered one by one, in their order. `close` is the last one. */
export type SearchRequest = SearchQuestion | 'close';

export type SearchAnswer =
  | { readonly page: RowPage }
  /** An error of the domain. */
  | { readonly refused: 'query-too-costly' | 'unavailable'; readonly message: string }
  /** An error of SQLite's, or a fault of the program. */
  | { readonly failed: string; readonly isStorageFault: boolean; readonly isSqlite: boolean };

export interface SearchThreadData {
  readonly file: string;
  readonly kinds: KindsSource;
}

export class Searcher {
  readonly #statements: Statements;
  readonly #sets: Sets;
  readonly #assertCurrent: ReturnType<typeof makeRulesAssertion>;

  constructor(db: Connection, tables: Tables) {
    this.#statements = new Statements(db, tables);
    this.#sets = new Sets(this.#statements);
    this.#assertCurrent = makeRulesAssertion(db, tables.kind);
  }

  /** @throws DomainError `query-too-costly`, `unavailable` */
  page({ list, owners, ...query }: Search): RowPage {
    return this.#statements.readTogether(() => {
      this.#assertCurrent(query);
      const where = this.#resolve(query.where, owners);
      // First, because the set that is counted also finds the page.
      const total = this.#count(query, where);
      if (query.limit === 0) return noRows(total);
      const page =
        readIndexPage(this.#statements, query, where) ??
        readPageOf(this.#statements, query, this.#find(query, where, list));
      return { ...page, total };
    });
  }

  #resolve(where: Condition, owners: KnownOwners): Condition {
    return this.#statements.resolveMemberships(where, (membership, now) =>
      keepOwner(membership, owners.get(ownerName(membership)), now),
    );
  }

  #count({ total }: PageQuery, where: Condition): number | undefined {
    if (total === undefined) return undefined;
    const most = total === 'exact' ? Number.POSITIVE_INFINITY : total.most;
    return this.#sets.count(where, most);
  }

  /** The numbers of the page and one more, in the direction of reading. */
  #find(page: PageQuery, where: Condition, list: number | undefined): readonly number[] {
    const query = { ...orderOf(page), skip: page.skip ?? 0, limit: page.limit + 1 };
    const known = this.#sets.find(where, list);
    if (known === undefined && query.skip === 0) {
      const found = this.#probe(query, where);
      if (found !== undefined) return found;
    }
    const set = known ?? this.#sets.make(where, list);
    const { order } = set;
    const found = findPage(this.#statements, query, set, where);
    if (set.order !== order) this.#sets.remember(where, list, set);
    return found;
  }

  /**
   * The page, if it is among the first resources along the order. A test takes longer the more conditions there are, so a step has up to `probed`
   * conditions, and hardly more resources than the page. After each step it goes on only if resources matched.
   */
  #probe(query: SetQuery, condition: Condition): number[] | undefined {
    const scan = new IndexScan(this.#statements, rangesOf(query, this.#statements.tables));
    const step = Math.min(Math.ceil(probed / leavesOf(condition)), Math.max(query.limit, probed / 3));
    const page: number[] = [];
    for (let looked = 0; looked < probed; looked += step) {
      const found = [...this.#statements.keepMatching(scan.next(step), condition)];
      page.push(...found.flatMap((some) => [...some]));
      if (page.length >= query.limit) return page.slice(0, query.limit);
      if (found.every(({ length }) => length === 0)) break;
    }
    return undefined;
  }
}

/** In KiB. */
const cacheSize = 8 * 1024;

function answer(searcher: Searcher, { search }: SearchQuestion): SearchAnswer {
  try {
    return { page: searcher.page(search) };
  } catch (cause) {
    if (cause instanceof DomainError && (cause.code === 'query-too-costly' || cause.code === 'unavailable'))
      return { refused: cause.code, message: cause.message };
    return {
      failed: describeError(cause),
      isStorageFault: isStorageFault(cause),
      isSqlite: sqliteCode(cause) !== undefined,
    };
  }
}

async function start(port: MessagePort, { file, kinds }: SearchThreadData): Promise<void> {
  const all = tablesOf(await loadKinds(kinds));
  const db = openConnection(file, { readonly: true, busyTimeout: readBusyTimeout, cache: cacheSize });
  const searchers = new Map([...all].map(([name, tables]) => [name, new Searcher(db, tables)]));
  port.on('message', (request: SearchRequest) => {
    if (request !== 'close') return port.postMessage(answer(ofKind(searchers, request.kind), request));
    db.close();
    port.close();
  });
}

if (parentPort) await start(parentPort, workerData);
