/** Runs reads and writes while the store is ready, maps their errors to the port's, and counts operations in progress. */
import { toReadError } from './driver-errors.ts';
import type { ElectionFence } from './election-fence.ts';
import type { Readiness } from './readiness.ts';

export class Operations {
  readonly #readiness: Readiness;
  readonly #fence: ElectionFence;
  readonly #mayBeStale: boolean;
  #inFlight = 0;
  #onIdle: () => void = () => {};

  /** @param mayBeStale the operator's choice: reads may be stale */
  constructor(readiness: Readiness, fence: ElectionFence, mayBeStale: boolean) {
    this.#readiness = readiness;
    this.#fence = fence;
    this.#mayBeStale = mayBeStale;
  }

  async read<T>(read: () => Promise<T>): Promise<T> {
    return this.#mayBeStale ? this.#run(read, toReadError) : this.readLatest(read);
  }

  /** @param read from the primary, regardless of the operator's choice */
  async readLatest<T>(read: () => Promise<T>): Promise<T> {
    return this.#run(() => this.#fence.read(read), toReadError);
  }

  /** Like `readLatest`, but never from a deposed primary. It waits for a majority. */
  async readConfirmed<T>(read: () => Promise<T>): Promise<T> {
    return this.#run(() => this.#fence.readConfirmed(read), toReadError);
  }

  /** @param write maps its errors itself */
  async write<T>(write: () => Promise<T>): Promise<T> {
    return this.#run(write, (cause) => cause);
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
