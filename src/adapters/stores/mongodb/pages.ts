/**
 * Pages of lists. One is either walked to along an index in its order, or sorted from those who match the rarest condition; which of the
 * two, a bounded look into the indexes tells.
 */
import type { Collection } from 'mongodb';
import type { UserQuery } from '../../../domain/ports.ts';
import { type Condition, toConditions } from './conditions.ts';
import { type Estimate, type Estimates, mostSorted } from './estimates.ts';
import { wordsIndex } from './indexes.ts';
import { type Plan, planCount, planSorting, planWalk, type Slice } from './page-plans.ts';
import { type Segment, segmentsOf } from './segments.ts';
import type { ProjectedDocument, UserDocument } from './stored-document.ts';
import { explainEnd, isTimeExpired } from './time-limits.ts';

/**
 * In milliseconds. A walk takes long where those who match stand together, far behind, or where few match all of several conditions.
 * Then all who match the rarest one are sorted after all.
 */
const walkTime = 100;

/** Users who are passed over in each further millisecond of a walk, among those who don't match. */
const passedInTime = 50;

/** What is known of a list before its pages are read. */
interface Known {
  readonly conditions: readonly Condition[];
  /** None where the index of the list's order has all that is asked for. */
  readonly estimate: Estimate | undefined;
}

export class Pages {
  readonly #users: Collection<UserDocument>;
  readonly #estimates: Estimates;
  readonly #maxTimeMS: number;

  constructor(users: Collection<UserDocument>, estimates: Estimates, maxTimeMS: number) {
    this.#users = users;
    this.#estimates = estimates;
    this.#maxTimeMS = maxTimeMS;
  }

  async read(query: UserQuery): Promise<ProjectedDocument[]> {
    const known = await this.#findOut(query);
    const users: ProjectedDocument[] = [];
    let { skip = 0 } = query;
    const segments = segmentsOf(query);
    for (const segment of segments) {
      const limit = query.limit - users.length;
      if (limit <= 0) break;
      const page = await this.#find(segment, known, { skip, limit });
      users.push(...page);
      if (page.length > 0) skip = 0;
      else if (skip > 0 && segment !== segments.at(-1)) skip -= await this.#count(segment, known, skip);
    }
    return users;
  }

  async #findOut(query: UserQuery): Promise<Known> {
    const conditions = toConditions(query);
    // In the order of the ids, the index of the filters has it all.
    const isInOrder = query.sort?.by === undefined && conditions.every(({ index }) => index !== wordsIndex);
    const wanted = (query.skip ?? 0) + query.limit;
    const estimate = isInOrder ? undefined : await this.#estimates.make(conditions, wanted);
    return { conditions, estimate };
  }

  async #find(segment: Segment, { conditions, estimate }: Known, slice: Slice): Promise<ProjectedDocument[]> {
    const walk = planWalk(segment, conditions, slice);
    const canBeCostly = conditions.length > 0 || slice.skip > 0;
    if (estimate === undefined) return this.#runLast(walk, canBeCostly);
    const sorting = planSorting(segment, conditions, estimate.rarest, slice);
    if (estimate.isSortingQuicker) return this.#runLast(sorting, slice.skip > 0);
    if (slice.skip + slice.limit > mostSorted) return this.#runLast(walk, true);
    try {
      return await this.#run(
        walk,
        Math.min(walkTime + Math.ceil(slice.skip / passedInTime), this.#maxTimeMS),
      );
    } catch (cause) {
      if (!isTimeExpired(cause)) throw cause;
      return await this.#runLast(sorting, true);
    }
  }

  /** How many there are in a segment by key, up to `most`. */
  async #count(segment: Segment, { conditions, estimate }: Known, most: number): Promise<number> {
    const { filter, options } = planCount(segment, conditions, estimate?.rarest);
    try {
      const found = this.#users.countDocuments(filter, { ...options, maxTimeMS: this.#maxTimeMS });
      return Math.min(most, await found);
    } catch (cause) {
      throw await explainEnd(this.#users, cause, this.#maxTimeMS);
    }
  }

  async #run({ filter, options }: Plan, maxTimeMS: number): Promise<ProjectedDocument[]> {
    return await this.#users.find<ProjectedDocument>(filter, { ...options, maxTimeMS }).toArray();
  }

  /** @param canBeCostly true when nothing bounds how many it looks at */
  async #runLast(plan: Plan, canBeCostly: boolean): Promise<ProjectedDocument[]> {
    try {
      return await this.#run(plan, this.#maxTimeMS);
    } catch (cause) {
      throw canBeCostly ? await explainEnd(this.#users, cause, this.#maxTimeMS) : cause;
    }
  }
}
