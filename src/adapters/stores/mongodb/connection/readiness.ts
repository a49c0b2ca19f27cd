import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../../../../domain/validation/errors.ts';

/** Between two attempts, in milliseconds. Short, because each attempt itself waits for a server that is away. */
const pauseBetween = 250;

/** Called with the reason why the store is not ready. */
type OnDelay = (cause: unknown) => void;

interface ReadinessOptions {
  /** Called again and again until it succeeds. Calls `onDelay` if it takes long. */
  readonly prepare: (onDelay: OnDelay, wasReady: boolean) => Promise<void>;
  readonly onDelay: OnDelay;
  /** Called when readiness is revoked. */
  readonly onLost: OnDelay;
}

/** Prepares the database in the background, as long as it takes, so that the service starts while the server is away. */
export class Readiness {
  readonly #options: ReadinessOptions;
  readonly #stopping = new AbortController();
  #isReady = false;
  #wasReady = false;
  #preparing: Promise<void> = Promise.resolve();

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Returns when the store is ready, or at the first delay; rejects with an error that `onDelay` throws. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#preparing = this.#prepareUntilReady(resolve).then(resolve, reject);
    });
  }

  /** Makes the store unavailable until it has been prepared again. */
  revoke(cause: Error): void {
    if (!this.#isReady) return;
    this.#isReady = false;
    this.#options.onLost(cause);
    this.#preparing = this.#prepareUntilReady();
  }

  /** @throws DomainError `unavailable` */
  assertReady(): void {
    if (this.#isReady) return;
    const reason = this.#stopping.signal.aborted ? 'is closed' : 'is not ready';
    throw new DomainError('unavailable', `The store ${reason}.`);
  }

  /** Ends readiness for good. Returns when the last attempt has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#isReady = false;
    await this.#preparing;
  }

  async #prepareUntilReady(onAnyDelay: () => void = () => {}): Promise<void> {
    const { signal } = this.#stopping;
    const onDelay: OnDelay = (cause) => {
      // After `close` no caller waits for it.
      if (!signal.aborted) this.#options.onDelay(cause);
      onAnyDelay();
    };
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
