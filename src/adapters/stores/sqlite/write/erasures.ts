/**
 * What an erasure does after its commit, before it is answered: until neither the file nor its WAL holds what was erased. Tables overwrite it
 * by themselves (file/connection.ts). The full-text index keeps removed words until it is merged: it is, as a whole, in steps between which
 * the writer and the file are left to others. Then the WAL is copied, and cut.
 *
 * Erasures that come meanwhile share the next round. What a process that was killed has left is done at the next start.
 */
import type { Answer } from './writer-messages.ts';

/** In ms: how long an attempt to cut the WAL keeps writers out while others read an earlier state of the file. */
const attemptTimeout = 100;

/** Steps that may fail in a round, a second apart, before it is answered. A backup of a large file may read for longer. */
const maxFailures = 10;

const reason =
  'values of an erased user are still in the file or its log, because a process has been reading one state of it for too long, or the disk is full; they are removed as soon as that ends';

export interface ErasureSteps {
  /** Merges a part of the full-text indexes. @returns whether there is more to merge; undefined when it failed and may be tried again */
  readonly merge: (isFirst: boolean) => boolean | undefined;
  /** @returns whether it was done */
  readonly cutWal: (timeout: number) => boolean;
  /** Notes in the file that the round is over. @returns whether it was done */
  readonly settle: () => boolean;
  /** @param why of those that are not purged in time: they go on without an answer */
  readonly answer: (answers: readonly Answer[], why?: string) => void;
}

export class Erasures {
  readonly #steps: ErasureSteps;
  readonly #next: Answer[] = [];
  #round: Answer[] = [];
  #phase: 'none' | 'begun' | 'merging' | 'cutting';
  #failures = 0;

  /** @param isPending the file has erasures without an answer */
  constructor(steps: ErasureSteps, isPending: boolean) {
    this.#steps = steps;
    this.#phase = isPending ? 'begun' : 'none';
  }

  get isPending(): boolean {
    return this.#phase !== 'none' || this.#next.length > 0;
  }

  /** @param answers of erasures that are committed */
  add(answers: readonly Answer[]): void {
    this.#next.push(...answers);
  }

  /** @returns false when it has failed, and the next one may do better @throws SqliteError when the storage fails */
  step(): boolean {
    if (this.#phase === 'none') {
      this.#round = this.#next.splice(0);
      this.#phase = 'begun';
      this.#failures = 0;
    }
    const isDone = this.#phase === 'cutting' ? this.#cut() : this.#merge();
    if (!isDone) this.#fail();
    return isDone;
  }

  /** For the end of the writer: as many steps as succeed. What is left is done at the next start. */
  finish(): void {
    let isDone = true;
    while (isDone && this.isPending) isDone = this.step();
    this.#giveUp([...this.#round.splice(0), ...this.#next.splice(0)]);
  }

  #merge(): boolean {
    const hasMore = this.#steps.merge(this.#phase === 'begun');
    if (hasMore !== undefined) this.#phase = hasMore ? 'merging' : 'cutting';
    return hasMore !== undefined;
  }

  #cut(): boolean {
    if (!this.#steps.cutWal(attemptTimeout) || !this.#steps.settle()) return false;
    this.#phase = 'none';
    this.#steps.answer(this.#round.splice(0));
    return true;
  }

  #fail(): void {
    this.#failures += 1;
    if (this.#failures >= maxFailures) this.#giveUp(this.#round.splice(0));
  }

  #giveUp(answers: readonly Answer[]): void {
    if (answers.length === 0) return;
    this.#steps.answer(
      answers.map(({ number }) => ({ number, result: 'outcome-unknown' })),
      reason,
    );
  }
}
