/** Pages by search threads, at most two of a process. */
import { availableParallelism } from 'node:os';
import type { KindName } from '../../../../domain/base/errors.ts';
import { DomainError } from '../../../../domain/base/errors.ts';
import type { PageQuery } from '../../../../domain/store.ts';
import { SearchClient, type SearchThreadData } from './client.ts';
import type { RowPage } from './read-page.ts';
import type { KnownOwners } from './searcher.ts';

const threadCount = Math.min(2, Math.max(1, availableParallelism() - 1));

export class Searches {
  readonly #threads: readonly SearchClient[];
  readonly #onStorageFault: (reason: string) => void;
  /** The number of each list that is read in batches, by which its thread keeps the set. */
  readonly #lists = new WeakMap<object, { readonly number: number; readonly thread: SearchClient }>();
  #lastList = 0;

  constructor(data: SearchThreadData, onStorageFault: (reason: string) => void) {
    this.#threads = Array.from({ length: threadCount }, () => new SearchClient(data));
    this.#onStorageFault = onStorageFault;
  }

  /** @throws DomainError `query-too-costly`, `unavailable` */
  async page(
    kind: KindName,
    { hasLeft, client, list, ...query }: PageQuery,
    owners: KnownOwners,
  ): Promise<RowPage> {
    const { number, thread = this.#leastBusy() } = this.#numberOf(list);
    const search = { ...query, owners, list: number };
    const answer = await thread.ask({ kind, search }, { hasLeft, client });
    if ('page' in answer) return answer.page;
    if ('refused' in answer) throw new DomainError(answer.refused, answer.message);
    const cause = new Error(answer.failed);
    if (answer.isStorageFault) this.#onStorageFault(answer.failed);
    if (!answer.isSqlite) throw new Error('The search failed by a fault of the store.', { cause });
    throw new DomainError('unavailable', 'The store could not be read.', { cause });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #numberOf(list: object | undefined): { readonly number?: number; readonly thread?: SearchClient } {
    if (list === undefined) return {};
    const known = this.#lists.get(list);
    if (known !== undefined) return known;
    this.#lastList += 1;
    const begun = { number: this.#lastList, thread: this.#leastBusy() };
    this.#lists.set(list, begun);
    return begun;
  }

  #leastBusy(): SearchClient {
    return this.#threads.reduce((one, other) => (other.load < one.load ? other : one));
  }
}
