/** Runs reads and writes while the store is ready, maps their errors to the port's, and counts operations in progress. */
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { toReadError, toTransactionError, toWriteError } from './driver-errors.ts';
import type { ElectionFence } from './election-fence.ts';
import type { Readiness } from './readiness.ts';

export class Operations {
  readonly #readiness: Readiness;
  /** Undefined when the operator has chosen reads that may be stale. */
  readonly #fence: ElectionFence | undefined;
  #inFlight = 0;
  #onIdle: () => void = () => {};

  constructor(readiness: Readiness, fence: ElectionFence | undefined) {
    this.#readiness = readiness;
    this.#fence = fence;
  }

  async read<T>(read: () => Promise<T>): Promise<T> {
    return this.#run(() => (this.#fence ? this.#fence.read(read) : read()), toReadError);
  }

  /**
   * The driver serializes the comment for each attempt, right before sending. The error of a write doesn't say whether it was sent: when a
   * retry finds no primary, the driver throws only that.
   * @param write sends one command with this comment
   */
  async write<T>(text: string, write: (comment: object) => Promise<T>): Promise<T> {
    let attempts = 0;
    const toBSON = (): string => {
      attempts += 1;
      return text;
    };
    return this.#run(
      () => write({ toBSON }),
      (cause) => toWriteError(cause, attempts),
    );
  }

  /** @param transact runs a transaction to its end */
  async transact<T>(kind: Kind, transact: () => Promise<T>): Promise<T> {
    return this.#run(transact, (cause) => toTransactionError(cause, kind));
  }

  /** Returns when no operation is in progress. */
  async waitUntilIdle(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  async #run<T>(operation: () => Promise<T>, toError: (cause: unknown) => unknown): Promise<T> {
    this.#readiness.assertReady();
    this.#inFlight += 1;
    try {
      return await operation();
    } catch (cause) {
      throw toError(cause);
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) this.#onIdle();
    }
  }
}
