/** The main thread's end of the writer: sends writes, and settles their promises when the answers come. */
import type { Worker } from 'node:worker_threads';
import { DomainError, memberTaken } from '../../../domain/errors.ts';
import type { WriteOutcome } from '../../../domain/ports.ts';
import { staleCode } from './file-watch.ts';
import {
  type Answer,
  maxBatch,
  type NumberedWrite,
  type Report,
  type Request,
  type Write,
  type WriteResult,
} from './writer-messages.ts';

interface Outstanding {
  readonly resolve: (done: boolean) => void;
  readonly reject: (cause: Error) => void;
}

export interface WriterClientOptions {
  /** Called once, when the writer has died or no longer knows what the file holds. */
  readonly onFatal: (cause: unknown) => void;
  /** Called with a line for the log, about trouble that the writer survives. */
  readonly onProblem: (message: string) => void;
  /** Called with a line for the log, about what is in order and takes its time. */
  readonly onNotice: (message: string) => void;
  /** Called after each commit, with how many writes it had. */
  readonly onCommit?: (writes: number) => void;
  /** More writes than this without an answer are refused at once. */
  readonly maxQueued: number;
}

/** In milliseconds. */
const sharedFor = 5_000;

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
  #othersWroteAt = Number.NEGATIVE_INFINITY;
  /** Not yet sent. */
  readonly #waiting: NumberedWrite[] = [];

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
  async waitUntilStarted(): Promise<void> {
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
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
    // Together with the other writes of this turn of the event loop: a message costs as much as the rest of a write.
    if (this.#waiting.length === 0) setImmediate(() => this.#sendWaiting());
    return this.#enqueue(write, this.#waiting);
  }

  #refusal(): DomainError | undefined {
    if (this.#state !== 'open') return new DomainError('unavailable', 'The store takes no more writes.');
    if (this.#outstanding.size < this.#options.maxQueued) return undefined;
    return new DomainError('unavailable', 'Too many writes are waiting.');
  }

  #enqueue(write: Write, queue: NumberedWrite[]): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#count += 1;
      this.#outstanding.set(this.#count, { resolve, reject });
      queue.push({ number: this.#count, write });
    });
  }

  /** In one transaction. @returns one outcome for each */
  async sendTogether(writes: readonly Write[]): Promise<WriteOutcome[]> {
    const numbered: NumberedWrite[] = [];
    const settled = writes.map((write) => {
      const refusal = this.#refusal();
      return refusal ?? this.#enqueue(write, numbered).then(toOutcome, asOutcome);
    });
    if (numbered.length > 0) this.#post({ kind: 'writes', writes: numbered });
    return Promise.all(settled);
  }

  #sendWaiting(): void {
    const writes = this.#waiting.splice(0);
    for (let from = 0; from < writes.length; from += maxBatch)
      this.#post({ kind: 'writes', writes: writes.slice(from, from + maxBatch) });
  }

  /** @throws DomainError `unavailable` when writes would be refused whatever they are */
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

  /** Ends the thread at once, after a storage fault that was found outside of it. */
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
      this.#sendWaiting();
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
    } else if (report.kind === 'notice') {
      this.#options.onNotice(report.message);
    } else if (report.kind === 'failed') {
      // Writes without an answer have not been begun.
      this.#die(causeOf(report.reason, report.stale), 'unavailable');
    } else {
      this.#options.onCommit?.(report.answers.length);
      const cause = report.reason === undefined ? undefined : causeOf(report.reason, report.stale);
      if (report.othersWrote) this.#othersWroteAt = performance.now();
      for (const answer of report.answers) this.#settle(answer, cause);
      // Writes that are still waiting won't be begun any more.
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
    // It has mostly ended already; if not, `close` would wait for ever.
    void this.#worker.terminate();
    if (before === 'starting') this.#onStarted(cause instanceof Error ? cause : new Error('the writer died'));
    else if (before === 'closing') this.#failedClosing = cause;
    else this.#options.onFatal(cause);
  }

  #settle({ number, result }: Answer, cause: unknown): void {
    const outstanding = this.#outstanding.get(number);
    this.#outstanding.delete(number);
    if (result === 'done' || result === 'stale') outstanding?.resolve(result === 'done');
    else outstanding?.reject(toError(result, cause));
  }
}

const toOutcome = (done: boolean): WriteOutcome => (done ? 'done' : 'stale');

function asOutcome(cause: unknown): WriteOutcome {
  if (cause instanceof DomainError) return cause;
  throw cause;
}

const causeOf = (reason: string, stale = false): Error =>
  Object.assign(new Error(reason), stale ? { code: staleCode } : {});

function toError(result: Exclude<WriteResult, 'done' | 'stale'>, cause: unknown): Error {
  switch (result) {
    case 'id-taken':
      return memberTaken('id');
    case 'user-name-taken':
      return memberTaken('userName');
    case 'unavailable':
      return new DomainError(result, 'The write was not done.', { cause });
    case 'outcome-unknown':
      return new DomainError(result, 'The write was begun and its end is not known.', { cause });
    case 'fault':
      return new Error('The write failed by a fault of the store.', { cause });
  }
}
