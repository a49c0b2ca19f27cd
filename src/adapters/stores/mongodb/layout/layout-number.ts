/**
 * The number of the layout: what the collections hold, and how. It stands in the counter of the change log (`log/entries.ts`), which every
 * transaction changes first, so a transaction compares it without a further command. A later release that changes the layout raises the number
 * once no process of this release may write any more: from then on, this release's transactions change nothing. Work outside of transactions
 * (indexes at the start, rebuilds, sweeps, pruning) compares it before each step. The migration to a higher number: `migrations/`.
 */
import { DomainError } from '../../../../domain/validation/errors.ts';

/** Raise it when writes of earlier releases would damage the new layout, or leave it incomplete. */
export const layoutNumber = 2;

/** @param found undefined in a database of release 1.0, which wrote no number: its layout is the first @throws DomainError `unavailable` */
export function assertKnownLayout(found: number | undefined): void {
  if (found === undefined || found <= layoutNumber) return;
  throw new DomainError(
    'unavailable',
    `A newer release has changed the database (layout ${found}, this one knows ${layoutNumber}); it takes no writes of this release. Start the newer release.`,
  );
}
