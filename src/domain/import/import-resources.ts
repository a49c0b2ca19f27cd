/** Imports resources of one kind into a store, by the rules of the API. */
import { type BatchLimits, gatherBatches } from '../base/batches.ts';
import type { Violation } from '../base/errors.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Resource } from '../resource/resource.ts';
import type { Edit } from '../resources.ts';
import type { Actor, Store } from '../store.ts';
import { ImportRun, rowsInBatch } from './import-run.ts';

/** A resource to import, not planned yet. */
export interface ImportRow {
  /** The resource's members, as read. */
  readonly value: unknown;
  /** The source text, if any: large rows make smaller batches. */
  readonly text?: string | undefined;
  /** Mistakes that the reader found. */
  readonly violations: readonly Violation[];
  /** Makes the whole resource from the stored one. Left out: `value` is the whole resource. */
  readonly edit?: Edit<Resource> | undefined;
}

/**
 * The member that matches a row with a stored resource: `id`, the kind's unique name, or `externalId`. A row without an id is matched by
 * its name, so that a repeated import finds it again; with `externalId`, a row without one is refused.
 */
export type MatchMember = string;

export const matchMembersOf = ({ unique, filters }: Kind): readonly MatchMember[] => [
  'id',
  unique.member,
  ...('externalId' in filters ? ['externalId'] : []),
];

/** `create`: a stored resource must be equal; `upsert`: it is changed; `update`: as `upsert`, and a row without a stored one is refused. */
export const importModes = ['create', 'upsert', 'update'] as const;
export type ImportMode = (typeof importModes)[number];

/** How rows are planned. */
export interface ImportRules {
  readonly kind: Kind;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly mode: ImportMode;
  readonly match: MatchMember;
  /** Keeps `created` and `lastModified` of rows that have them; the version is always new. */
  readonly keepMeta: boolean;
}

export interface ImportOptions<Row extends ImportRow> extends ImportRules {
  /** Who imports. */
  readonly by: Actor;
  /** Ends the run after this many rejects. Imported rows stay, including rows behind one that had to wait. */
  readonly maxRejects?: number | undefined;
  /** In the order of the rows, except rows that had to wait for other clients. Nothing was changed for this row. */
  readonly onReject: (row: Row, violations: readonly Violation[]) => void | Promise<void>;
  /**
   * Called after each batch, and before an error is thrown: what has been counted is durable.
   * @param waiting how many rows wait for other clients that write the same resources
   */
  readonly onProgress?: ((counts: ImportCounts, waiting: number) => void) | undefined;
  /** Waits while other clients write the same resources. Throws to end the run. Left out: without waiting. */
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
}

export interface ImportCounts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: number;
}

/** The part of a store that an import needs. A dry run passes a `dryRunOf` it. */
export type ImportTarget = Pick<Store, 'findAll' | 'findAllBy' | 'commit'>;

/** Of the texts of rows that are planned together, in UTF-16 code units: twice those of 512 usual rows. */
const maxGroupLength = 1024 * 1024;

/** Rows that are planned together. */
const limits: BatchLimits<ImportRow> = {
  maxRows: rowsInBatch,
  maxLength: maxGroupLength,
  lengthOf: ({ text }) => text?.length ?? 0,
};

/**
 * Imports the rows as if one after the other. They are written in batches, and the next batch is planned meanwhile. Other clients may write
 * the same resources: these are then read again, after other rows, and never overwritten unseen. An interrupted import can be run again:
 * rows that were imported count as unchanged.
 * @param target the store; or a dry run of it, which counts what would be done
 * @throws DomainError `unavailable`, `outcome-unknown`, and any error of `batches`; what was counted until then is durable
 */
export async function importResources<Row extends ImportRow>(
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
    // Imported rows are durable and counted before the error is reported.
    await work.finish().catch(() => {});
    throw error;
  }
  await work.finish();
  return work.counts;
}
