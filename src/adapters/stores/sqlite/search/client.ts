/** Sends queries to the search thread, one at a time, and replaces a dead thread. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PageQuery } from '../../../../domain/store.ts';
import { DomainError, type KindName } from '../../../../domain/validation/errors.ts';
import { Slots } from '../../../scheduler/slots.ts';
import type { RowPage } from './read-page.ts';
import type {
  KnownOwners,
  SearchAnswer,
  SearchQuestion,
  SearchRequest,
  SearchThreadData,
} from './search-thread.ts';

/** Most objects of a query soon become garbage, and large arrays are not on the heap. */
const smallHeap = { maxYoungGenerationSizeMb: 4 };

const unavailable = (message: string, cause?: unknown): DomainError =>
  new DomainError('unavailable', message, cause === undefined ? {} : { cause });

export class SearchClient {
  readonly #data: SearchThreadData;
  readonly #onStorageFault: (reason: string) => void;
  /** Waiting clients take turns. */
  readonly #slots = new Slots(1);
  #worker: Worker | undefined;
  /** The caller of the running query. */
  #asking: Pick<PromiseWithResolvers<SearchAnswer>, 'resolve' | 'reject'> | undefined;
  #isClosed = false;
  /** The number of each list that is read in batches. The thread keeps the list's set under it. */
  readonly #lists = new WeakMap<object, number>();
  #lastList = 0;

  constructor(data: SearchThreadData, onStorageFault: (reason: string) => void) {
    this.#data = data;
    this.#onStorageFault = onStorageFault;
  }

  /** @throws DomainError `query-too-costly`, `unavailable` */
  async page(
    kind: KindName,
    { hasLeft, client = '', list, ...query }: PageQuery,
    owners: KnownOwners,
  ): Promise<RowPage> {
    const search = { ...query, owners, list: this.#numberOf(list) };
    const answer = await this.#slots.run(client, () => this.#ask({ kind, search }, hasLeft));
    if ('page' in answer) return answer.page;
    if ('refused' in answer) throw new DomainError(answer.refused, answer.message);
    const cause = new Error(answer.failed);
    if (answer.isStorageFault) this.#onStorageFault(answer.failed);
    if (!answer.isSqlite) throw new Error('The search failed by a fault of the store.', { cause });
    throw unavailable('The store could not be read.', cause);
  }

  #numberOf(list: object | undefined): number | undefined {
    if (list === undefined) return undefined;
    const number = this.#lists.get(list) ?? ++this.#lastList;
    this.#lists.set(list, number);
    return number;
  }

  async #ask(question: SearchQuestion, hasLeft: PageQuery['hasLeft']): Promise<SearchAnswer> {
    if (this.#isClosed) throw unavailable('The store is closed.');
    if (hasLeft?.()) throw unavailable('The client has left.');
    this.#worker ??= this.#start();
    this.#worker.postMessage(question satisfies SearchRequest);
    return new Promise((resolve, reject) => {
      this.#asking = { resolve, reject };
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL(`./search-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: this.#data,
      resourceLimits: smallHeap,
    });
    worker.on('message', (answer: SearchAnswer) => this.#asking?.resolve(answer));
    // `exit` follows.
    worker.on('error', (cause) => this.#onDeath(worker, cause));
    worker.on('exit', () => this.#onDeath(worker, undefined));
    return worker;
  }

  #onDeath(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#asking?.reject(unavailable('The search has ended.', cause));
  }

  /** Lets the running query finish. Waiting ones are `unavailable`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage('close' satisfies SearchRequest);
    await exited;
  }
}
