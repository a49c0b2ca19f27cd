/**
 * Layout 2: entries about members name their users in `users` (`log/users.ts`), so that they stand in the users' histories. All entries have the
 * id of their request in `request`, which has an index.
 *
 * What an entry of an older release doesn't name follows from earlier entries of the group: who had been a member before all members were replaced, or
 * when the group was deleted. Members from before the oldest entry are missing there: a replacement of all members that keeps them looks as if it added
 * them, and the end of their membership is missing.
 */

import type { AnyBulkWriteOperation } from 'mongodb';
import { type Entry, maxIds } from '../../../../domain/changes/change.ts';
import type { Database } from '../connection/database.ts';
import { idIndex } from '../documents/indexes.ts';
import {
  type EntryDocument,
  type LogCollections,
  logOf,
  readEntry,
  type ShownEntry,
  shownEntry,
  subjectOf,
} from '../log/entries.ts';
import { leaverSize } from '../log/leavers.ts';
import { toIdKey, usersOf } from '../log/users.ts';
import { FormerMembers } from './former-members.ts';
import type { Migration } from './run.ts';

/** Entries that are looked at in one step, and leavers in one document. */
const atOnce = 500;

export const membersInHistories: Migration = {
  layout: 2,
  work: 'entries of the change log get their users and requests',

  async step(database, [behind, last]) {
    const { limits } = database;
    const projection = { _id: 1 } as const;
    const end = { ...limits, hint: idIndex, sort: projection, skip: atOnce - 1, projection } as const;
    const found = await logOf(database).entries.findOne({ _id: { $gt: behind, $lte: last } }, end);
    const to = found?._id ?? last;
    await new Step(database).complete(behind, to);
    await addRequests(database, { $gt: behind, $lte: to });
    return to;
  },
};

class Step {
  readonly #database: Database;
  readonly #log: LogCollections;
  readonly #owners: string;
  readonly #former: FormerMembers;
  /** The last whole list that was met. */
  #whole: { readonly numbers: ReadonlySet<number>; readonly before: ReadonlySet<string> } | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#log = logOf(database);
    this.#owners = database.kinds.relation.owners.name;
    this.#former = new FormerMembers(database);
  }

  /** Leavers come before the entry has its users: repeated after a kill, both do no harm. */
  async complete(behind: number, to: number): Promise<void> {
    const { limits } = this.#database;
    const found = await this.#findIncomplete(behind, to);
    const following = await this.#findFollowing(found);
    const named = found.flatMap(({ added = [], removed = [] }) => [...added, ...removed]);
    const erased = await this.#former.findErased(named);
    const updates: AnyBulkWriteOperation<EntryDocument>[] = [];
    for (const entry of found) {
      const { number, added = [], removed = [] } = entry;
      const leaving = await this.#addLeavers(entry, following.has(number));
      const stayed = this.#whole?.numbers.has(number) ? this.#whole.before : undefined;
      const isShown = (id: string): boolean => (erased.get(id) ?? 0) <= number;
      const users = usersOf({ added: added.filter(isShown), removed: removed.filter(isShown) }, stayed);
      // Another process may have been faster, and an erasure may have followed.
      const filter = { _id: number, users: { $exists: false } };
      updates.push({ updateOne: { filter, update: { $set: { users, ...(leaving > 0 && { leaving }) } } } });
    }
    if (updates.length > 0) await this.#log.entries.bulkWrite(updates, { ...limits, ordered: false });
  }

  async #findIncomplete(behind: number, to: number): Promise<readonly Entry[]> {
    const { limits } = this.#database;
    const about = { of: { $regex: `^${this.#owners} ` }, entry: { $regex: aboutMembers } };
    const filter = { ...about, users: { $exists: false }, _id: { $gt: behind, $lte: to } };
    const options = { ...limits, hint: idIndex, projection: shownEntry, sort: { _id: 1 } } as const;
    const found = await this.#log.entries.find<ShownEntry>(filter, options).toArray();
    return found.map(readEntry);
  }

  /** The numbers of entries that may belong to the write of the entry before them. */
  async #findFollowing(found: readonly Entry[]): Promise<ReadonlySet<number>> {
    const { limits } = this.#database;
    const $in = found.map(({ number }) => number - 1);
    const projection = { of: 1, mark: 1 } as const;
    const options = { ...limits, projection };
    const before = await this.#log.entries.find({ _id: { $in } }, options).toArray();
    const marks = new Map(before.map(({ _id, of, mark }) => [_id + 1, `${of} ${mark}`]));
    const isFollowing = ({ number, id, mark }: Entry) =>
      marks.get(number) === `${subjectOf(this.#owners, id)} ${mark}`;
    return new Set(found.filter(isFollowing).map(({ number }) => number));
  }

  /** Finds the write of the entry, and the members that it removed. @returns their size in bytes */
  async #addLeavers(entry: Entry, isFollowing: boolean): Promise<number> {
    if (this.#whole?.numbers.has(entry.number)) return 0;
    const { added = [], removed = [] } = entry;
    const isAlone = !isFollowing && added.length + removed.length < maxIds;
    const all = isAlone ? [entry] : await this.#former.writeOf(entry);
    const [first = entry] = all;
    if (!first.whole && !first.type.endsWith('.deleted')) return 0;
    const before = await this.#former.before(first);
    this.#whole = { numbers: new Set(all.map(({ number }) => number)), before };
    if (first.number !== entry.number) return 0;
    const listed = new Set(all.flatMap((one) => one.added ?? []));
    return await this.#writeLeavers(
      entry.number,
      [...before].filter((id) => !listed.has(id)),
    );
  }

  async #writeLeavers(number: number, left: readonly string[]): Promise<number> {
    const { limits } = this.#database;
    const erased = await this.#former.findErased(left);
    const leaving = left.filter((id) => (erased.get(id) ?? 0) <= number);
    for (let from = 0; from < leaving.length; from += atOnce) {
      const _id = { number, part: `${from}` };
      const users = leaving.slice(from, from + atOnce).map(toIdKey);
      await this.#log.leavers.replaceOne({ _id }, { users }, { ...limits, upsert: true });
    }
    return leaving.length * leaverSize;
  }
}

async function addRequests(
  database: Database,
  range: { readonly $gt: number; readonly $lte: number },
): Promise<void> {
  const { entries } = logOf(database);
  const { limits } = database;
  const filter = { _id: range, request: { $exists: false }, entry: { $regex: '"request":"' } };
  const projection = { entry: 1 } as const;
  const found = await entries.find(filter, { ...limits, hint: idIndex, projection }).toArray();
  const updates = found.flatMap(({ _id, entry }): AnyBulkWriteOperation<EntryDocument>[] => {
    const { by }: Pick<Entry, 'by'> = JSON.parse(entry);
    const update = by.request && { $set: { request: toIdKey(by.request) } };
    return update ? [{ updateOne: { filter: { _id }, update } }] : [];
  });
  if (updates.length > 0) await entries.bulkWrite(updates, { ...limits, ordered: false });
}

const aboutMembers = '"type":"[^"]*[.](?:members-changed|deleted)"';
