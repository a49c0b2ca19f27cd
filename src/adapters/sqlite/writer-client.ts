/** The main thread's end of the writer: hands writes over, keeps account of those not yet answered. */
import type { Worker } from 'node:worker_threads';
import { DomainError, taken } from '../../domain/errors.ts';
import { staleCode } from './file-watch.ts';
import {
  type Answer,
  maxBatch,
  type Numbered,
  type Report,
  type Request,
  type Write,
  type WriteResult,
} from './protocol.ts';

interface Outstanding {
  readonly resolve: (done: boolean) => void;
  readonly reject: (cause: Error) => void;
}

export interface WriterClientOptions {
  /** Called once, when the writer has died or no longer knows what the file holds. */
  readonly onFatal: (cause: unknown) => void;
  /** Told what an operator should know and the writer lives through. */
  readonly onProblem: (message: string) => void;
  /** More writes than this without an answer are refused at once. */
  readonly maxQueued: number;
}

export class WriterClient {
  readonly #worker: Worker;
  readonly #options: WriterClientOptions;
  readonly #outstanding = new Map<number, Outstanding>();
  readonly #exited: Promise<void>;
  readonly #started: Promise<void>;
  #onStarted: (failure?: Error) => void = () => {};
  #state: 'starting' | 'open' | 'closing' | 'dead' = 'starting';
  /** Why it did not close in order. */
  #failedClosing: unknown;
  #count = 0;
  /** Not yet handed over. */
  readonly #waiting: Numbered[] = [];

  constructor(worker: Worker, options: WriterClientOptions) {
    this.#worker = worker;
    this.#options = options;
    this.#started = new Promise((resolve, reject) => {
      this.#onStarted = (failure) => (failure ? reject(failure) : resolve());
    });
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('message', (report: Report) => this.#onReport(report));
    worker.on('messageerror', (cause) => this.#die(cause, 'outcome-unknown'));
    worker.on('error', (cause) => this.#die(cause, 'outcome-unknown'));
    worker.on('exit', (code) => this.#onExit(code));
  }

  /** @throws Error saying why the writer can't work with the file; its thread has then ended */
  async started(): Promise<void> {
    try {
      await this.#started;
    } catch (cause) {
      await this.#exited;
      throw cause;
    }
  }

  /**
   * Returns false when the user has another version or is gone.
   * @throws DomainError as the port says
   */
  async send(write: Write): Promise<boolean> {
    if (this.#state !== 'open') throw new DomainError('unavailable', 'The store takes no more writes.');
    if (this.#outstanding.size >= this.#options.maxQueued) {
      throw new DomainError('unavailable', 'Too many writes are waiting.');
    }
    return new Promise((resolve, reject) => {
      this.#count += 1;
      this.#outstanding.set(this.#count, { resolve, reject });
      // With the others of this turn: a message for each would cost the event loop as much as the write's own work.
      if (this.#waiting.length === 0) setImmediate(() => this.#handOver());
      this.#waiting.push({ number: this.#count, write });
    });
  }

  #handOver(): void {
    const writes = this.#waiting.splice(0);
    for (let from = 0; from < writes.length; from += maxBatch)
      this.#post({ kind: 'writes', writes: writes.slice(from, from + maxBatch) });
  }

  /** @throws DomainError `unavailable` when writes would be refused whatever they are */
  assertAlive(): void {
    if (this.#state !== 'open') throw new DomainError('unavailable', 'The writer has ended.');
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  /** Ends the thread on the spot: others have found that the storage is not what it should be. */
  fail(cause: unknown): void {
    this.#die(cause, 'outcome-unknown');
  }

  /**
   * Lets what was sent finish, and returns when the thread has ended.
   * @throws Error when the storage failed only now
   */
  async close(): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closing';
      this.#handOver();
      this.#post({ kind: 'close' });
    }
    await this.#exited;
    if (this.#failedClosing !== undefined) throw this.#failedClosing;
  }

  #post(request: Request): void {
    this.#worker.postMessage(request);
  }

  #onReport(report: Report): void {
    if (report.kind === 'ready') {
      this.#state = 'open';
      this.#onStarted();
    } else if (report.kind === 'refused') {
      this.#state = 'dead';
      this.#onStarted(new Error(report.reason));
    } else if (report.kind === 'problem') {
      this.#options.onProblem(report.message);
    } else if (report.kind === 'failed') {
      // What it has not answered it has not begun.
      this.#die(causeOf(report.reason, report.stale), 'unavailable');
    } else {
      const cause = report.reason === undefined ? undefined : causeOf(report.reason, report.stale);
      for (const answer of report.answers) this.#settle(answer, cause);
      // What the writer hadn't begun it won't begin any more.
      if (report.fatal) this.#die(cause, 'unavailable');
    }
  }

  #onExit(code: number): void {
    const isExpected = this.#state === 'closing' && this.#outstanding.size === 0;
    if (isExpected) this.#state = 'dead';
    else this.#die(new Error(`the writer ended with code ${code}`), 'outcome-unknown');
  }

  #die(cause: unknown, result: WriteResult): void {
    if (this.#state === 'dead') return;
    const before = this.#state;
    this.#state = 'dead';
    for (const number of [...this.#outstanding.keys()]) this.#settle({ number, result }, cause);
    // Ended already, mostly; if not, `close` would wait for it for ever.
    void this.#worker.terminate();
    if (before === 'starting') this.#onStarted(cause instanceof Error ? cause : new Error('the writer died'));
    else if (before === 'closing') this.#failedClosing = cause;
    else this.#options.onFatal(cause);
  }

  #settle({ number, result }: Answer, cause: unknown): void {
    const outstanding = this.#outstanding.get(number);
    this.#outstanding.delete(number);
    if (result === 'done' || result === 'stale') outstanding?.resolve(result === 'done');
    else outstanding?.reject(failure(result, cause));
  }
}

const causeOf = (reason: string, stale = false): Error =>
  Object.assign(new Error(reason), stale ? { code: staleCode } : {});

function failure(result: Exclude<WriteResult, 'done' | 'stale'>, cause: unknown): Error {
  switch (result) {
    case 'id-taken':
      return taken('id');
    case 'user-name-taken':
      return taken('userName');
    case 'unavailable':
      return new DomainError(result, 'The write was not done.', { cause });
    case 'outcome-unknown':
      return new DomainError(result, 'The write was begun and its end is not known.', { cause });
    case 'fault':
      return new Error('The write failed by a fault of the store.', { cause });
  }
}
