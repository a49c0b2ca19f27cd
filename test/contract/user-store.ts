/**
 * The contract of the port of the stores (src/domain/store.ts), in the words of tests (test/support/verbs.ts).
 * broken-stores.rest.test.ts shows that it notices stores that break a promise.
 */
import { expect } from 'chai';
import { type PlainStore, plain } from '../support/plain-store.ts';
import type { UserStore } from '../support/verbs.ts';
import { groupCases } from './group-store.ts';
import { groupConcurrencyCases } from './group-store-concurrency.ts';
import { groupViewCases } from './group-store-views.ts';
import { alternativeCases } from './user-store-alternatives.ts';
import { batchCases } from './user-store-batches.ts';
import { concurrencyCases } from './user-store-concurrency.ts';
import { countCases } from './user-store-counts.ts';
import { filterCases } from './user-store-filters.ts';
import { lifecycleCases } from './user-store-lifecycle.ts';
import { listCases } from './user-store-lists.ts';
import { queryCases } from './user-store-queries.ts';
import { searchCases } from './user-store-search.ts';
import { skipCases } from './user-store-skips.ts';
import { sortCases } from './user-store-sorts.ts';
import { walkCases } from './user-store-walks.ts';
import { writeCases } from './user-store-writes.ts';

interface OpenedStore {
  /** A store without users. */
  readonly store: UserStore;
  /** Another store on the same data, while the first is open or later. Only for stores that persist. */
  readonly reopen?: () => Promise<UserStore>;
  /** Called when all stores on this data are closed. */
  readonly discard?: () => Promise<void>;
  /** Removes all users and groups: the next case gets the same stores, unless this case has closed them. Without it, each case gets new ones. */
  readonly clear?: () => Promise<void>;
}

/** Given to each group of cases: the store of the running case, which is empty at first, and mocha's functions. */
export interface Bench {
  readonly ui: ContractUi;
  readonly store: () => PlainStore;
  /** The variants of a case to try. */
  readonly some: Some;
  /** Another store on the same data; a reopened one if the first is closed. */
  readonly reopen: () => Promise<PlainStore>;
  /** The store itself. */
  readonly asItIs: () => UserStore;
}

type Some = <T>(all: readonly T[]) => readonly T[];

export type ContractUi = Pick<Mocha.MochaGlobals, 'describe' | 'it' | 'beforeEach' | 'afterEach' | 'after'>;

interface ContractOptions {
  /** True if `open` returns a `reopen`. */
  readonly persists?: boolean;
  /** For a store with slow answers. By default, all variants of a case are tried. */
  readonly some?: Some;
  /** The suite gets the cases; mocha's running one by default. */
  readonly ui?: ContractUi;
}

const areOpen = (stores: readonly UserStore[]): Promise<boolean> =>
  Promise.all(stores.map((store) => store.check())).then(
    () => true,
    () => false,
  );

/** @param open makes a store on new data */
export function userStoreContract(
  name: string,
  open: () => Promise<OpenedStore>,
  { persists = false, some = (all) => all, ui = globalThis }: ContractOptions = {},
): void {
  ui.describe(`The ${name} store`, () => {
    let opened: OpenedStore | undefined;
    let others: UserStore[] = [];
    const given = (): OpenedStore => opened ?? expect.fail('no store is open');

    ui.beforeEach(async () => {
      opened ??= await open();
    });
    ui.afterEach(async () => {
      if (opened?.clear && (await areOpen([opened.store, ...others]))) await opened.clear();
      else await discard();
    });
    ui.after(() => discard());

    async function discard(): Promise<void> {
      await Promise.all([opened?.store, ...others].map((store) => store?.close()));
      others = [];
      await opened?.discard?.();
      opened = undefined;
    }
    const reopen = async (): Promise<PlainStore> => {
      const [kept] = others;
      if (kept && (await areOpen([given().store, kept]))) return plain(kept);
      const other = await given().reopen?.();
      if (!other) return expect.fail('this store was said to persist');
      others.push(other);
      return plain(other);
    };
    const bench: Bench = { ui, some, store: () => plain(given().store), reopen, asItIs: () => given().store };
    writeCases(bench);
    batchCases(bench, persists);
    groupCases(bench, persists);
    groupConcurrencyCases(bench, persists);
    groupViewCases(bench);
    listCases(bench);
    filterCases(bench);
    searchCases(bench);
    sortCases(bench);
    skipCases(bench);
    countCases(bench, persists);
    queryCases(bench);
    alternativeCases(bench);
    walkCases(bench, persists);
    concurrencyCases(bench, persists);
    lifecycleCases(bench, persists);
  });
}
