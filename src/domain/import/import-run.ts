/** Plans and writes the rows of one import, batch by batch; `import-resources.ts` lists the steps. */
import type { Outcome, Write } from '../store.ts';
import { DomainError, graverFailure, isCode, type KindName } from '../validation/errors.ts';
import type { PlannedWrite } from './decide-row.ts';
import type { ImportCounts, ImportOptions, ImportRow, ImportTarget } from './import-options.ts';
import { type PlannedRow, type RowPlan, RowPlanner, type WaitingRow } from './plan-rows.ts';
import { RowWriters } from './row-lookup.ts';

/** Rows that are planned and written together. Two such batches are in memory, and as many waiting rows, besides the reader's. */
export const rowsInBatch = 512;
/** Rows of the first batch; the next ones grow. Over a network 512 rows take seconds, without progress to report. */
const firstRows = 16;

/** Attempts of a row whose resource other clients write too. */
const maxAttempts = 1000;
/** After three conflicts the store must have a resource that the lookup doesn't find. */
const maxConflicts = 3;
/** The length of the texts of all waiting rows, in UTF-16 code units. */
const maxWaitingLength = 1024 * 1024;
/** Milliseconds between two attempts of waiting rows, if nothing else is left to do. */
const [firstPause, longestPause] = [1, 250];

/** A row whose resource another client wrote first. */
interface Tries {
  attempts: number;
  /** Attempts that met another resource with the same name or id. */
  conflicts: number;
}

/** One run of an import: its counts and its pending writes. */
export class ImportRun<Row extends ImportRow> {
  readonly #target: ImportTarget;
  readonly #options: ImportOptions<Row>;
  readonly #planner: RowPlanner<Row>;
  readonly #counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  /** The plan that is being written. */
  #inFlight: { readonly plan: RowPlan<Row>; readonly settled: Promise<void> } | undefined;
  /** Waiting rows, in order. They are tried again when there are many, and when no other row is left. */
  #waiting: WaitingRow<Row>[] = [];
  readonly #tries = new Map<Row, Tries>();
  readonly #writers = new RowWriters();
  /** Rows to plan together: fewer at first, and while they depend on each other. */
  #window = firstRows;

  constructor(target: ImportTarget, options: ImportOptions<Row>) {
    this.#target = target;
    this.#options = options;
    this.#planner = new RowPlanner(target, { ...options, findWriter: this.#writers.find });
  }

  get counts(): ImportCounts {
    return { ...this.#counts };
  }

  get isEnded(): boolean {
    return this.#counts.rejected > 0 && this.#rejectsLeft <= 0;
  }

  get #rejectsLeft(): number {
    return (this.#options.maxRejects ?? Number.POSITIVE_INFINITY) - this.#counts.rejected;
  }

  /** Returns while the last rows are still being written, so that the next ones are planned meanwhile. */
  async take(rows: readonly Row[]): Promise<void> {
    await this.#pass(rows);
    await this.#retryWhile(() => this.#isCrowded);
  }

  /** Writes the rows, or puts them aside. */
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

  /** Pauses before each attempt; the pause grows while other clients write first. */
  async #retryWhile(isWanted: () => boolean): Promise<void> {
    for (let pause = firstPause; isWanted() && !this.isEnded; ) {
      const { length } = this.#waiting;
      await this.#options.pause?.(pause);
      await this.#retry();
      pause = this.#waiting.length < length ? firstPause : Math.min(longestPause, 2 * pause);
    }
  }

  /** More waiting rows would take too much memory. */
  get #isCrowded(): boolean {
    const length = this.#waiting.reduce((sum, { row }) => sum + (row.text?.length ?? 0), 0);
    return this.#waiting.length >= rowsInBatch || length >= maxWaitingLength;
  }

  /** Writes waiting rows in one batch if they don't depend on each other: each further commit lets other clients write first. */
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

  /** Drops the rows behind the reject that ends the run. That reject is planned alone, since rows in front of it may still wait. */
  #cutAtLastReject(plan: RowPlan<Row>): RowPlan<Row> {
    let left = this.#rejectsLeft;
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
    // It is awaited later; until then a rejection must not count as unhandled.
    settled.catch(() => {});
    this.#inFlight = { plan, settled };
  }

  async #write(rows: readonly PlannedRow<Row>[]): Promise<void> {
    const { kind, by } = this.#options;
    const writes = rows.flatMap(({ verdict }) =>
      verdict.kind === 'write' ? [toWrite(kind.name, verdict.write)] : [],
    );
    const outcomes = writes.length === 0 ? [] : await this.#target.commit(writes, by);
    const ends: PlannedRow<Row>[] = [];
    let failure: unknown;
    let next = 0;
    for (const planned of rows) {
      const outcome = planned.verdict.kind === 'write' ? outcomes[next++] : 'done';
      try {
        const end = outcome === 'done' ? planned : this.#putAside(planned, outcome);
        if (end === undefined) continue;
        ends.push(end);
        this.#tries.delete(end.row);
      } catch (error) {
        failure = graverFailure(failure, error);
      }
    }
    await this.#tell(ends);
    if (failure !== undefined) throw failure;
  }

  /**
   * Another client wrote the resource first: the row is read and planned again until it is written or has no effect. Other rows come first.
   * @returns a reject when another attempt would not help. @throws errors that another attempt would not avoid
   */
  #putAside({ row, tokens }: PlannedRow<Row>, outcome: Outcome | undefined): PlannedRow<Row> | undefined {
    // Refused by a rule that only the target has.
    if (outcome instanceof DomainError && isCode(outcome, `invalid-${this.#options.kind.name}`))
      return { row, tokens, verdict: { kind: 'rejected', violations: outcome.violations } };
    if (!isContended(outcome)) throw outcome ?? new Error('The store has left a write out.');
    const tries = this.#tries.get(row) ?? { attempts: 0, conflicts: 0 };
    this.#tries.set(row, tries);
    tries.attempts += 1;
    if (outcome instanceof DomainError && ++tries.conflicts > maxConflicts)
      return { row, tokens, verdict: { kind: 'rejected', violations: outcome.violations } };
    if (tries.attempts > maxAttempts)
      throw new DomainError(
        'unavailable',
        `Too many other clients are writing this ${this.#options.kind.name}.`,
      );
    this.#waiting.push({ row, tokens });
    return undefined;
  }

  /** Counts everything before it reports: a report may throw. */
  async #tell(ends: readonly PlannedRow<Row>[]): Promise<void> {
    const { nameRow } = this.#options;
    for (const { row, verdict, tokens } of ends) {
      if (verdict.kind !== 'write') this.#counts[verdict.kind] += 1;
      else this.#counts[verdict.write.before === undefined ? 'created' : 'changed'] += 1;
      if (verdict.kind !== 'rejected' && nameRow !== undefined) this.#writers.add(tokens, nameRow(row));
    }
    try {
      for (const { row, verdict } of ends)
        if (verdict.kind === 'rejected') await this.#options.onReject(row, verdict.violations);
    } finally {
      this.#options.onProgress?.(this.counts, this.#waiting.length);
    }
  }
}

const toWrite = (kind: KindName, { next, before }: PlannedWrite): Write =>
  before === undefined
    ? { kind, id: next.id, op: 'create', next }
    : { kind, id: next.id, op: 'replace', before, next };

/** False for errors that another attempt would not avoid. */
const isContended = (outcome: Outcome | undefined): boolean =>
  outcome === 'stale' || (outcome instanceof DomainError && outcome.code.endsWith('-taken'));
