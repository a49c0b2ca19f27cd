/** Derives from earlier entries what entries of older releases lack: who was a member before, and who has been erased. */
import type { Entry } from '../../../../domain/changes/change.ts';
import type { Database } from '../connection/database.ts';
import {
  type EntryDocument,
  type LogCollections,
  logOf,
  readEntry,
  shownEntry,
  subjectOf,
} from '../log/entries.ts';

/** Documents, or ids, in one command. */
const atOnce = 500;

export class FormerMembers {
  readonly #database: Database;
  readonly #entries: LogCollections['entries'];

  constructor(database: Database) {
    this.#database = database;
    this.#entries = logOf(database).entries;
  }

  /** The members of the group before the entry, from the last whole list or the creation on; from the oldest entry on, if the log has neither. */
  async before({ id, number }: Entry): Promise<ReadonlySet<string>> {
    const changes: Entry[] = [];
    for await (const entry of this.#earlier(id, number)) {
      changes.push(entry);
      if (entry.whole || /[.](?:created|deleted)$/.test(entry.type)) break;
    }
    /** Each member, with the number of the entry that has added it. */
    const members = new Map<string, number>();
    for (const { number, added = [], removed = [] } of changes.reverse()) {
      for (const user of added) members.set(user, number);
      for (const user of removed) members.delete(user);
    }
    const deleted = await this.#findDeleted([...members.keys()], { _id: { $lt: number } });
    for (const [user, since] of members) if ((deleted.get(user) ?? 0) > since) members.delete(user);
    return new Set(members.keys());
  }

  /** The number of the last deletion of each erased user among them: nothing before it may be in the user's history. */
  findErased(users: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#findDeleted(users, { values: { $exists: false } });
  }

  /** All entries of the write to which the entry belongs, from the first on. */
  async writeOf(entry: Entry): Promise<readonly Entry[]> {
    const { limits } = this.#database;
    const all = [entry];
    const next = async (step: 1 | -1, from: Entry): Promise<Entry | undefined> => {
      const options = { ...limits, projection: shownEntry };
      const found = await this.#entries.findOne({ _id: from.number + step }, options);
      return found && isSameWrite(readEntry(found), entry) ? readEntry(found) : undefined;
    };
    for (let one = await next(-1, entry); one !== undefined; one = await next(-1, one)) all.unshift(one);
    for (let one = await next(1, entry); one !== undefined; one = await next(1, one)) all.push(one);
    return all;
  }

  /** In pages, since each command has its limit of time. */
  async *#earlier(id: string, number: number): AsyncGenerator<Entry> {
    const { limits, kinds } = this.#database;
    const options = { ...limits, projection: shownEntry, sort: { _id: -1 }, limit: atOnce } as const;
    const of = subjectOf(kinds.relation.owners.name, id);
    for (let below = number, isLeft = true; isLeft; ) {
      const found = await this.#entries.find({ of, _id: { $lt: below } }, options).toArray();
      yield* found.map(readEntry);
      below = found.at(-1)?._id ?? 0;
      isLeft = found.length === atOnce;
    }
  }

  async #findDeleted(users: readonly string[], filter: object): Promise<Map<string, number>> {
    const { limits, kinds } = this.#database;
    const { name } = kinds.relation.members;
    const deleted = new Map<string, number>();
    for (let from = 0; from < users.length; from += atOnce) {
      const $in = users.slice(from, from + atOnce).map((id) => subjectOf(name, id));
      const selection = { of: { $in }, entry: { $regex: `"type":"${name}[.]deleted"` }, ...filter };
      const options = { ...limits, projection: { of: 1 } };
      const found = await this.#entries.find<Pick<EntryDocument, '_id' | 'of'>>(selection, options).toArray();
      for (const { _id, of } of found) {
        const id = of.slice(name.length + 1);
        deleted.set(id, Math.max(_id, deleted.get(id) ?? 0));
      }
    }
    return deleted;
  }
}

/** Entries of one write have consecutive numbers. */
const isSameWrite = (one: Entry, other: Entry): boolean =>
  one.type === other.type && one.id === other.id && one.mark === other.mark && one.version === other.version;
