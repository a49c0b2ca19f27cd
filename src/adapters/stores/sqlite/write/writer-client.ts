/** Sends writes to the writer's thread; writes of one turn of the event loop together. */
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../../../domain/base/errors.ts';
import type { WriteOutcome } from '../../../../domain/ports.ts';
import { UnansweredWrites } from './unanswered-writes.ts';
import { asOutcome, toOutcome } from './writer-errors.ts';
import { maxBatch, type NumberedWrite, type Write, type WriterData } from './writer-messages.ts';
import { type CommitReport, WriterThread, type WriterThreadOptions } from './writer-thread.ts';

export interface WriterClientOptions extends WriterThreadOptions {
  /** Called after each commit, with how many writes it had. */
  readonly onCommit?: (writes: number) => void;
  /** More writes than this without an answer are refused at once. */
  readonly maxQueued: number;
}

/** In milliseconds. */
const sharedFor = 5_000;

/** For a writer that loads many users: it keeps little beyond a batch. A larger young generation would only collect garbage later. */
const smallHeap = { maxYoungGenerationSizeMb: 4 };

/** @param isSmall for a command that works through all users */
export const startWriter = (workerData: WriterData, isSmall: boolean): Worker =>
  new Worker(new URL('./writer.js', import.meta.url), {
    workerData,
    ...(isSmall ? { resourceLimits: smallHeap } : {}),
  });

export class WriterClient {
  readonly #thread: WriterThread;
  readonly #options: WriterClientOptions;
  readonly #unanswered = new UnansweredWrites();
  #othersWroteAt = Number.NEGATIVE_INFINITY;
  /** Not yet sent. */
  readonly #waiting: NumberedWrite[] = [];

  constructor(worker: Worker, options: WriterClientOptions) {
    this.#options = options;
    this.#thread = new WriterThread(worker, {
      onFatal: options.onFatal,
      onProblem: options.onProblem,
      onProgress: options.onProgress,
      onCommitted: (report, cause) => this.#onCommitted(report, cause),
      onDeath: (result, cause) => this.#unanswered.settleAll(result, cause),
      isAwaited: () => this.#unanswered.size > 0,
    });
  }

  /** @throws Error saying why the writer can't work with the file; its thread has then ended */
  waitUntilStarted(): Promise<void> {
    return this.#thread.waitUntilStarted();
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
    return this.#unanswered.enqueue(write, this.#waiting);
  }

  /** In one transaction. @returns one outcome for each */
  async sendTogether(writes: readonly Write[]): Promise<WriteOutcome[]> {
    const numbered: NumberedWrite[] = [];
    const settled = writes.map((write) => {
      const refusal = this.#refusal();
      return refusal ?? this.#unanswered.enqueue(write, numbered).then(toOutcome, asOutcome);
    });
    if (numbered.length > 0) this.#thread.post({ kind: 'writes', writes: numbered });
    return Promise.all(settled);
  }

  #refusal(): DomainError | undefined {
    if (!this.#thread.isOpen) return new DomainError('unavailable', 'The store takes no more writes.');
    if (this.#unanswered.size < this.#options.maxQueued) return undefined;
    return new DomainError('unavailable', 'Too many writes are waiting.');
  }

  #sendWaiting(): void {
    const writes = this.#waiting.splice(0);
    for (let from = 0; from < writes.length; from += maxBatch)
      this.#thread.post({ kind: 'writes', writes: writes.slice(from, from + maxBatch) });
  }

  #onCommitted({ answers, othersWrote }: CommitReport, cause: Error | undefined): void {
    this.#options.onCommit?.(answers.length);
    if (othersWrote) this.#othersWroteAt = performance.now();
    for (const answer of answers) this.#unanswered.settle(answer, cause);
  }

  /** @throws DomainError `unavailable` when writes would be refused whatever they are */
  assertAlive(): void {
    if (!this.#thread.isOpen) throw new DomainError('unavailable', 'The writer has ended.');
  }

  /** Another process has written to the file within the last seconds. */
  get isShared(): boolean {
    return performance.now() - this.#othersWroteAt < sharedFor;
  }

  get isDead(): boolean {
    return this.#thread.isDead;
  }

  /** Ends the thread at once, after a storage fault that was found outside of it. */
  fail(cause: unknown): void {
    this.#thread.die(cause, 'outcome-unknown');
  }

  /**
   * Lets what was sent finish, and returns when the thread has ended.
   * @throws Error when the storage failed only now
   */
  async close(): Promise<void> {
    if (this.#thread.isOpen) {
      this.#sendWaiting();
      this.#thread.beginClosing();
    }
    await this.#thread.waitUntilExited();
  }
}
