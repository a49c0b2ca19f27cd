/**
 * How a page is found. There are two ways: along the order, by a scan of its index past the users that don't match; or by a condition,
 * whose users are all read from its index, compared with the other conditions, and sorted.
 *
 * One rule chooses. The users of each condition are counted in its index, up to as many as are few (fewest.ts). If the condition with the
 * fewest users has few, it finds the page. Otherwise matches should be frequent along the order, and a scan finds the page within
 * `scanTime`. If it doesn't, the matches stand together far away, or few users match all conditions at once: then the condition finds
 * the page after all. No query takes longer than `maxTimeMS`: the server ends it, and it is refused as too costly.
 *
 * Ids are few without a count. Two kinds of lists have only the scan: without conditions, and by id with conditions whose indexes hold the ids in order.
 */
import type { Collection, Filter, FindOptions } from 'mongodb';
import type { Count, Query } from '../../../../domain/ports.ts';
import { groupsIndex, idIndex, keysIndex } from '../documents/indexes.ts';
import { type ProjectedDocument, type UserDocument, withoutDerived } from '../documents/stored-document.ts';
import { hintOf, matchAll, type Part, toParts } from './conditions.ts';
import { type Fewest, FewestFinder, type FewestOptions } from './fewest.ts';
import { matchSegment, orderOf, rangeOf, type Segment, segmentsOf } from './segments.ts';
import { explainEnd, isTimeExpired } from './time-limits.ts';

/** In milliseconds: some 50,000 users are scanned in it. */
const scanTime = 100;

/** Users that match and are skipped in each further millisecond. */
const skippedInTime = 50;

/** The command names its index, so that only filters of several indexes are left to the server's choice. */
interface Plan {
  readonly filter: Filter<UserDocument>;
  readonly options: FindOptions;
}

/** The part of the found users that is read. */
interface Slice {
  readonly skip: number;
  readonly limit: number;
}

/** The conditions, and the best of them for finding users. */
interface Asked {
  readonly parts: readonly Part[];
  /** Undefined where a scan is enough. */
  readonly fewest: Fewest | undefined;
}

const toFilter = (filters: readonly Filter<UserDocument>[]): Filter<UserDocument> =>
  filters.length === 0 ? {} : { $and: [...filters] };

const optionsOf = (segment: Segment, { skip, limit }: Slice): FindOptions => ({
  sort: orderOf(segment),
  ...(skip === 0 ? {} : { skip }),
  limit,
  batchSize: limit,
  projection: withoutDerived,
});

/** By id, the indexes of keys and of groups serve too: they have the ids in order behind each key. Which of several keys is looked up is the server's choice. */
function planScan(segment: Segment, parts: readonly Part[], slice: Slice): Plan {
  const options = optionsOf(segment, slice);
  const matching = matchAll(parts);
  if (segment.field !== undefined)
    return { filter: toFilter(matching), options: { ...options, ...rangeOf(segment), hint: segment.index } };
  const serving = [keysIndex, groupsIndex].find((name) => parts.some(({ index }) => index === name));
  const hint = serving ?? segment.index;
  return { filter: toFilter([...matching, ...matchSegment(segment)]), options: { ...options, hint } };
}

/** The server holds the users of a page and those that are skipped: beyond its limit, on its disk. */
function planSorting(segment: Segment, parts: readonly Part[], part: Part, slice: Slice): Plan {
  const options = { ...optionsOf(segment, slice), ...hintOf(part, segment.index) };
  return {
    filter: toFilter([...matchAll(parts, part), ...matchSegment(segment)]),
    options: slice.skip === 0 ? options : { ...options, allowDiskUse: true },
  };
}

const isInIdOrder = ({ index, isCovered }: Part): boolean =>
  isCovered && (index === keysIndex || index === idIndex || index === groupsIndex);

export class Pages {
  readonly #users: Collection<UserDocument>;
  readonly #finder: FewestFinder;
  readonly #maxTimeMS: number;

  constructor(users: Collection<UserDocument>, options: FewestOptions) {
    this.#users = users;
    this.#finder = new FewestFinder(users, options);
    this.#maxTimeMS = options.maxTimeMS;
  }

  async read(query: Query): Promise<ProjectedDocument[]> {
    const asked = await this.#ask(query);
    const users: ProjectedDocument[] = [];
    let { skip = 0 } = query;
    const segments = segmentsOf(query);
    for (const segment of segments) {
      const limit = query.limit - users.length;
      if (limit <= 0) break;
      const page = await this.#find(segment, asked, { skip, limit });
      users.push(...page);
      if (page.length > 0) skip = 0;
      else if (skip > 0 && segment !== segments.at(-1))
        skip -= Math.min(skip, await this.#count(asked.parts, asked.fewest?.part, { segment, most: skip }));
    }
    return users;
  }

  /** Exact: MongoDB's own count of a collection isn't, after a crash. */
  async count({ where, most }: Count): Promise<number> {
    const parts = toParts(where);
    // As for a long page.
    const fewest = parts.length > 1 ? await this.#finder.find(parts, 1_000) : undefined;
    return await this.#count(parts, fewest?.part ?? parts[0], { most });
  }

  async #ask({ where, sort, skip = 0, limit }: Query): Promise<Asked> {
    const parts = toParts(where);
    const isScan = sort?.by === undefined && parts.every(isInIdOrder);
    return { parts, fewest: isScan ? undefined : await this.#finder.find(parts, skip + limit) };
  }

  async #find(segment: Segment, { parts, fewest }: Asked, slice: Slice): Promise<ProjectedDocument[]> {
    const scan = planScan(segment, parts, slice);
    const isBounded = slice.skip === 0 && (parts.length === 0 || fewest?.isFew === true);
    if (fewest === undefined) return await this.#run(scan, isBounded);
    if (!fewest.isFew) {
      try {
        return await this.#runFor(scan, scanTime + Math.ceil(slice.skip / skippedInTime));
      } catch (cause) {
        if (!isTimeExpired(cause)) throw cause;
      }
    }
    return await this.#run(planSorting(segment, parts, fewest.part, slice), isBounded);
  }

  /** @param part by whose index they are counted @param of.segment all users where it is left out */
  async #count(
    parts: readonly Part[],
    part: Part | undefined,
    { segment, most }: { readonly segment?: Segment; readonly most?: number | undefined },
  ): Promise<number> {
    const filter = toFilter([...matchAll(parts, part), ...(segment ? matchSegment(segment) : [])]);
    const options = { ...hintOf(part, segment?.index ?? idIndex), maxTimeMS: this.#maxTimeMS };
    const limit = most === undefined ? {} : { limit: most + 1 };
    return await this.#explaining(() => this.#users.countDocuments(filter, { ...options, ...limit }));
  }

  /** @param isBounded few users are looked at: it isn't the query that takes long */
  #run(plan: Plan, isBounded: boolean): Promise<ProjectedDocument[]> {
    const run = () => this.#runFor(plan, this.#maxTimeMS);
    return isBounded ? run() : this.#explaining(run);
  }

  async #runFor({ filter, options }: Plan, time: number): Promise<ProjectedDocument[]> {
    const maxTimeMS = Math.min(time, this.#maxTimeMS);
    return await this.#users.find<ProjectedDocument>(filter, { ...options, maxTimeMS }).toArray();
  }

  async #explaining<T>(query: () => Promise<T>): Promise<T> {
    try {
      return await query();
    } catch (cause) {
      throw await explainEnd(this.#users, cause, this.#maxTimeMS);
    }
  }
}
