/** Imports a file, or reports what an import would do. */
import { dryRunOf } from '../../domain/import/dry-run.ts';
import { countRows, type ImportRules, type ImportTarget } from '../../domain/import/import-options.ts';
import { importResources } from '../../domain/import/import-resources.ts';
import type { FileRow } from '../formats/port/file-format.ts';
import { nameRow } from '../formats/port/mistakes.ts';
import { DirectoryTarget } from './directory-target.ts';
import type { Counts, FileEngine, FileFailure } from './engine.ts';
import { codecOf, kindOf, readOptionsOf, readRows } from './formats.ts';
import { CollectedRejects } from './rejects.ts';
import { ResourceIndex } from './resource-index.ts';
import { failureOf, PageSource } from './source.ts';

/** @param milliseconds a few hundred at most: a run that is stopped ends after them */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  signal.throwIfAborted();
}

/** What a reader has found so far. */
interface Found {
  rows: number;
  /** Of their texts. */
  length: number;
}

/** Ends with the signal, and lets the page answer a person between batches. */
async function* untilStopped(
  batches: AsyncIterable<readonly FileRow[]>,
  signal: AbortSignal,
  found: Found,
): AsyncGenerator<readonly FileRow[]> {
  for await (const batch of batches) {
    await pause(0, signal);
    found.rows += batch.length;
    for (const { text } of batch) found.length += text.length;
    yield batch;
  }
}

export const importFile: FileEngine['importFile'] = async (file, wishes, directory, reports) => {
  const { kind: kindName, format, mode, match, isDryRun, spreadsheet } = wishes;
  const { signal } = reports;
  const [kind, codec, source] = [kindOf(kindName), codecOf(kindName, format), new PageSource(file)];
  const api = new DirectoryTarget(kind, directory);
  const target: ImportTarget = isDryRun ? dryRunOf(kind, api, new ResourceIndex(kind)) : api;
  const clock = { now: () => new Date() };
  const rules: ImportRules = { kind, clock, ids: api.ids, mode, match, keepMeta: false };
  const rejects = new CollectedRejects((front) => codec.rejectPrinter(front, { spreadsheet }));
  const options = readOptionsOf(wishes, (front) => {
    rejects.front = front;
  });
  const found: Found = { rows: 0, length: 0 };
  /** By the length of the rows: all of a small file is read before its first row is done. What is packed is longer than the file. */
  const bytesDone = (done: number) => Math.min(source.bytesRead, (found.length * done) / found.rows);
  let counts: Counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  let failure: FileFailure | undefined;
  try {
    const rows = untilStopped(readRows(codec, source.chunks(), options), signal, found);
    counts = await importResources(target, rows, {
      ...rules,
      by: { client: 'console', via: 'import' },
      nameRow: (row) => nameRow(codec, row),
      onReject: (row, violations) => rejects.add(row, violations),
      onProgress(now) {
        counts = now;
        const done = countRows(now);
        reports.onProgress(now, wishes.rows ? done / wishes.rows.size : bytesDone(done) / file.size);
      },
      pause: (milliseconds) => pause(milliseconds, signal),
    });
  } catch (error) {
    failure = failureOf(error);
  }
  return { counts, failure, rejects: rejects.finish() };
};
