/** Takes users from elsewhere into a store, by the same rules as the API. */
import { type BatchLimits, gatherBatches } from '../base/batches.ts';
import type { Violation } from '../base/errors.ts';
import type { Clock, Ids, UserStore } from '../ports.ts';
import type { Edit } from '../users.ts';
import { ImportRun, rowsInBatch } from './import-run.ts';

/** A user that is to be taken in, not planned yet. */
export interface ImportRow {
  /** The user's members, as they came. */
  readonly value: unknown;
  /** As it came, where that is a text: fewer large ones are in work together. */
  readonly text?: string | undefined;
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

/** How rows are planned. */
export interface ImportRules {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mode: ImportMode;
  readonly match: MatchMember;
  /** Takes over `created` and `lastModified` where the row has them; the version is always new. */
  readonly keepMeta: boolean;
}

export interface ImportOptions<Row extends ImportRow> extends ImportRules {
  /** Ends the run when so many have been refused; what was taken in until then stays, rows behind one that had to wait for others too. */
  readonly maxRejects?: number | undefined;
  /** In the order of the rows, but for those that others were writing, too. Nothing was changed for this one. */
  readonly onReject: (row: Row, violations: readonly Violation[]) => void | Promise<void>;
  /**
   * Called after each batch, and before an error is thrown: what has been counted is durable.
   * @param waiting how many rows wait for others who write the same users
   */
  readonly onProgress?: ((counts: ImportCounts, waiting: number) => void) | undefined;
  /** Waits for so many milliseconds, for others who write the same users. Throws when the run is to end. Left out: it goes on at once. */
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
}

export interface ImportCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** What an import needs of a store. A dry run gives a `dryRunOf` it. */
export type ImportTarget = Pick<UserStore, 'findAll' | 'findAllBy' | 'writeAll'>;

/** Of texts of rows that are planned together, in UTF-16 code units: 512 rows of usual users have half of it. */
const maxGroupLength = 1024 * 1024;

/** Those that are planned together. */
const limits: BatchLimits<ImportRow> = {
  maxRows: rowsInBatch,
  maxLength: maxGroupLength,
  lengthOf: ({ text }) => text?.length ?? 0,
};

/**
 * Takes the rows in, as if one after the other. They are written in batches, and the next batch is planned meanwhile; at most two batches
 * are in work. Others may write the same users: these are then read again, after other rows, and never overwritten unseen. Stopped and run again, it finds
 * unchanged what it had taken in.
 * @param target the store; or a dry run of it, which counts what would be done
 * @throws DomainError `unavailable`, `outcome-unknown`, and whatever `batches` throws; what was counted until then is durable
 */
export async function importUsers<Row extends ImportRow>(
  target: ImportTarget,
  batches: AsyncIterable<readonly Row[]>,
  options: ImportOptions<Row>,
): Promise<ImportCounts> {
  const work = new ImportRun(target, options);
  try {
    for await (const rows of gatherBatches<Row>(batches, limits)) {
      await work.take(rows);
      if (work.isEnded) break;
    }
  } catch (error) {
    // What was taken is in and counted before the reason is told.
    await work.finish().catch(() => {});
    throw error;
  }
  await work.finish();
  return work.counts;
}
