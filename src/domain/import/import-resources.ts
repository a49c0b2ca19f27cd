/**
 * Imports resources of one kind into a store, by the rules of the API.
 *
 * Rows come in as values, in batches, with the mistakes that their reader found (`import-options.ts`). Out go commits, rejected rows with
 * their reasons, and counts. `import-run.ts` takes batches through these steps, and plans one while it writes the one before:
 * 1. `plan-rows.ts` looks up the resources that the rows concern (`row-lookup.ts`), in a few queries;
 * 2. `decide-row.ts` decides each row: unchanged, rejected, or a write, with the row's own dates if they are kept;
 * 3. the plan ends before a row that depends on an earlier one, and rejects rows whose id or name another resource has;
 * 4. the writes are committed. A row whose resource another client wrote first is planned again, with the next rows.
 *
 * On a first reading skip `dry-run.ts` (an import that only counts what it would do) and copies of stores (`copy-resources.ts`, `differences.ts`).
 */
import { type BatchLimits, gatherBatches } from './batches.ts';
import type { ImportCounts, ImportOptions, ImportRow, ImportTarget } from './import-options.ts';
import { ImportRun, rowsInBatch } from './import-run.ts';

/** The length of the texts of rows that are planned together, in UTF-16 code units: twice that of 512 usual rows. */
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
 * @param target the store; or a dry run of it, which counts what an import would do
 * @throws DomainError `unavailable`, `outcome-unknown`, and any error of `batches`; rows counted until then are durable
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
