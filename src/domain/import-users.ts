/** Takes users from elsewhere into a store, by the same rules as the API. */
import { DomainError, type Violation } from './errors.ts';
import { type JudgedRow, RowJudge, type Wave } from './judge-rows.ts';
import type { Clock, Ids, UserStore } from './ports.ts';
import type { Edit } from './users.ts';

/** A user that is to be taken in, not judged yet. */
export interface ImportRow {
  /** The user's members, as they came. */
  readonly value: unknown;
  /** What is wrong with it already. */
  readonly violations: readonly Violation[];
  /** Makes the whole user from the one who is there. Left out: `value` is the whole user. */
  readonly edit?: Edit | undefined;
}

/**
 * What tells that a row and a user are the same one. A row without an id is matched by its userName, so that it is found again when the
 * import is repeated; one without the externalId that is to be matched by is refused.
 */
export const matchMembers = ['id', 'userName', 'externalId'] as const;
export type MatchMember = (typeof matchMembers)[number];

/** `create`: one that is there must be equal; `upsert`: it is changed; `update`: as `upsert`, and one that isn't there is refused. */
export const importModes = ['create', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

/** How rows are judged. */
export interface ImportRules {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mode: ImportMode;
  readonly match: MatchMember;
  /** Takes over `created` and `lastModified` where the row has them; the version is always new. */
  readonly keepMeta: boolean;
}

export interface ImportOptions<Row extends ImportRow> extends ImportRules {
  /** Ends the run when so many have been refused; what was taken in until then stays. */
  readonly maxRejects?: number | undefined;
  /** In the order of the rows. Nothing was changed for this one. */
  readonly onReject: (row: Row, violations: readonly Violation[]) => void | Promise<void>;
  /** Called after each batch, and before an error is thrown: what has been counted is durable. */
  readonly onProgress?: ((counts: ImportCounts) => void) | undefined;
}

export interface ImportCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** What an import needs of a store. A dry run gives a `rehearsal` of it. */
export type ImportTarget = Pick<UserStore, 'findAll' | 'findAllBy' | 'writeAll'>;

/** Rows that are judged and written together. Two such batches are in memory, besides what the reader holds. */
export const rowsInBatch = 512;

/** Of one row that others are writing, too. */
const maxAttempts = 1000;
/** A store that says so thrice will know of somebody who isn't found. */
const maxConflicts = 3;

class Import<Row extends ImportRow> {
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
    try {
      const writes = rows.flatMap(({ verdict }) => (verdict.kind === 'write' ? [verdict.write] : []));
      const outcomes = writes.length === 0 ? [] : await this.#target.writeAll(writes);
      let next = 0;
      let failure: DomainError | undefined;
      for (const judged of rows) {
        const outcome = judged.verdict.kind === 'write' ? outcomes[next++] : 'done';
        if (outcome === 'done') await this.#count(judged);
        else if (isContended(outcome)) await this.#count(await this.#writeAlone(judged.row));
        else failure ??= outcome;
      }
      if (failure !== undefined) throw failure;
    } finally {
      this.#options.onProgress?.(this.counts);
    }
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

  async #count({ row, verdict }: JudgedRow<Row>): Promise<void> {
    if (verdict.kind === 'write') {
      this.#counts[verdict.write.version === undefined ? 'created' : 'changed'] += 1;
      return;
    }
    this.#counts[verdict.kind] += 1;
    if (verdict.kind === 'rejected') await this.#options.onReject(row, verdict.violations);
  }
}

type Failure = DomainError | undefined;

/** False for what no other try mends. */
const isContended = (outcome: 'stale' | Failure): outcome is Exclude<typeof outcome, undefined> =>
  outcome === 'stale' || outcome?.code === 'id-taken' || outcome?.code === 'user-name-taken';

/** The same rows, as many at a time as are judged together. Those in front of a place where no more can be read come before the error. */
async function* regroup<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row[], void> {
  let group: Row[] = [];
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const batch of batches)
      for (const row of batch) {
        group.push(row);
        if (group.length < rowsInBatch) continue;
        yield group;
        group = [];
      }
  } catch (error) {
    failure = { error };
  }
  if (group.length > 0) yield group;
  if (failure !== undefined) throw failure.error;
}

/**
 * Takes the rows in, as if one after the other. They are written in batches, and the next batch is judged meanwhile; at most two batches
 * are in work. Others may write the same users: these are then read again, and never overwritten unseen. Stopped and run again, it finds
 * unchanged what it had taken in.
 * @param target the store; or a rehearsal of it, which counts what would be done
 * @throws DomainError `unavailable`, `outcome-unknown`, and whatever `batches` throws; what was counted until then is durable
 */
export async function importUsers<Row extends ImportRow>(
  target: ImportTarget,
  batches: AsyncIterable<readonly Row[]>,
  options: ImportOptions<Row>,
): Promise<ImportCounts> {
  const work = new Import(target, options);
  try {
    for await (const rows of regroup(batches)) {
      await work.take(rows);
      if (work.isEnded) break;
    }
  } catch (error) {
    // What was sent is counted before the reason is told.
    await work.settle().catch(() => {});
    throw error;
  }
  await work.settle();
  return work.counts;
}
