/** Layout 2: entries name their users in `users` (`log/users.ts`), so that they stand in the users' histories. */

import type { AnyBulkWriteOperation } from 'mongodb';
import { idIndex } from '../documents/indexes.ts';
import { type EntryDocument, readEntry, shownEntry } from '../log/entries.ts';
import { usersOf } from '../log/users.ts';
import type { Migration } from './run.ts';

/** Entries that are looked at in one step: the largest have a thousand ids. */
const lookedAtOnce = 500;

/**
 * All members in `added` of a whole replacement count as new, since the entries of older releases don't tell who stayed. Who left then, and who belonged
 * to a group that was deleted, is not in the log.
 */
export const membersInHistories: Migration = {
  layout: 2,
  work: 'entries of the change log get the users that they name',

  async step({ entries }, { members, owners }, [behind, last], limits) {
    const options = { ...limits, hint: idIndex } as const;
    const range = { $gt: behind, $lte: last };
    const end = { ...options, sort: { _id: 1 }, skip: lookedAtOnce - 1, projection: { _id: 1 } } as const;
    const { _id: to } = (await entries.findOne({ _id: range }, end)) ?? { _id: last };
    if (members === undefined) return to;
    const incomplete = { users: { $exists: false }, of: { $regex: `^${owners.name} ` } };
    const filter = { ...incomplete, _id: { ...range, $lte: to } };
    const updates: AnyBulkWriteOperation<EntryDocument>[] = [];
    for await (const found of entries.find(filter, { ...options, projection: shownEntry })) {
      const users = usersOf(readEntry(found));
      // An erasure may have come in between in a process of this release.
      const unchanged = { _id: found._id, users: { $exists: false } };
      if (users.length > 0) updates.push({ updateOne: { filter: unchanged, update: { $set: { users } } } });
    }
    if (updates.length > 0) await entries.bulkWrite(updates, { ...limits, ordered: false });
    return to;
  },
};
