/** Removes what entries say about an erased resource. */
import { withoutNames } from '../../../../domain/changes/change.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import { type LogCollections, subjectOf, type TransactionOptions } from './entries.ts';
import { eraseFromHistories } from './leavers.ts';

/** A resource whose values are erased, with the names in its maps. */
export interface Erased {
  readonly kind: Kind;
  readonly id: string;
}

/** @returns whether there were any, or entries of others in the history */
export async function eraseValues(
  log: LogCollections,
  { kind, id }: Erased,
  { relation }: Kinds,
  options: TransactionOptions,
): Promise<boolean> {
  const { entries } = log;
  const of = subjectOf(kind.name, id);
  const wasShown = relation.members === kind && (await eraseFromHistories(log, id, options));
  const { modifiedCount } = await entries.updateMany({ of }, { $unset: { values: 1 } }, options);
  const named = kind.maps.map((map) => ({ of, entry: { $regex: `"${map}/` } }));
  const found = named.length > 0 ? await entries.find({ $or: named }, options).toArray() : [];
  let count = modifiedCount;
  for (const { _id, entry } of found) {
    const change = JSON.parse(entry);
    const bare = withoutNames(kind, change);
    // The query may have found its text in another part of the entry, such as the author's name.
    if (bare === change) continue;
    await entries.updateOne({ _id }, { $set: { entry: JSON.stringify(bare) } }, options);
    count += 1;
  }
  return wasShown || count > 0;
}
