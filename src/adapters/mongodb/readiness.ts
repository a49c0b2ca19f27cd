import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.ts';

/** Between two attempts, in milliseconds: while a server is away each one waits for it long enough by itself. */
const pauseBetween = 250;

export interface ReadinessOptions {
  /** What has to succeed once; called again until it does. */
  readonly prepare: () => Promise<void>;
  /** Called once, with the first failure. */
  readonly onDelay: (cause: unknown) => void;
}

/** Whether the store may be used yet: away at the start is no reason not to start. */
export class Readiness {
  readonly #options: ReadinessOptions;
  readonly #stopping = new AbortController();
  #isReady = false;
  #preparing: Promise<void> = Promise.resolve();

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Returns after the first attempt, whatever came of it. */
  async start(): Promise<void> {
    if (await this.#attempted((cause) => this.#options.onDelay(cause))) return;
    this.#preparing = this.#goOn();
  }

  /** @throws DomainError `unavailable` */
  assertReady(): void {
    if (this.#stopping.signal.aborted) throw new DomainError('unavailable', 'The store is closed.');
    if (!this.#isReady) throw new DomainError('unavailable', 'The store has not been reached yet.');
  }

  /** Nothing is ready from now on, and no attempt begins any more. */
  stop(): void {
    this.#stopping.abort();
  }

  /** After `stop`: returns when the last attempt has ended. */
  async stopped(): Promise<void> {
    await this.#preparing;
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stopping;
    do {
      await pause(pauseBetween, undefined, { signal }).catch(() => {});
    } while (!signal.aborted && !(await this.#attempted(() => {})));
  }

  async #attempted(onFailure: (cause: unknown) => void): Promise<boolean> {
    try {
      await this.#options.prepare();
      this.#isReady = true;
      return true;
    } catch (cause) {
      onFailure(cause);
      return false;
    }
  }
}
