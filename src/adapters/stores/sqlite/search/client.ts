/** Sends queries to a search thread, one at a time, and replaces a thread that has died. */
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../../domain/base/errors.ts';
import type { Conditions } from '../../../../domain/ports.ts';
import { Slots } from '../../../scheduler/slots.ts';
import type { Answer, Question, Request, SearchThreadData } from './messages.ts';

/** Most objects of a query soon become garbage, and large arrays are stored elsewhere. */
const smallHeap = { maxYoungGenerationSizeMb: 4 };

interface Asking {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (cause: Error) => void;
}

const unavailable = (message: string, cause?: unknown): DomainError =>
  new DomainError('unavailable', message, cause === undefined ? {} : { cause });

export class SearchClient {
  readonly #data: SearchThreadData;
  /** One query at a time; the clients that wait take turns. */
  readonly #slots = new Slots(1);
  #worker: Worker | undefined;
  /** The caller of the running query. */
  #asking: Asking | undefined;
  #load = 0;
  #closing: Promise<void> | undefined;

  constructor(file: string) {
    this.#data = { file };
  }

  /** The number of pending queries. */
  get load(): number {
    return this.#load;
  }

  /** @param hasLeft asked before the query begins @throws DomainError `unavailable` */
  async ask(
    question: Question,
    { client = '', hasLeft }: Pick<Conditions, 'client' | 'hasLeft'>,
  ): Promise<Answer> {
    this.#load += 1;
    try {
      return await this.#slots.run(client, () => this.#answer(question, hasLeft));
    } finally {
      this.#load -= 1;
    }
  }

  async #answer(question: Question, hasLeft: Conditions['hasLeft']): Promise<Answer> {
    if (this.#closing) throw unavailable('The store is closed.');
    if (hasLeft?.()) throw unavailable('The client has left.');
    this.#worker ??= this.#start();
    this.#worker.postMessage(question satisfies Request);
    return new Promise((resolve, reject) => {
      this.#asking = { resolve, reject };
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./search-thread.js', import.meta.url), {
      workerData: this.#data,
      resourceLimits: smallHeap,
    });
    worker.on('message', (answer: Answer) => this.#asking?.resolve(answer));
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

  /** Finishes the running query; waiting ones are `unavailable`. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'close' } satisfies Request);
    await exited;
  }
}
