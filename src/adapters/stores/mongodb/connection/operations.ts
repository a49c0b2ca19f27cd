/** Runs reads and writes while the store is ready, with the port's errors, and knows how many are under way. */
import { SentId, toReadError, toWriteError } from './driver-errors.ts';
import type { ElectionFence } from './election-fence.ts';
import type { Readiness } from './readiness.ts';

export class Operations {
  readonly #readiness: Readiness;
  /** None when the operator has chosen reads that may be old. */
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

  /** A read of anything else than users. */
  async look<T>(look: () => Promise<T>): Promise<T> {
    return this.#run(look, toReadError);
  }

  /** @param id what is sent with it is given back as one that counts: of the user, or anything that goes along with a batch */
  async write<T>(id: string, write: (id: SentId) => Promise<T>): Promise<T> {
    const sentId = new SentId(id);
    return this.#run(
      () => write(sentId),
      (cause) => toWriteError(cause, sentId.attempts),
    );
  }

  /** Returns when none is under way. */
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
