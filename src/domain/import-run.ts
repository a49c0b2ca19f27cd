import { DomainError } from './errors.ts';
import type { ImportCounts, ImportOptions, ImportRow, ImportTarget } from './import-users.ts';
import { type JudgedRow, RowJudge, type Wave } from './import-waves.ts';
import type { WriteOutcome } from './ports.ts';

/** Rows that are judged and written together. Two such batches are in memory, besides what the reader holds. */
export const rowsInBatch = 512;

/** Of one row that others are writing, too. */
const maxAttempts = 1000;
/** A store that says so thrice will know of somebody who isn't found. */
const maxConflicts = 3;

/** One run of an import: what it has counted, and what it is writing. */
export class ImportRun<Row extends ImportRow> {
  readonly #target: ImportTarget;
  readonly #options: ImportOptions<Row>;
  readonly #judge: RowJudge<Row>;
  readonly #counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  /** The wave that is being written. */
  #inFlight: { readonly wave: Wave<Row>; readonly settled: Promise<void> } | undefined;
  /** Rows to look at together: fewer, while they depend on each other. */
  #window = rowsInBatch;

  constructor(target: ImportTarget, options: ImportOptions<Row>) {
    this.#target = target;
    this.#options = options;
    this.#judge = new RowJudge(target, options);
  }

  get counts(): ImportCounts {
    return { ...this.#counts };
  }

  get isEnded(): boolean {
    const { maxRejects = Number.POSITIVE_INFINITY } = this.#options;
    return this.#counts.rejected > 0 && this.#counts.rejected >= maxRejects;
  }

  /** Returns while the last of them are still being written: the next ones are judged meanwhile. */
  async take(rows: readonly Row[]): Promise<void> {
    for (let at = 0; at < rows.length && !this.isEnded; ) {
      const window = rows.slice(at, at + this.#window);
      const wave = await this.#judge.judge(window, this.#inFlight?.wave.touched);
      await this.settle();
      if (wave.rows.length === 0 || this.isEnded) continue;
      at += wave.rows.length;
      const isCut = wave.rows.length < window.length;
      this.#window = Math.min(rowsInBatch, 2 * (isCut ? wave.rows.length : this.#window));
      this.#begin(this.#cutAtLastReject(wave));
    }
  }

  /** Returns when nothing is being written any more. */
  async settle(): Promise<void> {
    const settled = this.#inFlight?.settled;
    this.#inFlight = undefined;
    await settled;
  }

  /** What comes after the reject that ends the run is left. */
  #cutAtLastReject(wave: Wave<Row>): Wave<Row> {
    const { maxRejects = Number.POSITIVE_INFINITY } = this.#options;
    let left = maxRejects - this.#counts.rejected;
    const end = wave.rows.findIndex(({ verdict }) => verdict.kind === 'rejected' && --left <= 0);
    return end < 0 ? wave : { ...wave, rows: wave.rows.slice(0, end + 1) };
  }

  #begin(wave: Wave<Row>): void {
    const settled = this.#write(wave.rows);
    // It is awaited later, and must not be taken for one that nobody looks after.
    settled.catch(() => {});
    this.#inFlight = { wave, settled };
  }

  async #write(rows: readonly JudgedRow<Row>[]): Promise<void> {
    const writes = rows.flatMap(({ verdict }) => (verdict.kind === 'write' ? [verdict.write] : []));
    const outcomes = writes.length === 0 ? [] : await this.#target.writeAll(writes);
    const ends: JudgedRow<Row>[] = [];
    let failure: { readonly reason: unknown } | undefined;
    let next = 0;
    for (const judged of rows) {
      const outcome = judged.verdict.kind === 'write' ? outcomes[next++] : 'done';
      try {
        if (outcome === 'done') ends.push(judged);
        else if (!isContended(outcome)) throw outcome ?? new Error('The store has left a write out.');
        else if (failure === undefined) ends.push(await this.#writeAlone(judged.row));
      } catch (reason) {
        failure ??= { reason };
      }
    }
    await this.#tell(ends);
    if (failure !== undefined) throw failure.reason;
  }

  /** Somebody else was quicker: the user is read again and the row judged again, until it is written or needn't be. */
  async #writeAlone(row: Row): Promise<JudgedRow<Row>> {
    let conflicts = 0;
    for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
      const [judged] = (await this.#judge.judge([row])).rows;
      if (judged === undefined) break;
      if (judged.verdict.kind !== 'write') return judged;
      const [outcome] = await this.#target.writeAll([judged.verdict.write]);
      if (outcome === 'done') return judged;
      if (!isContended(outcome)) throw outcome;
      if (!(outcome instanceof DomainError)) continue;
      conflicts += 1;
      const { violations } = outcome;
      if (conflicts === maxConflicts) return { row, verdict: { kind: 'rejected', violations } };
    }
    throw new DomainError('unavailable', 'Too many others are writing this user.');
  }

  /** All is counted before anybody hears of it: who is told may fail. */
  async #tell(ends: readonly JudgedRow<Row>[]): Promise<void> {
    for (const { verdict } of ends) {
      if (verdict.kind !== 'write') this.#counts[verdict.kind] += 1;
      else this.#counts[verdict.write.version === undefined ? 'created' : 'changed'] += 1;
    }
    try {
      for (const { row, verdict } of ends)
        if (verdict.kind === 'rejected') await this.#options.onReject(row, verdict.violations);
    } finally {
      this.#options.onProgress?.(this.counts);
    }
  }
}

/** False for what no other try mends. */
const isContended = (outcome: WriteOutcome | undefined): boolean =>
  outcome === 'stale' ||
  (outcome instanceof DomainError && (outcome.code === 'id-taken' || outcome.code === 'user-name-taken'));
