/** Groups in MongoDB. What changes members too is a transaction (write/members.ts). */
import type { ClientSession, Collection, Document } from 'mongodb';
import type { GroupDocument } from '../../../domain/kinds/group/group.ts';
import type { GroupStore, MembersChange } from '../../../domain/ports.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import { groupDocuments, type StoredMembers, toDocument, toUpdate } from './documents/stored-document.ts';
import { MongoRows, type RowsParts } from './rows.ts';
import type { Members } from './write/members.ts';
import type { Transactions } from './write/transactions.ts';

export interface GroupParts extends RowsParts<GroupDocument> {
  readonly groups: Collection<Document & { readonly _id: string }>;
  readonly members: Members;
  readonly transactions: Transactions;
  /** Called when a set was dropped. */
  readonly onDropped: () => void;
}

const noMembers: StoredMembers = { set: null, count: 0, revision: 0 };

export class MongoGroups extends MongoRows<GroupDocument> implements GroupStore {
  readonly #parts: GroupParts;

  constructor(parts: GroupParts) {
    super(parts);
    this.#parts = parts;
  }

  async insert(group: Stored<GroupDocument>, add: readonly string[] = []): Promise<void> {
    if (add.length === 0) return await this.insertDocument(group, { members: noMembers });
    await this.#transact(group.id, async (session) => {
      const { groups, members, maxTimeMS } = this.#parts;
      const document = { ...toDocument(group, group.id, groupDocuments), members: noMembers };
      await groups.insertOne(document, { session, maxTimeMS });
      return await this.#put(
        session,
        group.id,
        await members.change(session, noMembers, { add, remove: [] }),
      );
    });
  }

  override async replace(
    group: Stored<GroupDocument>,
    version: string,
    change?: MembersChange,
  ): Promise<boolean> {
    if (change === undefined) return await super.replace(group, version);
    const { type } = this.#parts;
    const update = toUpdate(toDocument(group, group.id, type));
    return await this.#change(group.id, change, { version, update });
  }

  async changeMembers(id: string, change: MembersChange, version?: string): Promise<boolean> {
    return await this.#change(id, change, { version });
  }

  async remove(id: string, version: string): Promise<boolean> {
    const removed = await this.#transact(id, async (session) => {
      const { groups, members, type, maxTimeMS } = this.#parts;
      const found = await groups.findOneAndDelete(
        { _id: id, ...type.withVersion(version) },
        { session, maxTimeMS, projection: { members: 1 } },
      );
      if (found === null) return undefined;
      if (found.members?.set) await members.drop(session, found.members.set);
      return true;
    });
    if (removed) this.#parts.onDropped();
    return removed ?? false;
  }

  async #change(
    id: string,
    change: MembersChange,
    { version, update }: { readonly version?: string | undefined; readonly update?: Document[] },
  ): Promise<boolean> {
    let isThere = false;
    await this.#transact(id, async (session) => {
      const { groups, members, type, maxTimeMS } = this.#parts;
      const filter = { _id: id, ...(version === undefined ? {} : type.withVersion(version)) };
      // A write, so that a concurrent change of the group fails at once.
      const touch = { $inc: { 'members.revision': 1 } };
      const options = { session, maxTimeMS, projection: { members: 1 }, returnDocument: 'before' } as const;
      const found = await groups.findOneAndUpdate(filter, touch, options);
      isThere = found !== null;
      if (found === null) return undefined;
      const before: StoredMembers = found.members ?? noMembers;
      const after = await members.change(session, before, change);
      if (update) await groups.updateOne({ _id: id }, update, { session, maxTimeMS });
      else if (after === before) return undefined;
      return await this.#put(session, id, after);
    });
    if (isThere && change.isWhole) this.#parts.onDropped();
    return isThere;
  }

  async #put(session: ClientSession, _id: string, members: StoredMembers): Promise<true> {
    const { groups, maxTimeMS } = this.#parts;
    await groups.updateOne({ _id }, { $set: { members } }, { session, maxTimeMS });
    return true;
  }

  #transact<R>(id: string, work: (session: ClientSession) => Promise<R | undefined>): Promise<R | undefined> {
    const { operations, transactions } = this.#parts;
    return operations.transact(() => transactions.run(id, work), 'group');
  }
}
