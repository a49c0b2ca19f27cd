/**
 * Which resources are members of which. An owner of members, such as a group, names its set of members; a member has the names of its sets
 * in `groups`. A change is a transaction on the owner and the members that it concerns. An owner that is removed, or gets other members as
 * a whole, leaves its set behind: no query finds it any more, and members lose it in steps.
 */
import { randomBytes } from 'node:crypto';
import type { ClientSession, Collection, Db } from 'mongodb';
import { unknownMembers } from '../../../../domain/kinds/group/members.ts';
import type { MembersChange } from '../../../../domain/store.ts';
import type { ResourceDocument, StoredMembers } from '../documents/document.ts';
import type { Relation } from '../documents/tables.ts';

/** Members that lose a dropped set in one command. */
const sweptAtOnce = 500;

const newSet = (): string => randomBytes(9).toString('base64url');

export class Members {
  readonly #relation: Relation;
  readonly #dropped: Collection<{ readonly _id: string }>;
  readonly #limits: { readonly maxTimeMS: number };

  constructor(relation: Relation, db: Db, maxTimeMS: number) {
    this.#relation = relation;
    this.#dropped = db.collection('dropped_sets');
    this.#limits = { maxTimeMS };
  }

  /**
   * For within a transaction that has changed the owner already, so that others wait or fail.
   * @returns the owner's members after the change, or the same object when nothing changes
   * @throws DomainError `invalid-members`
   */
  async change(
    session: ClientSession,
    before: StoredMembers,
    { isWhole = false, add, remove }: MembersChange,
  ): Promise<StoredMembers> {
    const { members } = this.#relation;
    const options = { session, ...this.#limits };
    const found = await members
      .find({ _id: { $in: add } }, { ...options, projection: { groups: 1 } })
      .toArray();
    const known = new Map(found.map(({ _id, groups = [] }) => [_id, groups]));
    const unknown = add.flatMap((id, at) => (known.has(id) ? [] : [at]));
    if (unknown.length > 0) throw unknownMembers('add', unknown);
    const isMember = (id: string): boolean =>
      before.set !== null && known.get(id)?.includes(before.set) === true;
    const here = add.filter(isMember);
    const stays = before.set !== null && (!isWhole || here.length === before.count);
    const set = stays ? before.set : add.length > 0 ? newSet() : null;
    const coming = stays ? add.filter((id) => !isMember(id)) : add;
    if (coming.length > 0 && set !== null)
      await members.updateMany({ _id: { $in: coming } }, { $addToSet: { groups: set } }, options);
    const gone = stays ? await this.#pull(before.set, remove, options) : 0;
    if (!stays && before.set !== null) await this.#dropped.insertOne({ _id: before.set }, options);
    const count = stays ? before.count + coming.length - gone : coming.length;
    const isSame = coming.length === 0 && gone === 0 && (stays || before.count === 0);
    return isSame ? before : { set, count, revision: before.revision + 1 };
  }

  async #pull(set: string, ids: readonly string[], options: object): Promise<number> {
    if (ids.length === 0) return 0;
    const filter = { _id: { $in: ids }, groups: set };
    const { members } = this.#relation;
    const { modifiedCount } = await members.updateMany(filter, { $pull: { groups: set } }, options);
    return modifiedCount;
  }

  /** For within the transaction that removes this document: its members lose it, and its owners lose a member. */
  async end(
    session: ClientSession,
    { members, groups = [] }: Pick<ResourceDocument, 'members' | 'groups'>,
  ): Promise<void> {
    const options = { session, ...this.#limits };
    if (members?.set) await this.#dropped.insertOne({ _id: members.set }, options);
    if (groups.length === 0) return;
    const less = { $inc: { 'members.count': -1, 'members.revision': 1 } };
    await this.#relation.owners.updateMany({ 'members.set': { $in: groups } }, less, options);
  }

  /** Takes dropped sets from members, some at a time, until there are none; also those that another process has left. */
  async sweep(isOver: () => boolean): Promise<void> {
    for (;;) {
      const dropped = await this.#dropped.findOne({}, this.#limits);
      if (dropped === null || isOver()) return;
      const { _id: set } = dropped;
      const options = { ...this.#limits, projection: { _id: 1 }, limit: sweptAtOnce };
      const some = await this.#relation.members.find({ groups: set }, options).toArray();
      const ids = some.map(({ _id }) => _id);
      await this.#pull(set, ids, this.#limits);
      if (some.length < sweptAtOnce) await this.#dropped.deleteOne({ _id: set }, this.#limits);
    }
  }
}
