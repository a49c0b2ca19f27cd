/** Reads of users. MongoDB ends each in time, and none looks at more than an index names. */
import type { Collection } from 'mongodb';
import type { Conditions, UserQuery } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { matchAll, toConditions } from './conditions.ts';
import { Estimates } from './estimates.ts';
import { idIndex } from './indexes.ts';
import { Pages } from './pages.ts';
import { findStale } from './stale-documents.ts';
import { type ProjectedDocument, readStored, type UserDocument } from './stored-document.ts';
import { explainEnd } from './time-limits.ts';

/** Of a list in which documents that were changed by hand are met, two at a time at most. */
const maxTries = 20;

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
  readonly #pages: Pages;
  readonly #mend: (stored: StoredUser) => Promise<unknown>;

  constructor(users: Collection<UserDocument>, { maxTimeMS, fewCandidates, mend }: ReadOptions) {
    this.#users = users;
    this.#limits = { maxTimeMS };
    this.#estimates = new Estimates(users, { maxTimeMS, few: fewCandidates });
    this.#pages = new Pages(users, this.#estimates, maxTimeMS);
    this.#mend = mend;
  }

  async find(id: string): Promise<StoredUser | undefined> {
    const found = await this.#users.findOne<ProjectedDocument>({ _id: id }, this.#limits);
    return found ? readStored(found) : undefined;
  }

  async list(query: UserQuery): Promise<StoredUser[]> {
    for (let tries = 1; ; tries += 1) {
      const documents = await this.#pages.read(query);
      const stale = findStale(documents, query.sort?.by);
      if (stale.length === 0 || tries === maxTries) return documents.map(readStored);
      await Promise.all(stale.map(this.#mend));
    }
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
      throw await explainEnd(this.#users, cause, this.#limits.maxTimeMS);
    }
  }
}
