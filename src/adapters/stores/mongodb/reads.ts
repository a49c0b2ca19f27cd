/**
 * Reads of users. A page is either walked to along an index in its order, or sorted from those who match the rarest condition; which
 * of the two, a bounded look into the indexes tells. No plan looks at more than an index names, and MongoDB ends each in time.
 */
import { type Collection, MongoServerError } from 'mongodb';
import { DomainError } from '../../../domain/errors.ts';
import type { Conditions, UserQuery } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { type Condition, matchAll, toConditions } from './conditions.ts';
import { type Estimate, Estimates } from './estimates.ts';
import { idIndex, wordsIndex } from './indexes.ts';
import { type Plan, planSorting, planWalk, type Segment, segmentsOf } from './page-plans.ts';
import { findStale } from './stale-documents.ts';
import { type ProjectedDocument, readStored, type UserDocument } from './stored-document.ts';

/**
 * In milliseconds. A walk takes long where those who match stand together, far behind, or where few match all of several conditions.
 * Then all who match the rarest one are sorted after all.
 */
const walkTime = 100;

/** Of a list in which documents that were changed by hand are met, two at a time at most. */
const maxTries = 20;

const timeExpired = 50;
const isTimeExpired = (cause: unknown): boolean =>
  cause instanceof MongoServerError && cause.code === timeExpired;

export interface ReadOptions {
  readonly maxTimeMS: number;
  /** See `EstimateOptions.few`. */
  readonly fewCandidates?: number;
  /** Makes anew what the user is searched and sorted by. */
  readonly mend: (stored: StoredUser) => Promise<unknown>;
}

export class MongoReads {
  readonly #users: Collection<UserDocument>;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #estimates: Estimates;
  readonly #mend: (stored: StoredUser) => Promise<unknown>;

  constructor(users: Collection<UserDocument>, { maxTimeMS, fewCandidates, mend }: ReadOptions) {
    this.#users = users;
    this.#limits = { maxTimeMS };
    this.#estimates = new Estimates(users, { maxTimeMS, few: fewCandidates });
    this.#mend = mend;
  }

  async find(id: string): Promise<StoredUser | undefined> {
    const found = await this.#users.findOne<ProjectedDocument>({ _id: id }, this.#limits);
    return found ? readStored(found) : undefined;
  }

  async list(query: UserQuery): Promise<StoredUser[]> {
    for (let tries = 1; ; tries += 1) {
      const documents = await this.#list(query);
      const stale = findStale(documents, query.sort?.by);
      if (stale.length === 0 || tries === maxTries) return documents.map(readStored);
      await Promise.all(stale.map(this.#mend));
    }
  }

  async #list(query: UserQuery): Promise<ProjectedDocument[]> {
    const conditions = toConditions(query);
    // In the order of the ids, the index of the filters has it all.
    const isInOrder = query.sort?.by === undefined && conditions.every(({ index }) => index !== wordsIndex);
    const found = isInOrder ? undefined : await this.#estimates.make(conditions, query.limit);
    const users: ProjectedDocument[] = [];
    for (const segment of segmentsOf(query)) {
      const limit = query.limit - users.length;
      if (limit > 0) users.push(...(await this.#findPage(query, segment, conditions, found, limit)));
    }
    return users;
  }

  /** Exact: MongoDB's own count of a collection is none after a crash. */
  async count(asked: Conditions): Promise<number> {
    const conditions = toConditions(asked);
    const rarest =
      conditions.length > 1 ? (await this.#estimates.make(conditions, 1_000))?.rarest : conditions[0];
    const parts = matchAll(conditions, rarest);
    const filter = parts.length === 0 ? {} : { $and: parts };
    const options = { ...this.#limits, hint: rarest?.index ?? idIndex };
    try {
      return await this.#users.countDocuments(filter, options);
    } catch (cause) {
      throw await this.#explainEnd(cause);
    }
  }

  async #findPage(
    { sort }: UserQuery,
    segment: Segment,
    conditions: readonly Condition[],
    found: Estimate | undefined,
    limit: number,
  ): Promise<ProjectedDocument[]> {
    const walk = planWalk(segment, conditions, sort?.by, limit);
    if (found === undefined) return this.#runLast(walk, conditions.length > 0);
    const sorting = planSorting(segment, conditions, found.rarest, limit);
    if (found.isSortingQuicker) return this.#runLast(sorting, false);
    try {
      return await this.#run(walk, Math.min(walkTime, this.#limits.maxTimeMS));
    } catch (cause) {
      if (!isTimeExpired(cause)) throw cause;
      return await this.#runLast(sorting, true);
    }
  }

  async #run({ filter, options }: Plan, maxTimeMS: number): Promise<ProjectedDocument[]> {
    return await this.#users.find<ProjectedDocument>(filter, { ...options, maxTimeMS }).toArray();
  }

  /** @param canBeCostly true when nothing bounds how many it looks at */
  async #runLast(plan: Plan, canBeCostly: boolean): Promise<ProjectedDocument[]> {
    try {
      return await this.#run(plan, this.#limits.maxTimeMS);
    } catch (cause) {
      throw canBeCostly ? await this.#explainEnd(cause) : cause;
    }
  }

  /** Out of time on a server that is quick otherwise, it was the query. @throws the server's own error where that isn't quick */
  async #explainEnd(cause: unknown): Promise<unknown> {
    if (!isTimeExpired(cause)) return cause;
    await this.#users.findOne({ _id: '' }, { maxTimeMS: Math.min(walkTime, this.#limits.maxTimeMS) });
    return new DomainError(
      'query-too-costly',
      'Too many users would have to be looked at: ask with a longer term or one more filter, or without the total.',
    );
  }
}
