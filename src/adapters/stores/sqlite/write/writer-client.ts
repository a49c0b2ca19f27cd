/** The writer's thread, seen from the main thread: it starts, takes writes, and closes or dies. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Kinds } from '../../../../domain/kinds.ts';
import type { Actor, Outcome, Write } from '../../../../domain/store.ts';
import { DomainError } from '../../../../domain/validation/errors.ts';
import type { StoreHooks } from '../../port/store-module.ts';
import type { LogWrite } from '../changes/log.ts';
import {
  causeOf,
  maxBatch,
  type NumberedWrite,
  printActor,
  toLogOutcome,
  toOutcome,
  type WriteResult,
  type WriterData,
  type WriterReport,
  type WriterRequest,
  type WriterWrite,
  writeMessageOf,
} from './writer-messages.ts';

interface WriterClientOptions extends Pick<Partial<StoreHooks>, 'onProblem' | 'onProgress' | 'onCommit'> {
  /** Called once, when the writer has died or no longer knows what the file holds. */
  readonly onFatal: (cause: unknown) => void;
  /** While this many writes are unanswered, others are refused at once. */
  readonly maxQueued: number;
  readonly kinds: Kinds;
}

/** Answers a waiting caller. */
type Settle = (result: WriteResult, cause: unknown) => void;

/** In ms. */
const sharedFor = 5_000;

/** Objects of a write become garbage at once. V8's own limit is five times as much, which the thread would keep. */
const smallHeap = { maxYoungGenerationSizeMb: 24 };

export const startWriter = (workerData: WriterData): Worker =>
  new Worker(new URL(`./writer${extname(import.meta.url)}`, import.meta.url), {
    workerData,
    resourceLimits: smallHeap,
  });

export class WriterClient {
  readonly #worker: Worker;
  readonly #options: WriterClientOptions;
  readonly #started = Promise.withResolvers<void>();
  readonly #exited: Promise<void>;
  #state: 'starting' | 'open' | 'closing' | 'dead' = 'starting';
  #failedClosing: unknown;
  /** The waiting callers by the number of the write. */
  readonly #unanswered = new Map<number, Settle>();
  #lastNumber = 0;
  #othersWroteAt = Number.NEGATIVE_INFINITY;
  /** The number of writes in the last message. */
  #sentTogether = 0;
  /** Writes that are not sent yet. */
  readonly #waiting: NumberedWrite[] = [];

  constructor(worker: Worker, options: WriterClientOptions) {
    this.#worker = worker;
    this.#options = options;
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('message', (report: WriterReport) => this.#onReport(report));
    worker.on('messageerror', (cause) => this.fail(cause));
    worker.on('error', (cause) => this.fail(cause));
    worker.on('exit', (code) => this.#onExit(code));
  }

  /** @throws Error with the reason why the writer can't work with the file; its thread has then ended */
  async waitUntilStarted(): Promise<void> {
    try {
      await this.#started.promise;
    } catch (cause) {
      await this.#exited;
      throw cause;
    }
  }

  /** Writes of one turn of the event loop share a message, which costs as much as the rest of a write. @returns one outcome for each */
  async send(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    const actor = printActor(by);
    return Promise.all(
      writes.map((write) => {
        const kind = this.#options.kinds.of(write.kind);
        return this.#enqueue(writeMessageOf(write, actor), (result, cause) => toOutcome(result, kind, cause));
      }),
    );
  }

  /** A write to the change log alone. @returns false if it is `stale` @throws DomainError `unavailable`, `outcome-unknown` */
  async sendToLog(write: LogWrite): Promise<boolean> {
    const outcome = await this.#enqueue(write, toLogOutcome);
    if (outcome instanceof DomainError) throw outcome;
    return outcome;
  }

  #enqueue<T>(
    write: WriterWrite,
    read: (result: Exclude<WriteResult, 'fault'>, cause: unknown) => T,
  ): DomainError | Promise<T | DomainError> {
    if (this.#state !== 'open') return new DomainError('unavailable', 'The store takes no more writes.');
    if (this.#unanswered.size >= this.#options.maxQueued)
      return new DomainError('unavailable', 'Too many writes are waiting.');
    if (this.#waiting.length === 0) this.#planSending();
    return new Promise((resolve, reject) => {
      this.#lastNumber += 1;
      const settle: Settle = (result, cause) => {
        if (result !== 'fault') resolve(read(result, cause));
        else reject(new Error('The write failed by a fault of the store.', { cause }));
      };
      this.#unanswered.set(this.#lastNumber, settle);
      this.#waiting.push({ number: this.#lastNumber, write });
    });
  }

  /** A write that is alone isn't delayed: a turn of the event loop would be a tenth of its time. */
  #planSending(): void {
    const plan = this.#sentTogether > 1 || this.#unanswered.size > 0 ? setImmediate : queueMicrotask;
    plan(() => this.#sendWaiting());
  }

  #sendWaiting(): void {
    const writes = this.#waiting.splice(0);
    this.#sentTogether = writes.length;
    for (let from = 0; from < writes.length; from += maxBatch) {
      const some = writes.slice(from, from + maxBatch);
      this.#worker.postMessage({ kind: 'writes', writes: some } satisfies WriterRequest);
    }
  }

  /** @param cause why it failed */
  #settle(number: number, result: WriteResult, cause: unknown): void {
    const settle = this.#unanswered.get(number);
    this.#unanswered.delete(number);
    settle?.(result, cause);
  }

  /** @throws DomainError `unavailable` if the writer accepts no more writes */
  assertAlive(): void {
    if (this.#state !== 'open') throw new DomainError('unavailable', 'The writer has ended.');
  }

  /** Another process has written to the file within the last seconds. */
  get isShared(): boolean {
    return performance.now() - this.#othersWroteAt < sharedFor;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  /** Lets the thread finish what was sent to it, and end. @throws Error when the storage failed during that */
  async close(): Promise<void> {
    if (this.#state === 'open') {
      this.#sendWaiting();
      this.#state = 'closing';
      this.#worker.postMessage({ kind: 'close' } satisfies WriterRequest);
    }
    await this.#exited;
    if (this.#failedClosing !== undefined) throw this.#failedClosing;
  }

  /**
   * Ends the thread at once, and answers in its place: it has died, or another thread has found a storage fault.
   * @param begun the number of the last write that the writer may have begun, and committed without an answer, as erasures are
   */
  fail(cause: unknown, begun = this.#lastNumber - this.#waiting.length): void {
    if (this.#state === 'dead') return;
    const before = this.#state;
    this.#state = 'dead';
    for (const number of [...this.#unanswered.keys()])
      this.#settle(number, number > begun ? 'unavailable' : 'outcome-unknown', cause);
    // The thread has mostly ended already. If not, `close` would wait for ever.
    void this.#worker.terminate();
    if (before === 'starting') this.#started.reject(cause);
    else if (before === 'closing') this.#failedClosing = cause;
    else this.#options.onFatal(cause);
  }

  #onReport(report: WriterReport): void {
    switch (report.kind) {
      case 'ready':
        this.#state = 'open';
        this.#started.resolve();
        break;
      case 'refused':
        this.#state = 'dead';
        this.#started.reject(new Error(report.reason));
        break;
      case 'problem':
        this.#options.onProblem?.(report.message);
        break;
      case 'progress':
        this.#options.onProgress?.(report.message);
        break;
      case 'committed': {
        const cause = report.reason === undefined ? undefined : causeOf(report);
        if (report.answers.length > 0) this.#options.onCommit?.(report.answers.length);
        if (report.othersWrote) this.#othersWroteAt = performance.now();
        for (const { number, result } of report.answers) this.#settle(number, result, cause);
        if (report.fatal) this.fail(cause, report.begun);
      }
    }
  }

  #onExit(code: number): void {
    if (this.#state === 'closing' && this.#unanswered.size === 0) this.#state = 'dead';
    else this.fail(new Error(`the writer ended with code ${code}`));
  }
}
