/** A decorator that reports every operation of a store to an observer. */

import type { ChangeLog } from '../../domain/changes/log.ts';
import type { Outcome as EndOfWrite, Store, Write } from '../../domain/store.ts';
import { DomainError } from '../../domain/validation/errors.ts';
import type { Readable } from '../stores/port/store-module.ts';

/**
 * The outcome of an operation: `ok`; `stale` for a write whose version is no longer stored; the code of a DomainError; `fault` for any other error.
 */
export type Outcome = string;

export interface OperationObserver {
  /**
   * @param operation a read of the port; `create`, `replace`, `remove` or `members` for a commit of one write; `batch` for more
   * @param collection of the kind, such as `users`; undefined for an operation without a kind
   * @returns called when it has ended, with an outcome for each write of a commit
   */
  begin(
    operation: string,
    collection: string | undefined,
  ): ((outcomes: readonly Outcome[]) => void) | undefined;
  /** Called after each page of the change log that a follower has read. @param age of its newest entry, in ms */
  follow?(age: number): void;
}

type Observe = <R>(operation: string, kind: string | undefined, run: () => Promise<R>) => Promise<R>;

/** Without `latest`, which is called forty times a second while requests wait for changes. */
function observeLog(log: ChangeLog, observe: Observe, { follow }: OperationObserver): ChangeLog {
  return {
    async read(after, limit) {
      const page = await observe('read', 'change', () => log.read(after, limit));
      const newest = page.entries.at(-1);
      if (newest !== undefined) follow?.(Date.now() - newest.at);
      return page;
    },
    history: (...asked) => observe('history', 'change', () => log.history(...asked)),
    latest: () => log.latest(),
    measure: () => log.measure(),
    erase: (of) => observe('erase', 'change', () => log.erase(of)),
    prune: (retention) => observe('prune', 'change', () => log.prune(retention)),
  };
}

const outcomeOfError = (error: unknown): Outcome => (error instanceof DomainError ? error.code : 'fault');

const outcomeOfWrite = (end: EndOfWrite): Outcome => {
  if (end === 'done') return 'ok';
  return end === 'stale' ? end : end.code;
};

const operationOf = (writes: readonly Write[]): string =>
  writes.length === 1 ? (writes[0]?.op ?? '') : 'batch';

/** The caller gets the store's own promise, without delay. A separate object: with a Proxy, V8 could not inline the store's calls into a use case. */
export function observeStore(store: Store & Partial<Readable>, observer: OperationObserver): typeof store {
  function observe<R>(
    operation: string,
    kind: string | undefined,
    run: () => Promise<R>,
    outcomesOf: (result: R) => readonly Outcome[] = () => ['ok'],
  ): Promise<R> {
    const end = observer.begin(operation, kind && `${kind}s`);
    if (end === undefined) return run();
    const result = run();
    result.then(
      (value) => end(outcomesOf(value)),
      (error: unknown) => end([outcomeOfError(error)]),
    );
    return result;
  }
  return {
    changes: store.changes && observeLog(store.changes, observe, observer),
    find: (kind, id) => observe('find', kind, () => store.find(kind, id)),
    findAll: (kind, ids, client) => observe('findAll', kind, () => store.findAll(kind, ids, client)),
    findAllBy: (kind, filter, keys, limit) =>
      observe('findAllBy', kind, () => store.findAllBy(kind, filter, keys, limit)),
    findMembers: (group, users) => observe('findMembers', undefined, () => store.findMembers(group, users)),
    related: (kind, ids, limit, client) =>
      observe('related', kind, () => store.related(kind, ids, limit, client)),
    page: (kind, query) => observe('page', kind, () => store.page(kind, query)),
    commit: (writes, by) =>
      observe(
        operationOf(writes),
        writes[0]?.kind,
        () => store.commit(writes, by),
        (ends) => ends.map(outcomeOfWrite),
      ),
    check: () => observe('check', undefined, () => store.check()),
    close: () => store.close(),
    ...(store.readings && { readings: () => store.readings?.() ?? {} }),
  };
}
