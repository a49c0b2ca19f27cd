/**
 * Erasures: the work between the commit of an erasure and its answer, until neither the file nor its WAL contains the erased values.
 *
 * Tables overwrite removed rows by themselves (file/connection.ts). The full-text index keeps removed words until all of it is merged. Then the WAL
 * is copied and cut, and finally the remains in the file are cleared (file/gaps.ts). Erasures that arrive meanwhile share the next round. After a
 * kill the next start completes the round. `changes/log-writer.ts` removes the values from the change log.
 */
import type { WriteAnswer } from './writer-messages.ts';

/** In ms: how long an attempt to cut the WAL keeps writers out while others read an earlier state of the file. */
export const attemptTimeout = 100;

/**
 * The number of failed steps, a second apart, after which the outcome of a round is reported as unknown. A backup of a large file may read for
 * longer.
 */
const maxFailures = 10;

const reason =
  'values of an erased user are still in the file or its log, because a process has been reading one state of it for too long, or the disk is full; they are removed as soon as that ends';

/** @returns whether there is more to do; undefined when it failed and may be tried again */
type Step = (isFirst: boolean) => boolean | undefined;

/** The steps of a round, in their order. */
export interface ErasureSteps {
  /** Merges the full-text indexes. */
  readonly merge: Step;
  readonly cutWal: Step;
  /** Searches the file for remains. */
  readonly look: Step;
  /** Clears what was found, and notes in the file that the round is over. */
  readonly clear: Step;
  /** @param why the values were not removed in time: the removal continues without an answer */
  readonly answer: (answers: readonly WriteAnswer[], why?: string) => void;
}

export class Erasures {
  readonly #answer: ErasureSteps['answer'];
  readonly #steps: readonly Step[];
  readonly #next: WriteAnswer[] = [];
  #round: WriteAnswer[] = [];
  /** The steps that are left in the round. */
  #left: readonly Step[];
  #isFirst = true;
  #failures = 0;

  /** @param isPending whether the file has erasures of which something may be left */
  constructor({ merge, cutWal, look, clear, answer }: ErasureSteps, isPending: boolean) {
    this.#answer = answer;
    this.#steps = [merge, cutWal, look, clear];
    this.#left = isPending ? this.#steps : [];
  }

  get isPending(): boolean {
    return this.#left.length > 0 || this.#next.length > 0;
  }

  /** @param answers of erasures that are committed */
  add(answers: readonly WriteAnswer[]): void {
    this.#next.push(...answers);
  }

  /** @returns false when the step failed and may succeed later @throws SqliteError when the storage fails */
  step(): boolean {
    if (this.#left.length === 0) {
      this.#round = this.#next.splice(0);
      this.#left = this.#steps;
      this.#failures = 0;
    }
    const hasMore = this.#left[0]?.(this.#isFirst);
    if (hasMore === undefined) this.#fail();
    else this.#isFirst = !hasMore;
    if (hasMore === false) this.#left = this.#left.slice(1);
    if (this.#left.length === 0) this.#answer(this.#round.splice(0));
    return hasMore !== undefined;
  }

  /** For the end of the writer: as many steps as succeed. The next start does the rest. */
  finish(): void {
    let isDone = true;
    while (isDone && this.isPending) isDone = this.step();
    this.#giveUp([...this.#round.splice(0), ...this.#next.splice(0)]);
  }

  #fail(): void {
    this.#failures += 1;
    if (this.#failures >= maxFailures) this.#giveUp(this.#round.splice(0));
  }

  #giveUp(answers: readonly WriteAnswer[]): void {
    if (answers.length === 0) return;
    this.#answer(
      answers.map(({ number }) => ({ number, result: 'outcome-unknown' })),
      reason,
    );
  }
}
