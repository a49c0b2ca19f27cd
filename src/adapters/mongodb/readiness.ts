import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.ts';

/** Between two attempts, in milliseconds: while a server is away each one waits for it long enough by itself. */
const pauseBetween = 250;

/** Told of what keeps the store from being ready. */
export type OnDelay = (cause: unknown) => void;

export interface ReadinessOptions {
  /** What has to succeed once; called again until it does. Says so when it will take long. */
  readonly prepare: (onDelay: OnDelay, wasReady: boolean) => Promise<void>;
  /** Called with each failure and delay. */
  readonly onDelay: OnDelay;
  /** Called when what was prepared is no longer so. */
  readonly onLost: OnDelay;
}

/** Whether the store may be used yet: away at the start is no reason not to start. */
export class Readiness {
  readonly #options: ReadinessOptions;
  readonly #stopping = new AbortController();
  #isReady = false;
  #wasReady = false;
  #preparing: Promise<void> = Promise.resolve();

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Returns when it is ready, or as soon as it is known not to be at once; rejects with what `onDelay` throws. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const onDelay: OnDelay = (cause) => {
        // Once closed, nobody waits for it any more.
        if (!this.#stopping.signal.aborted) this.#options.onDelay(cause);
        resolve();
      };
      this.#preparing = this.#prepared(onDelay).then(resolve, reject);
    });
  }

  /** What was prepared is no longer so: nothing is ready until it is again. */
  lost(cause: Error): void {
    if (!this.#isReady) return;
    this.#isReady = false;
    const onDelay: OnDelay = (reason) => {
      if (!this.#stopping.signal.aborted) this.#options.onDelay(reason);
    };
    this.#options.onLost(cause);
    this.#preparing = this.#prepared(onDelay);
  }

  /** @throws DomainError `unavailable` */
  assertReady(): void {
    if (this.#isReady) return;
    const reason = this.#stopping.signal.aborted ? 'is closed' : 'is not ready';
    throw new DomainError('unavailable', `The store ${reason}.`);
  }

  /** Nothing is ready from now on, and no attempt begins any more. */
  stop(): void {
    this.#stopping.abort();
    this.#isReady = false;
  }

  /** After `stop`: returns when the last attempt has ended. */
  async stopped(): Promise<void> {
    await this.#preparing;
  }

  async #prepared(onDelay: OnDelay): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#options.prepare(onDelay, this.#wasReady);
        this.#isReady = !signal.aborted;
        this.#wasReady = true;
        return;
      } catch (cause) {
        onDelay(cause);
      }
      await pause(pauseBetween, undefined, { signal }).catch(() => {});
    }
  }
}
