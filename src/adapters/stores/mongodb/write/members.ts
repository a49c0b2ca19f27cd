/**
 * Who belongs to which group. A group names its set of members; a user has the names of its sets in `groups`. A change is a transaction
 * on the group and the users that it concerns. A group that is removed, or gets other members as a whole, leaves its set behind: nobody
 * finds it any more, and users lose it in steps.
 */
import { randomBytes } from 'node:crypto';
import type { ClientSession, Collection, Db, Document } from 'mongodb';
import { unknownMembers } from '../../../../domain/kinds/group/members.ts';
import type { MembersChange } from '../../../../domain/ports.ts';
import { collectionName, type StoredMembers } from '../documents/stored-document.ts';

type WithId = Document & { readonly _id: string };

/** Users that lose a dropped set in one command. */
const sweptAtOnce = 500;

const newSet = (): string => randomBytes(9).toString('base64url');

export class Members {
  readonly #users: Collection<WithId>;
  readonly #groups: Collection<WithId>;
  readonly #dropped: Collection<WithId>;
  readonly #limits: { readonly maxTimeMS: number };

  constructor(db: Db, groups: string, maxTimeMS: number) {
    this.#users = db.collection(collectionName);
    this.#groups = db.collection(groups);
    this.#dropped = db.collection('dropped_sets');
    this.#limits = { maxTimeMS };
  }

  /**
   * For within a transaction that has changed the group already, so that others wait or fail.
   * @returns the group's members after the change, or the same object when nothing changes
   * @throws DomainError `invalid-members`
   */
  async change(
    session: ClientSession,
    before: StoredMembers,
    { isWhole = false, add, remove }: MembersChange,
  ): Promise<StoredMembers> {
    const options = { session, ...this.#limits };
    const found = await this.#users
      .find({ _id: { $in: [...add] } }, { ...options, projection: { groups: 1 } })
      .toArray();
    const known = new Map(found.map(({ _id, groups }) => [_id, groups]));
    const unknown = add.flatMap((id, at) => (known.has(id) ? [] : [at]));
    if (unknown.length > 0) throw unknownMembers('add', unknown);
    const isMember = (id: string): boolean => before.set !== null && known.get(id)?.includes(before.set);
    const here = add.filter(isMember);
    const stays = before.set !== null && (!isWhole || here.length === before.count);
    const set = stays ? before.set : add.length > 0 ? newSet() : null;
    const coming = stays ? add.filter((id) => !isMember(id)) : add;
    if (coming.length > 0)
      await this.#users.updateMany({ _id: { $in: [...coming] } }, { $addToSet: { groups: set } }, options);
    const gone = stays ? await this.#pull(before.set, remove, options) : 0;
    if (!stays && before.set !== null) await this.drop(session, before.set);
    const count = stays ? before.count + coming.length - gone : coming.length;
    const isSame = coming.length === 0 && gone === 0 && (stays || before.count === 0);
    return isSame ? before : { set, count, revision: before.revision + 1 };
  }

  async #pull(set: string | null, ids: readonly string[], options: object): Promise<number> {
    if (ids.length === 0) return 0;
    const filter = { _id: { $in: [...ids] }, groups: set };
    const { modifiedCount } = await this.#users.updateMany(
      filter,
      { $pull: { groups: set } } as Document,
      options,
    );
    return modifiedCount;
  }

  /** For within a transaction: users lose it by `sweep`. */
  async drop(session: ClientSession, set: string): Promise<void> {
    await this.#dropped.insertOne({ _id: set }, { session, ...this.#limits });
  }

  /** For within a transaction that removes a user of these sets. */
  async leave(session: ClientSession, sets: readonly string[]): Promise<void> {
    await this.#groups.updateMany(
      { 'members.set': { $in: [...sets] } },
      { $inc: { 'members.count': -1, 'members.revision': 1 } },
      { session, ...this.#limits },
    );
  }

  /** Takes dropped sets from users, some at a time, until there are none; also those that another process has left. */
  async sweep(isOver: () => boolean): Promise<void> {
    for (;;) {
      const dropped = await this.#dropped.findOne({}, this.#limits);
      if (dropped === null || isOver()) return;
      const { _id: set } = dropped;
      const some = await this.#users
        .find({ groups: set }, { ...this.#limits, projection: { _id: 1 }, limit: sweptAtOnce })
        .toArray();
      await this.#pull(
        set,
        some.map(({ _id }) => _id),
        this.#limits,
      );
      if (some.length < sweptAtOnce) await this.#dropped.deleteOne({ _id: set }, this.#limits);
    }
  }
}
