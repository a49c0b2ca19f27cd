/**
 * How a page is found. There are two ways: along the order, by a scan of its index past the resources that don't match; or by a condition,
 * whose resources are all read from its index, compared with the other conditions, and sorted.
 *
 * One rule chooses. The resources of each condition are counted in its index, up to the number that still counts as few (plan.ts). If
 * the lowest count is no higher, its condition finds the page. Otherwise matches should be frequent along the order, and a scan finds the page within
 * `scanTime`. If it doesn't, the matches stand together far away, or few resources match all conditions at once: then the condition
 * finds the page after all. No query takes longer than `maxTimeMS`: the server ends it, and it is refused as too costly.
 *
 * A condition on ids always counts as few. Two kinds of lists have only the scan: without conditions, and with conditions whose indexes hold the matches
 * in the order of the list.
 */

import type { FindOptions } from 'mongodb';
import type { Condition } from '../../../../domain/find/conditions.ts';
import type { Sort } from '../../../../domain/find/sorts.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { type Page, type PageQuery, toPage } from '../../../../domain/store.ts';
import { type DomainError, queryTooCostly } from '../../../../domain/validation/errors.ts';
import { hasCode } from '../connection/driver-errors.ts';
import {
  type Documents,
  placeName,
  readPlace,
  readStored,
  type ShownDocument,
  shown,
  sortField,
} from '../documents/document.ts';
import { groupsIndex, idIndex, keysIndex, sortIndex } from '../documents/indexes.ts';
import { allOf, type DocumentFilter, filtersOf, hintOf, type Part, toParts } from './conditions.ts';
import type { Snapshot } from './memberships.ts';
import { type Fewest, FewestFinder, type FewestOptions, type Range, rangesOf } from './plan.ts';

/** In milliseconds: some 50,000 resources are scanned in it. */
const scanTime = 100;

/** The number of matching resources that each further millisecond skips. */
const skippedInTime = 50;

/** In milliseconds: a server that isn't too busy reads one document in less. */
const soon = 100;

const isTimeExpired = (cause: unknown): boolean => hasCode(cause, 50);

/** The conditions, and the best of them for finding resources. */
interface Plan {
  readonly parts: readonly Part[];
  /** A scan finds each page, without a count. */
  readonly isScan: boolean;
  /** Undefined if it makes no difference. */
  readonly fewest: Fewest | undefined;
  readonly projection: Readonly<Record<string, 1>>;
  /** The time limit of each command. */
  readonly snapshot: Snapshot['options'];
}

/** All resources, for a total without conditions. */
const everything: Pick<Range, 'index' | 'filter'> = { index: idIndex, filter: {} };

const idIndexes: readonly (string | undefined)[] = [keysIndex, idIndex, groupsIndex];

/** Its index holds its matches in the order of the list. */
const isInOrder = ({ index, isCovered }: Part, { by }: Sort = {}): boolean =>
  isCovered && (by === undefined ? idIndexes.includes(index) : index === sortIndex(by));

/** By id, the indexes of keys and of groups serve, too: they have the ids of each key in order. The server chooses which of several keys it looks up. */
function scanHint({ index }: Range, parts: readonly Part[]): string {
  if (index !== idIndex) return index;
  return [keysIndex, groupsIndex].find((name) => parts.some((part) => part.index === name)) ?? index;
}

export class Pages {
  readonly kind: Kind;
  readonly documents: Documents;
  readonly #finder: FewestFinder;
  readonly #maxTimeMS: number;

  constructor(kind: Kind, documents: Documents, options: FewestOptions) {
    this.kind = kind;
    this.documents = documents;
    this.#finder = new FewestFinder(documents, options);
    this.#maxTimeMS = options.maxTimeMS;
  }

  /** @param where the condition of the query, with sets of members in place of ids @param snapshot that has these sets */
  async read(where: Condition, query: PageQuery, snapshot: Snapshot): Promise<Page> {
    const { limit, total, sort } = query;
    try {
      const plan = await this.#plan(where, query, snapshot);
      const [found, count] = await Promise.all([
        limit === 0 ? [] : this.#list(plan, query),
        total && this.#count(plan, everything, total === 'exact' ? undefined : total.most),
      ]);
      const page = toPage(found, query, {
        read: (document) => readStored(this.kind, document),
        placeOf: ({ _id, sorts }) => readPlace(_id, sorts?.[placeName(sort?.by ?? '')] ?? ''),
      });
      return { ...page, total: count };
    } catch (cause) {
      throw isTimeExpired(cause) ? await this.#explainEnd() : cause;
    }
  }

  /** The query was too costly if the server reads one document in time. @throws the server's own error if it doesn't */
  async #explainEnd(): Promise<DomainError> {
    await this.documents.findOne({ _id: '' }, { maxTimeMS: Math.min(soon, this.#maxTimeMS) });
    return queryTooCostly();
  }

  async #plan(
    where: Condition,
    { sort, skip = 0, limit, list, total }: PageQuery,
    snapshot: Snapshot,
  ): Promise<Plan> {
    const parts = toParts(where, this.kind, snapshot);
    const projection = sort?.by === undefined ? shown : { ...shown, [sortField(sort.by)]: 1 };
    const isScan = parts.every((part) => isInOrder(part, sort));
    const matters = (limit > 0 && !isScan) || (total !== undefined && parts.length > 1);
    // A request for a total alone is planned like one for a long page.
    const wanted = limit === 0 ? 1_000 : skip + limit;
    const fewest = matters ? await this.#finder.find(parts, wanted, snapshot, list) : undefined;
    return { parts, isScan, fewest, projection, snapshot: snapshot.options };
  }

  /** The resources of the page, and the next one, if any. */
  async #list(plan: Plan, query: PageQuery): Promise<ShownDocument[]> {
    const found: ShownDocument[] = [];
    let { skip = 0 } = query;
    const ranges = rangesOf(query);
    for (const range of ranges) {
      const limit = query.limit + 1 - found.length;
      if (limit <= 0) break;
      const some = await this.#find(range, plan, skip, limit);
      found.push(...some);
      if (some.length > 0) skip = 0;
      else if (skip > 0 && range !== ranges.at(-1))
        skip -= Math.min(skip, await this.#count(plan, range, skip));
    }
    return found;
  }

  async #find(range: Range, plan: Plan, skip: number, limit: number): Promise<ShownDocument[]> {
    const { parts, isScan, fewest, projection, snapshot } = plan;
    const options = { sort: range.order, skip, limit, batchSize: limit, projection, ...snapshot };
    const scan = (time: number) =>
      this.#run([...filtersOf(parts), range.filter], { ...options, hint: scanHint(range, parts) }, time);
    if (isScan || fewest === undefined) return await scan(this.#maxTimeMS);
    if (!fewest.isFew) {
      try {
        return await scan(scanTime + Math.ceil(skip / skippedInTime));
      } catch (cause) {
        if (!isTimeExpired(cause)) throw cause;
      }
    }
    const part = parts[fewest.at];
    // The server holds all resources up to the end of the page; beyond its memory limit, on its disk.
    const sorting = { ...options, ...hintOf(part, range.index), allowDiskUse: true };
    return await this.#run([...filtersOf(parts, part), range.filter], sorting, this.#maxTimeMS);
  }

  async #run(filters: DocumentFilter[], options: FindOptions, time: number): Promise<ShownDocument[]> {
    const maxTimeMS = Math.min(time, this.#maxTimeMS);
    return await this.documents.find<ShownDocument>(allOf(filters), { ...options, maxTimeMS }).toArray();
  }

  /** Exact: MongoDB's own count of a collection is wrong after a crash. @param most beyond it any number is correct */
  async #count(
    { parts, fewest, snapshot }: Plan,
    range: Pick<Range, 'index' | 'filter'>,
    most?: number,
  ): Promise<number> {
    const part = parts[fewest?.at ?? 0];
    const limit = most === undefined ? {} : { limit: most + 1 };
    const options = { ...hintOf(part, range.index), ...snapshot, maxTimeMS: this.#maxTimeMS, ...limit };
    return await this.documents.countDocuments(allOf([...filtersOf(parts, part), range.filter]), options);
  }
}
