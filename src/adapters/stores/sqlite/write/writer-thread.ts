/** The writer's thread, seen from the main thread: it starts, takes requests, and closes or dies. */
import type { Worker } from 'node:worker_threads';
import { causeOf } from './writer-errors.ts';
import type { Report, Request, WriteResult } from './writer-messages.ts';

export type CommitReport = Extract<Report, { kind: 'committed' }>;

export interface WriterThreadOptions {
  /** Called once, when the writer has died or no longer knows what the file holds. */
  readonly onFatal: (cause: unknown) => void;
  /** Called with a line for the log, about trouble that the writer survives. */
  readonly onProblem: (message: string) => void;
  /** Called with a line for the log, about what is in order and takes its time. */
  readonly onProgress: (message: string) => void;
}

interface Hooks {
  readonly onCommitted: (report: CommitReport, cause: Error | undefined) => void;
  /** Called once it is dead, ahead of everything else that tells of it: no answers come any more. */
  readonly onDeath: (result: WriteResult, cause: unknown) => void;
  /** Writes wait for answers: an exit now would be a fault. */
  readonly isAwaited: () => boolean;
}

export class WriterThread {
  readonly #worker: Worker;
  readonly #options: WriterThreadOptions & Hooks;
  readonly #exited: Promise<void>;
  readonly #started: Promise<void>;
  #onStarted: (failure?: Error) => void = () => {};
  #state: 'starting' | 'open' | 'closing' | 'dead' = 'starting';
  /** Why it did not close in order. */
  #failedClosing: unknown;

  constructor(worker: Worker, options: WriterThreadOptions & Hooks) {
    this.#worker = worker;
    this.#options = options;
    this.#started = new Promise((resolve, reject) => {
      this.#onStarted = (failure) => (failure ? reject(failure) : resolve());
    });
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.on('message', (report: Report) => this.#onReport(report));
    worker.on('messageerror', (cause) => this.die(cause, 'outcome-unknown'));
    worker.on('error', (cause) => this.die(cause, 'outcome-unknown'));
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

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  post(request: Request): void {
    this.#worker.postMessage(request);
  }

  /** It takes no more writes, and ends behind those that it has. To be called while it is open. */
  beginClosing(): void {
    this.#state = 'closing';
    this.post({ kind: 'close' });
  }

  /** @throws Error when it didn't close in order */
  async waitUntilExited(): Promise<void> {
    await this.#exited;
    if (this.#failedClosing !== undefined) throw this.#failedClosing;
  }

  /** Ends it at once. @param result of the writes without an answer */
  die(cause: unknown, result: WriteResult): void {
    if (this.#state === 'dead') return;
    const before = this.#state;
    this.#state = 'dead';
    this.#options.onDeath(result, cause);
    // It has mostly ended already; if not, `waitUntilExited` would wait for ever.
    void this.#worker.terminate();
    if (before === 'starting') this.#onStarted(cause instanceof Error ? cause : new Error('the writer died'));
    else if (before === 'closing') this.#failedClosing = cause;
    else this.#options.onFatal(cause);
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
    } else if (report.kind === 'progress') {
      this.#options.onProgress(report.message);
    } else if (report.kind === 'failed') {
      // Writes without an answer have not been begun.
      this.die(causeOf(report.reason, report.stale), 'unavailable');
    } else {
      const cause = report.reason === undefined ? undefined : causeOf(report.reason, report.stale);
      this.#options.onCommitted(report, cause);
      // Writes that are still waiting won't be begun any more.
      if (report.fatal) this.die(cause, 'unavailable');
    }
  }

  #onExit(code: number): void {
    const isExpected = this.#state === 'closing' && !this.#options.isAwaited();
    if (isExpected) this.#state = 'dead';
    else this.die(new Error(`the writer ended with code ${code}`), 'outcome-unknown');
  }
}
