/** Numbers the writes that the writer has not answered yet, and settles their promises with the answers. */
import type { KindName } from '../../../../domain/base/errors.ts';
import { toError } from './writer-errors.ts';
import type { Answer, NumberedWrite, Write, WriteResult } from './writer-messages.ts';

interface Unanswered {
  /** The kind that is written; irrelevant for a mark. */
  readonly of: KindName;
  readonly resolve: (done: boolean) => void;
  readonly reject: (cause: Error) => void;
}

export class UnansweredWrites {
  readonly #byNumber = new Map<number, Unanswered>();
  #count = 0;

  get size(): number {
    return this.#byNumber.size;
  }

  /**
   * Resolves with false when the resource has another version or is gone.
   * @param queue gets the write at its end, with its number
   * @throws DomainError as the port of the store says
   */
  enqueue(write: Write, queue: NumberedWrite[]): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#count += 1;
      this.#byNumber.set(this.#count, { of: 'of' in write ? write.of : 'user', resolve, reject });
      queue.push({ number: this.#count, write });
    });
  }

  /** @param cause why it failed, if it did */
  settle({ number, result }: Answer, cause: unknown): void {
    const unanswered = this.#byNumber.get(number);
    this.#byNumber.delete(number);
    if (result === 'done' || result === 'stale') unanswered?.resolve(result === 'done');
    else unanswered?.reject(toError(result, unanswered.of, cause));
  }

  /** All that are left: no answers will come. */
  settleAll(result: WriteResult, cause: unknown): void {
    for (const number of [...this.#byNumber.keys()]) this.settle({ number, result }, cause);
  }
}
