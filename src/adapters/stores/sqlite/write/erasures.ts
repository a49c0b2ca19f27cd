/**
 * What an erasure does after its commit, before it is answered: until neither the file nor its WAL holds what was erased. Tables overwrite it
 * by themselves (file/connection.ts). The full-text index keeps removed words until it is merged: it is, as a whole, in steps between which
 * the writer and the file are left to others. Then the WAL is copied, and cut; and at last the file is cleared of what SQLite leaves in it
 * (file/gaps.ts).
 *
 * Erasures that come meanwhile share the next round. What a process that was killed has left is done at the next start.
 */
import type { Answer } from './writer-messages.ts';

/** In ms: how long an attempt to cut the WAL keeps writers out while others read an earlier state of the file. */
export const attemptTimeout = 100;

/** Steps that may fail in a round, a second apart, before it is answered. A backup of a large file may read for longer. */
const maxFailures = 10;

const reason =
  'values of an erased user are still in the file or its log, because a process has been reading one state of it for too long, or the disk is full; they are removed as soon as that ends';

/** A part of what is to be done. @returns whether there is more of the same; undefined when it failed and may be tried again */
type Step = (isFirst: boolean) => boolean | undefined;

export interface ErasureSteps {
  /** Merges the full-text indexes. */
  readonly merge: Step;
  readonly cutWal: Step;
  /** Looks through the file. */
  readonly look: Step;
  /** Clears what was found, and notes in the file that the round is over. */
  readonly clear: Step;
  /** @param why of those that are not purged in time: they go on without an answer */
  readonly answer: (answers: readonly Answer[], why?: string) => void;
}

export class Erasures {
  readonly #answer: ErasureSteps['answer'];
  readonly #steps: readonly Step[];
  readonly #next: Answer[] = [];
  #round: Answer[] = [];
  /** The steps that are left in the round. */
  #left: readonly Step[];
  #isFirst = true;
  #failures = 0;

  /** @param isPending the file has erasures without an answer */
  constructor({ merge, cutWal, look, clear, answer }: ErasureSteps, isPending: boolean) {
    this.#answer = answer;
    this.#steps = [merge, cutWal, look, clear];
    this.#left = isPending ? this.#steps : [];
  }

  get isPending(): boolean {
    return this.#left.length > 0 || this.#next.length > 0;
  }

  /** @param answers of erasures that are committed */
  add(answers: readonly Answer[]): void {
    this.#next.push(...answers);
  }

  /** @returns false when it has failed, and the next one may do better @throws SqliteError when the storage fails */
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

  /** For the end of the writer: as many steps as succeed. What is left is done at the next start. */
  finish(): void {
    let isDone = true;
    while (isDone && this.isPending) isDone = this.step();
    this.#giveUp([...this.#round.splice(0), ...this.#next.splice(0)]);
  }

  #fail(): void {
    this.#failures += 1;
    if (this.#failures >= maxFailures) this.#giveUp(this.#round.splice(0));
  }

  #giveUp(answers: readonly Answer[]): void {
    if (answers.length === 0) return;
    this.#answer(
      answers.map(({ number }) => ({ number, result: 'outcome-unknown' })),
      reason,
    );
  }
}
