import { download } from '../files/save-file.ts';
import { nameOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { BulkResult } from './run-bulk.ts';

/** Downloads which failed and why, as a table for spreadsheets. */
export async function downloadFailures(failed: readonly BulkResult[]): Promise<void> {
  const { engine } = await import('user-files');
  const rows = failed.map(({ resource, reason }) => [resource.id, nameOf(resource), reason]);
  const table = engine.printTable([texts.bulk.headings, ...rows]);
  download(new Blob([table], { type: 'text/csv' }), texts.bulk.fileName);
}
