import { nameOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { BulkResult } from './run-bulk.ts';

/** Spreadsheets run cells that begin so; some read the full-width forms alike. */
const formula = /^[\t\r=+\-@＝＋－＠]/;

const printCell = (text: string): string =>
  `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

const printRow = (cells: readonly string[]): string => `${cells.map(printCell).join(',')}\r\n`;

/** Downloads which failed and why, as a table for spreadsheets. */
export function downloadFailures(failed: readonly BulkResult[]): void {
  const rows = failed.map(({ resource, reason }) => [resource.id, nameOf(resource), reason]);
  // The mark makes spreadsheets read it as UTF-8.
  const parts = ['\uFEFF', printRow(texts.bulk.headings), ...rows.map(printRow)];
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = texts.bulk.fileName;
  link.click();
  URL.revokeObjectURL(url);
}
