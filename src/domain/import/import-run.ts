import { DomainError } from '../base/errors.ts';
import type { WriteOutcome } from '../ports.ts';
import type { ImportCounts, ImportOptions, ImportRow, ImportTarget } from './import-users.ts';
import { type PlannedRow, type RowPlan, RowPlanner, type WaitingRow } from './plan-rows.ts';

/** Rows that are planned and written together. Two such batches are in memory, and as many rows that wait, besides what the reader holds. */
export const rowsInBatch = 512;

/** Of one row that others are writing, too. */
const maxAttempts = 1000;
/** A store that says so thrice will know of somebody who isn't found. */
const maxConflicts = 3;
/** Of rows that wait, in UTF-16 code units. */
const maxWaitingLength = 1024 * 1024;
/** In milliseconds, between two attempts of the rows that wait, where nothing else is left to do. */
const [firstPause, longestPause] = [1, 250];

/** Of a row that others were quicker than. */
interface Tries {
  attempts: number;
  /** Attempts that met somebody else with the same name or id. */
  conflicts: number;
}

/** One run of an import: what it has counted, and what it is writing. */
export class ImportRun<Row extends ImportRow> {
  readonly #target: ImportTarget;
  readonly #options: ImportOptions<Row>;
  readonly #planner: RowPlanner<Row>;
  readonly #counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  /** The plan that is being written. */
  #inFlight: { readonly plan: RowPlan<Row>; readonly settled: Promise<void> } | undefined;
  /** In their order. Their turn comes again when there are many, and when nothing else is left. */
  #waiting: WaitingRow<Row>[] = [];
  readonly #tries = new Map<Row, Tries>();
  /** Rows to look at together: fewer, while they depend on each other. */
  #window = rowsInBatch;

  constructor(target: ImportTarget, options: ImportOptions<Row>) {
    this.#target = target;
    this.#options = options;
    this.#planner = new RowPlanner(target, options);
  }

  get counts(): ImportCounts {
    return { ...this.#counts };
  }

  get isEnded(): boolean {
    const { maxRejects = Number.POSITIVE_INFINITY } = this.#options;
    return this.#counts.rejected > 0 && this.#counts.rejected >= maxRejects;
  }

  /** Returns while the last of them are still being written: the next ones are planned meanwhile. */
  async take(rows: readonly Row[]): Promise<void> {
    await this.#pass(rows);
    await this.#retryWhile(() => this.#isCrowded);
  }

  /** Writes the rows, or has them wait. */
  async #pass(rows: readonly Row[]): Promise<void> {
    for (let at = 0; at < rows.length && !this.isEnded; ) {
      const window = rows.slice(at, at + this.#window);
      const plan = await this.#planner.plan(window, this.#inFlight?.plan.touched, this.#waiting);
      await this.settle();
      if (plan.length === 0 || this.isEnded) continue;
      const cut = this.#cutAtLastReject(plan);
      if (cut !== plan && this.#waiting.length > 0) {
        // Whether it is the last reject depends on the rows in front of it.
        await this.finish();
        continue;
      }
      at += cut.length;
      const isCut = cut.length < window.length;
      this.#window = Math.min(rowsInBatch, 2 * (isCut ? cut.length : this.#window));
      this.#waiting.push(...cut.waiting);
      this.#begin(cut);
    }
  }

  /** Returns when no row waits any more and nothing is being written. @throws as `pause` and the store do */
  async finish(): Promise<void> {
    await this.settle();
    await this.#retryWhile(() => this.#waiting.length > 0);
  }

  /** Pauses before each attempt, longer as long as others are quicker each time. */
  async #retryWhile(isWanted: () => boolean): Promise<void> {
    for (let pause = firstPause; isWanted() && !this.isEnded; ) {
      const { length } = this.#waiting;
      await this.#options.pause?.(pause);
      await this.#retry();
      pause = this.#waiting.length < length ? firstPause : Math.min(longestPause, 2 * pause);
    }
  }

  /** More rows that wait would take too much memory. */
  get #isCrowded(): boolean {
    const length = this.#waiting.reduce((sum, { row }) => sum + (row.text?.length ?? 0), 0);
    return this.#waiting.length >= rowsInBatch || length >= maxWaitingLength;
  }

  /** In one batch, if they don't depend on each other: a commit for each of them would be as many chances for others to be quicker. */
  async #retry(): Promise<void> {
    await this.settle();
    const rows = this.#waiting.map(({ row }) => row);
    this.#waiting = [];
    await this.#pass(rows);
    await this.settle();
  }

  /** Returns when nothing is being written any more. */
  async settle(): Promise<void> {
    const settled = this.#inFlight?.settled;
    this.#inFlight = undefined;
    await settled;
  }

  /** What comes after the reject that ends the run is left. That one comes by itself: rows in front of it may still have to wait. */
  #cutAtLastReject(plan: RowPlan<Row>): RowPlan<Row> {
    const { maxRejects = Number.POSITIVE_INFINITY } = this.#options;
    let left = maxRejects - this.#counts.rejected;
    const end = plan.rows.findIndex(({ verdict }) => verdict.kind === 'rejected' && --left <= 0);
    if (end < 0) return plan;
    const before = plan.rows.slice(0, end);
    const rows = before.some(({ verdict }) => verdict.kind === 'write')
      ? before
      : plan.rows.slice(0, end + 1);
    return { ...plan, rows, length: rows.length };
  }

  #begin(plan: RowPlan<Row>): void {
    const settled = this.#write(plan.rows);
    // It is awaited later, and must not be taken for one that nobody looks after.
    settled.catch(() => {});
    this.#inFlight = { plan, settled };
  }

  async #write(rows: readonly PlannedRow<Row>[]): Promise<void> {
    const writes = rows.flatMap(({ verdict }) => (verdict.kind === 'write' ? [verdict.write] : []));
    const outcomes = writes.length === 0 ? [] : await this.#target.writeAll(writes);
    const ends: PlannedRow<Row>[] = [];
    let failure: { readonly reason: unknown } | undefined;
    let next = 0;
    for (const planned of rows) {
      const outcome = planned.verdict.kind === 'write' ? outcomes[next++] : 'done';
      try {
        const end = outcome === 'done' ? planned : this.#putAside(planned, outcome);
        if (end === undefined) continue;
        ends.push(end);
        this.#tries.delete(end.row);
      } catch (reason) {
        failure ??= { reason };
      }
    }
    await this.#tell(ends);
    if (failure !== undefined) throw failure.reason;
  }

  /**
   * Somebody else was quicker: the user is read again and the row planned again, until it is written or needn't be. Other rows come first.
   * @returns a reject, when no other attempt would help. @throws what no other attempt mends
   */
  #putAside(
    { row, tokens }: PlannedRow<Row>,
    outcome: WriteOutcome | undefined,
  ): PlannedRow<Row> | undefined {
    if (!isContended(outcome)) throw outcome ?? new Error('The store has left a write out.');
    const tries = this.#tries.get(row) ?? { attempts: 0, conflicts: 0 };
    this.#tries.set(row, tries);
    tries.attempts += 1;
    if (outcome instanceof DomainError) {
      tries.conflicts += 1;
      const { violations } = outcome;
      if (tries.conflicts > maxConflicts) return { row, tokens, verdict: { kind: 'rejected', violations } };
    }
    if (tries.attempts > maxAttempts)
      throw new DomainError('unavailable', 'Too many others are writing this user.');
    this.#waiting.push({ row, tokens });
    return undefined;
  }

  /** All is counted before anybody hears of it: who is told may fail. */
  async #tell(ends: readonly PlannedRow<Row>[]): Promise<void> {
    for (const { verdict } of ends) {
      if (verdict.kind !== 'write') this.#counts[verdict.kind] += 1;
      else this.#counts[verdict.write.version === undefined ? 'created' : 'changed'] += 1;
    }
    try {
      for (const { row, verdict } of ends)
        if (verdict.kind === 'rejected') await this.#options.onReject(row, verdict.violations);
    } finally {
      this.#options.onProgress?.(this.counts, this.#waiting.length);
    }
  }
}

/** False for what no other try mends. */
const isContended = (outcome: WriteOutcome | undefined): boolean =>
  outcome === 'stale' ||
  (outcome instanceof DomainError && (outcome.code === 'id-taken' || outcome.code === 'user-name-taken'));
