/** Plans and writes the rows of one import, batch by batch; `import-resources.ts` lists the steps. */
import type { Outcome, Write } from '../store.ts';
import { DomainError, graverFailure, isCode, type KindName } from '../validation/errors.ts';
import { type PlannedWrite, reject } from './decide-row.ts';
import type { ImportCounts, ImportOptions, ImportRow, ImportRules, ImportTarget } from './import-options.ts';
import { type PlannedRow, planRows, type RowPlan } from './plan-rows.ts';
import { RowWriters } from './row-lookup.ts';

/** Rows that are planned and written together. Two such batches are in memory, and as many rows that wait, besides the reader's. */
export const rowsInBatch = 512;
/** Rows of the first batch; the next ones grow. Over a network 512 rows take seconds, without progress to report. */
const firstRows = 16;

/** Attempts of a row whose resource other clients write too. */
const maxAttempts = 1000;
/** After three conflicts the store must have a resource that the lookup doesn't find. */
const maxConflicts = 3;
/** While rows with more text wait, no further ones are taken. In UTF-16 code units. */
const maxWaitingLength = 1024 * 1024;
/** In ms: the pause after a batch of which other clients wrote every resource first. It is doubled each time. */
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
  readonly #rules: ImportRules;
  readonly #counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  /** The plan that is being written. */
  #inFlight: { readonly plan: RowPlan<Row>; readonly settled: Promise<void> } | undefined;
  /** Rows whose resources other clients wrote first, in order: they are planned again in front of all others. */
  #waiting: Row[] = [];
  /** The attempts of rows that were put back, until they end. */
  readonly #tries = new Map<Row, Tries>();
  readonly #writers = new RowWriters();
  /** Rows to plan together: fewer at first, and while they depend on each other. */
  #window = firstRows;
  #pause = 0;

  constructor(target: ImportTarget, options: ImportOptions<Row>) {
    this.#target = target;
    this.#options = options;
    this.#rules = { ...options, findWriter: this.#writers.find };
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
    for (let at = 0; at < rows.length && !this.isEnded; ) at += await this.#begin(rows.slice(at));
  }

  /** Returns when no row waits any more and nothing is being written. @throws as `pause` and the store do */
  async finish(): Promise<void> {
    for (await this.#settle(); this.#waiting.length > 0 && !this.isEnded; await this.#settle())
      await this.#begin([]);
  }

  /** Plans the waiting rows, then as many of `further` as fit, and begins to write them. @returns how many of `further` it took */
  async #begin(further: readonly Row[]): Promise<number> {
    if (this.#pause > 0) await this.#options.pause?.(this.#pause);
    const waiting = this.#waiting;
    this.#waiting = [];
    const length = waiting.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
    const window = [...waiting, ...(length < maxWaitingLength ? further : [])].slice(0, this.#window);
    const plan = await planRows(this.#target, this.#rules, window, this.#inFlight?.plan.touched);
    await this.#settle();
    const rows = this.isEnded ? [] : this.#cutAtLastReject(plan.rows);
    this.#waiting.push(...waiting.slice(rows.length));
    if (rows.length === 0) return 0;
    this.#window = Math.min(rowsInBatch, 2 * (rows.length < window.length ? rows.length : this.#window));
    const settled = this.#write(rows);
    // It is awaited later; until then a rejection must not count as unhandled.
    settled.catch(() => {});
    this.#inFlight = { plan, settled };
    return Math.max(0, rows.length - waiting.length);
  }

  /** Returns when nothing is being written any more. */
  async #settle(): Promise<void> {
    const settled = this.#inFlight?.settled;
    this.#inFlight = undefined;
    await settled;
  }

  /** Drops the rows behind the reject that ends the run. That reject comes alone: it may not be the last if rows in front of it have to wait. */
  #cutAtLastReject(rows: readonly PlannedRow<Row>[]): readonly PlannedRow<Row>[] {
    let left = this.#rejectsLeft;
    const end = rows.findIndex(({ verdict }) => verdict.kind === 'rejected' && --left <= 0);
    if (end < 0) return rows;
    const before = rows.slice(0, end);
    const mayWait = this.#waiting.length > 0 || before.some(({ verdict }) => verdict.kind === 'write');
    return mayWait ? before : rows.slice(0, end + 1);
  }

  async #write(rows: readonly PlannedRow<Row>[]): Promise<void> {
    const { kind, by } = this.#options;
    const writes = rows.flatMap(({ verdict }) =>
      verdict.kind === 'write' ? [toWrite(kind.name, verdict.write)] : [],
    );
    const outcomes = writes.length === 0 ? [] : await this.#target.commit(writes, by);
    const ends: PlannedRow<Row>[] = [];
    const waiting: Row[] = [];
    let failure: unknown;
    let next = 0;
    for (const planned of rows) {
      const outcome = planned.verdict.kind === 'write' ? outcomes[next++] : 'done';
      try {
        const end = outcome === 'done' ? planned : this.#judge(planned, outcome);
        if (end === undefined) waiting.push(planned.row);
        else ends.push(end);
      } catch (error) {
        failure = graverFailure(failure, error);
      }
    }
    this.#waiting.unshift(...waiting);
    this.#pause = ends.length > 0 ? 0 : Math.min(longestPause, 2 * this.#pause || firstPause);
    await this.#tell(ends);
    if (failure !== undefined) throw failure;
  }

  /**
   * Another client wrote the resource first: the row is planned again, from what is stored then, until it is written or has no effect.
   * @returns a reject when another attempt would not help. @throws errors that another attempt would not avoid
   */
  #judge({ row, tokens }: PlannedRow<Row>, outcome: Outcome | undefined): PlannedRow<Row> | undefined {
    // Refused by a rule that only the target has.
    if (outcome instanceof DomainError && isCode(outcome, `invalid-${this.#options.kind.name}`))
      return { row, tokens, verdict: reject(...outcome.violations) };
    if (!isContended(outcome)) throw outcome ?? new Error('The store has left a write out.');
    const tries = this.#tries.get(row) ?? { attempts: 0, conflicts: 0 };
    this.#tries.set(row, tries);
    tries.attempts += 1;
    if (outcome instanceof DomainError && ++tries.conflicts > maxConflicts)
      return { row, tokens, verdict: reject(...outcome.violations) };
    if (tries.attempts > maxAttempts)
      throw new DomainError(
        'unavailable',
        `Too many other clients are writing this ${this.#options.kind.name}.`,
      );
    return undefined;
  }

  /** Counts everything before it reports: a report may throw. */
  async #tell(ends: readonly PlannedRow<Row>[]): Promise<void> {
    const { nameRow } = this.#options;
    for (const { row, verdict, tokens } of ends) {
      this.#tries.delete(row);
      if (verdict.kind !== 'write') this.#counts[verdict.kind] += 1;
      else this.#counts[verdict.write.before === undefined ? 'created' : 'changed'] += 1;
      if (verdict.kind !== 'rejected' && nameRow !== undefined) this.#writers.add(tokens, nameRow(row));
    }
    try {
      for (const { row, verdict } of ends)
        if (verdict.kind === 'rejected') await this.#options.onReject(row, verdict.violations);
    } finally {
      this.#options.onProgress?.(this.counts, this.#tries.size);
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
