/**
 * Finds resources by membership. Conditions name an owner or a member by id; here the ids are replaced by the sets of members by which documents are
 * found. A dropped set loses its members in steps, so all reads are from one snapshot, in which the owner has its whole set.
 */
import type { ClientSession, Collection } from 'mongodb';
import { type Condition, matchNone, usesFilter } from '../../../../domain/find/conditions.ts';
import {
  byMember,
  byOwner,
  type MembershipFilter,
  Owners,
  ownerName,
  replaceMemberships,
} from '../../../../domain/find/owners.ts';
import { Stored } from '../../../../domain/resource/stored.ts';
import type { PageQuery, RelatedIds } from '../../../../domain/store.ts';
import type { Database } from '../connection/database.ts';
import type { Relation } from '../documents/document.ts';
import { idIndex } from '../documents/indexes.ts';

const readConcern = { level: 'snapshot' } as const;

interface Found {
  /** Identifies the owner of a list: by its set, or for a member by its time of creation. */
  readonly owner: string;
  /** The sets by which documents are found: the one of the owner, or all to which the member belongs. */
  readonly sets: readonly string[];
}

function membershipsIn(condition: Condition): readonly MembershipFilter[] {
  const all: MembershipFilter[] = [];
  replaceMemberships(condition, (one) => {
    all.push(one);
    return one;
  });
  return all;
}

/** Names of sets without an owner, which some members still have. */
type EndedSets = Collection<{ readonly _id: string }>;

export class Memberships {
  readonly #database: Database;
  readonly #relation: Relation;
  readonly #endedSets: readonly EndedSets[];
  readonly #owners = new Owners<string>();

  constructor(database: Database, relation: Relation, endedSets: readonly EndedSets[]) {
    this.#database = database;
    this.#relation = relation;
    this.#endedSets = endedSets;
  }

  /** Reads by the condition, in which sets replace ids; several sets of a member are separated by spaces. @throws DomainError as `keepOwner` */
  async reading<R>(
    { where, list }: PageQuery,
    read: (where: Condition, snapshot: Snapshot) => Promise<R>,
  ): Promise<R> {
    const memberships = membershipsIn(where);
    if (memberships.length === 0 && !usesFilter(where, byOwner)) return await read(where, noSnapshot);
    const session = this.#database.client.startSession({ snapshot: true });
    try {
      const options = { session, readConcern };
      const sizes = new Map<string, number>();
      const found = new Map([
        ...(await this.#findOwners(memberships, options, sizes)),
        ...(await this.#findMembers(memberships, options)),
      ]);
      const resolved = replaceMemberships(where, (membership) => {
        const { owner: now, sets = [] } = found.get(ownerName(membership)) ?? {};
        const owner = this.#owners.keep(list, membership, now);
        return owner === undefined || sets.length === 0
          ? matchNone
          : { filter: membership.filter, key: sets.join(' ') };
      });
      return await read(resolved, { options, sizes, ended: await this.#findEnded(where, options) });
    } finally {
      await session.endSession();
    }
  }

  /** As `Store.related`. @param isOwner the ids are those of owners */
  async related(isOwner: boolean, ids: readonly string[], limit: number): Promise<RelatedIds> {
    const { owners, members } = this.#relation;
    const [from, to] = isOwner ? [owners, members] : [members, owners];
    const [localField, foreignField] = isOwner ? ['members.set', 'groups'] : ['groups', 'members.set'];
    const pipeline = [{ $limit: limit }, { $project: { _id: 1 } }];
    const stages = [
      // Otherwise resources without a set would be related to each other.
      { $match: { _id: { $in: ids }, [localField]: { $gt: '' } } },
      { $project: { [localField]: 1 } },
      { $lookup: { from: to.collectionName, localField, foreignField, pipeline, as: 'related' } },
      { $project: { related: '$related._id' } },
    ];
    const options = { ...this.#database.limits, readConcern, hint: idIndex, batchSize: ids.length + 1 };
    const found = await from.aggregate<{ _id: string; related: string[] }>(stages, options).toArray();
    return new Map(found.flatMap(({ _id, related }) => (related.length > 0 ? [[_id, related]] : [])));
  }

  /** Only for conditions that ask whether there is an owner. */
  async #findEnded(where: Condition, snapshot: Snapshot['options']): Promise<readonly string[]> {
    if (!usesFilter(where, byOwner)) return [];
    const options = { ...this.#database.limits, ...snapshot };
    const found = await Promise.all(this.#endedSets.map((sets) => sets.find({}, options).toArray()));
    return found.flat().map(({ _id }) => _id);
  }

  /** Finds owners by their names (`ownerName`). @param sizes receives the sizes of their sets */
  async #findOwners(
    memberships: readonly MembershipFilter[],
    snapshot: Snapshot['options'],
    sizes: Map<string, number>,
  ): Promise<readonly (readonly [string, Found])[]> {
    const $in = memberships.flatMap(({ filter, key }) => (filter === byOwner ? key : []));
    if ($in.length === 0) return [];
    const options = {
      ...this.#database.limits,
      ...snapshot,
      batchSize: $in.length + 1,
      projection: { members: 1 },
    };
    const found = await this.#relation.owners.find({ _id: { $in } }, options).toArray();
    return found.flatMap(({ _id: key, members }) => {
      if (!members?.set) return [];
      sizes.set(members.set, members.count);
      return [[ownerName({ filter: byOwner, key }), { owner: members.set, sets: [members.set] }]];
    });
  }

  async #findMembers(
    memberships: readonly MembershipFilter[],
    snapshot: Snapshot['options'],
  ): Promise<readonly (readonly [string, Found])[]> {
    const $in = memberships.flatMap(({ filter, key }) => (filter === byMember ? key : []));
    if ($in.length === 0) return [];
    const projection = { text: 1, groups: 1 };
    const options = { ...this.#database.limits, ...snapshot, batchSize: $in.length + 1, projection };
    const found = await this.#relation.members.find({ _id: { $in } }, options).toArray();
    return found.map(({ _id: key, text, groups = [] }) => [
      ownerName({ filter: byMember, key }),
      { owner: new Stored(text).meta.created, sets: groups },
    ]);
  }
}

/** A state of the data for several commands. */
export interface Snapshot {
  /** The options of each command. */
  readonly options: {
    readonly session?: ClientSession;
    readonly readConcern?: { readonly level: 'snapshot' };
  };
  /** The known sizes of sets of members. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The sets without an owner, if the condition asks whether there is one. */
  readonly ended: readonly string[];
}

/** No snapshot: each command reads the newest state. */
export const noSnapshot: Snapshot = { options: {}, sizes: new Map(), ended: [] };
