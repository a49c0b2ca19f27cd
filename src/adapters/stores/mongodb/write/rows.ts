/** The documents of one kind that a transaction has read, with the effects of its writes so far, and the statements for the database. */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { ResourceDocument } from '../documents/document.ts';

/** The members of a document that decide a write. */
export const decisive = { version: 1, name: 1, unique: 1, groups: 1, members: 1 } as const;
/** An owner's text has the label for entries about its members. */
export const decisiveOfOwner = { ...decisive, text: 1 } as const;
export type Row = Pick<ResourceDocument, '_id' | keyof typeof decisive> &
  Partial<Pick<ResourceDocument, 'text'>>;

export class Rows {
  readonly statements: AnyBulkWriteOperation<ResourceDocument>[] = [];
  readonly #byId = new Map<string, Row>();
  readonly #byName = new Map<string, string>();
  readonly #byUnique = new Map<string, string>();

  constructor(found: readonly Row[]) {
    for (const row of found) this.#put(row);
  }

  get(id: string): Row | undefined {
    return this.#byId.get(id);
  }

  /** The sets of members to which the resource belongs; undefined for an unknown id. */
  groupsOf(id: string): readonly string[] | undefined {
    const row = this.#byId.get(id);
    return row && (row.groups ?? []);
  }

  isTaken(name: string, id: string): boolean {
    const holder = this.#byName.get(name);
    return holder !== undefined && holder !== id;
  }

  /** The first of the unique keys that another resource has. */
  findTaken(unique: readonly string[], id: string): string | undefined {
    return unique.find((key) => (this.#byUnique.get(key) ?? id) !== id);
  }

  /** An upsert, so that one command handles new and changed documents. */
  insert(document: ResourceDocument): void {
    const { _id, ...fields } = document;
    this.statements.push({ updateOne: { filter: { _id }, update: { $set: fields }, upsert: true } });
    this.#put(document);
  }

  update(row: Row, fields: Partial<ResourceDocument>): void {
    if (Object.keys(fields).length === 0) return;
    this.statements.push({ updateOne: { filter: { _id: row._id }, update: { $set: fields } } });
    this.#put({ ...row, ...fields });
  }

  remove(id: string): void {
    this.statements.push({ deleteOne: { filter: { _id: id } } });
    this.#forget(id);
  }

  /** Makes these resources members of the set. */
  join(set: string, ids: readonly string[]): void {
    this.#regroup(ids, { $addToSet: { groups: set } }, (groups) => [...groups, set]);
  }

  /** Ends these memberships. */
  leave(set: string, ids: readonly string[]): void {
    this.#regroup(ids, { $pull: { groups: set } }, (groups) => groups.filter((one) => one !== set));
  }

  /** The owners of these sets lose one member each, including owners that were not read. */
  lose(sets: readonly string[]): void {
    if (sets.length === 0) return;
    const update = { $inc: { 'members.count': -1, 'members.revision': 1 } };
    this.statements.push({ updateMany: { filter: { 'members.set': { $in: sets } }, update } });
    for (const row of [...this.#byId.values()]) {
      const { set = null, count = 0, revision = 0 } = row.members ?? {};
      if (set !== null && sets.includes(set))
        this.#put({ ...row, members: { set, count: count - 1, revision: revision + 1 } });
    }
  }

  #regroup(
    ids: readonly string[],
    update: { $addToSet: { groups: string } } | { $pull: { groups: string } },
    change: (groups: readonly string[]) => readonly string[],
  ): void {
    if (ids.length === 0) return;
    this.statements.push({ updateMany: { filter: { _id: { $in: ids } }, update } });
    for (const id of ids) {
      const row = this.#byId.get(id);
      if (row !== undefined) this.#put({ ...row, groups: change(row.groups ?? []) });
    }
  }

  #put(row: Row): void {
    this.#forget(row._id);
    this.#byId.set(row._id, row);
    this.#byName.set(row.name, row._id);
    for (const key of row.unique ?? []) this.#byUnique.set(key, row._id);
  }

  #forget(id: string): void {
    const { name = '', unique = [] } = this.#byId.get(id) ?? {};
    if (this.#byName.get(name) === id) this.#byName.delete(name);
    for (const key of unique) if (this.#byUnique.get(key) === id) this.#byUnique.delete(key);
    this.#byId.delete(id);
  }
}
