import { DomainError } from '../../../../domain/base/errors.ts';
import { maxQueryTime } from './limits.ts';

/** Bounds the time of one query: a statement can't be interrupted, so the clock is checked between statements. */
export class Clock {
  readonly #end = performance.now() + maxQueryTime;

  /** @throws DomainError `query-too-costly` */
  check(): void {
    if (performance.now() <= this.#end) return;
    throw new DomainError(
      'query-too-costly',
      'Too many users would have to be looked at. Ask for a longer word, one more word or one more filter; of a list, also in another order.',
    );
  }
}
