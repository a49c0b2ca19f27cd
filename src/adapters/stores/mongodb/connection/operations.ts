/** Runs reads and writes while the store is ready, maps their errors to the port's, and counts operations in progress. */
import type { KindName } from '../../../../domain/base/errors.ts';
import { SentId, toReadError, toTransactionError, toWriteError } from './driver-errors.ts';
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

  /** A read of anything but users. */
  async look<T>(look: () => Promise<T>): Promise<T> {
    return this.#run(look, toReadError);
  }

  /** @param id is passed on as one that counts how often it is sent: the document's, or any value that a batch sends @param name the kind */
  async write<T>(id: string, write: (id: SentId) => Promise<T>, name: KindName = 'user'): Promise<T> {
    const sentId = new SentId(id);
    return this.#run(
      () => write(sentId),
      (cause) => toWriteError(cause, sentId.attempts, name),
    );
  }

  /** @param transact runs a transaction to its end */
  async transact<T>(transact: () => Promise<T>, name: KindName): Promise<T> {
    return this.#run(transact, (cause) => toTransactionError(cause, name));
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
