/** Lists and counts by search threads, at most two of a process. */
import { availableParallelism } from 'node:os';
import type { KindName } from '../../../../domain/base/errors.ts';
import { DomainError } from '../../../../domain/base/errors.ts';
import type { Conditions, Count, Query } from '../../../../domain/ports.ts';
import { SearchClient } from './client.ts';
import type { Answer, Question } from './messages.ts';
import type { KnownOwners } from './searcher.ts';

const threadCount = Math.min(2, Math.max(1, availableParallelism() - 1));

export class Searches {
  readonly #threads: readonly SearchClient[];
  readonly #onStorageFault: (reason: string) => void;
  /** The number of each list that is read in batches, by which its thread keeps the set. */
  readonly #lists = new WeakMap<object, { readonly number: number; readonly thread: SearchClient }>();
  #lastList = 0;

  constructor(file: string, onStorageFault: (reason: string) => void) {
    this.#threads = Array.from({ length: threadCount }, () => new SearchClient(file));
    this.#onStorageFault = onStorageFault;
  }

  /** @returns the documents as `RowType.read` takes them @throws DomainError `query-too-costly`, `unavailable` */
  async list(
    of: KindName,
    { hasLeft, client, view: _, list, ...query }: Query,
    owners: KnownOwners,
  ): Promise<readonly string[]> {
    const { number, thread } = this.#numberOf(list);
    const question: Question = { of, kind: 'list', search: { ...query, owners, list: number } };
    const answer = await this.#ask(question, { hasLeft, client }, thread);
    return answer.kind === 'documents' ? answer.documents : [];
  }

  /** @throws DomainError as `list` */
  async count(of: KindName, { where, most, hasLeft, client }: Count, owners: KnownOwners): Promise<number> {
    const answer = await this.#ask({ of, kind: 'count', where, most, owners }, { hasLeft, client });
    return answer.kind === 'count' ? answer.count : 0;
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

  async #ask(
    question: Question,
    asker: Pick<Conditions, 'client' | 'hasLeft'>,
    thread = this.#leastBusy(),
  ): Promise<Extract<Answer, { kind: 'documents' | 'count' }>> {
    const answer = await thread.ask(question, asker);
    if (answer.kind === 'refused') throw new DomainError(answer.code, answer.message);
    if (answer.kind !== 'failed') return answer;
    const cause = new Error(answer.reason);
    if (answer.isStorageFault) this.#onStorageFault(answer.reason);
    if (!answer.isSqlite) throw new Error('The search failed by a fault of the store.', { cause });
    throw new DomainError('unavailable', 'The store could not be read.', { cause });
  }
}
