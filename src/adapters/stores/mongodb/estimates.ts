/** Tells which condition the fewest match, and what it takes to find a page, by a bounded look into the index of each. */
import type { Collection } from 'mongodb';
import type { Condition } from './conditions.ts';
import type { UserDocument } from './stored-document.ts';

/** In milliseconds. Estimates decide only how a page is found, so the next pages go by those of the first. */
const keptFor = 5_000;
const maxKept = 1_000;

/** To look at one more of them than this takes longer than a walk that finds as many matches by chance. */
const fewOf = (limit: number, all: number): number => Math.ceil(Math.sqrt(limit * all));

/** As many documents as a server sorts without its disk (100 MB) have room in it, at five times the usual size. */
export const mostSorted = 20_000;

/** Of those who match one of several conditions only some match all, so that a walk to them takes longer. */
const moreOfSeveral = 4;

export interface Estimate {
  readonly rarest: Condition;
  /** True when it takes less to look at all who match the rarest than to walk to so many who match all. */
  readonly isSortingQuicker: boolean;
}

export interface EstimateOptions {
  /** At most so many are sorted without a try to walk; left out, as many as that is quicker for. */
  readonly few?: number | undefined;
  readonly maxTimeMS: number;
}

export class Estimates {
  readonly #users: Collection<UserDocument>;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #few: number;
  readonly #kept = new Map<string, { readonly number: Promise<number>; readonly until: number }>();

  constructor(
    users: Collection<UserDocument>,
    { few = Number.POSITIVE_INFINITY, maxTimeMS }: EstimateOptions,
  ) {
    this.#users = users;
    this.#limits = { maxTimeMS };
    this.#few = few;
  }

  /**
   * Undefined without conditions. Takes who matches one condition to be as likely as anybody to match another one.
   * @param limit how many users are read or passed over
   */
  async make(conditions: readonly Condition[], limit: number): Promise<Estimate | undefined> {
    if (conditions.length === 0) return undefined;
    // A rough number will do here, and this one costs nothing.
    const all = await this.#keep('', () => this.#users.estimatedDocumentCount(this.#limits));
    const quicker = fewOf(limit, all) * (conditions.length > 1 ? moreOfSeveral : 1);
    const few = Math.min(this.#few, quicker, limit > mostSorted ? mostSorted : quicker);
    const counts = await Promise.all(
      conditions.map(async (condition) => ({ condition, candidates: await this.#count(condition, few) })),
    );
    const [rarest] = counts.sort((one, other) => one.candidates - other.candidates);
    if (rarest === undefined) return undefined;
    const shares = counts.map(({ candidates }) => (candidates > few ? 1 : candidates / Math.max(all, 1)));
    const walked = limit / shares.reduce((product, share) => product * share, 1);
    return {
      rarest: rarest.condition,
      isSortingQuicker: rarest.candidates <= Math.min(few, walked),
    };
  }

  /** Not beyond one more than `few`. */
  #count({ index, byIndex }: Condition, few: number): Promise<number> {
    const options = { hint: index, limit: few + 1, ...this.#limits };
    return this.#keep(JSON.stringify([few, byIndex]), () => this.#users.countDocuments(byIndex, options));
  }

  #keep(key: string, look: () => Promise<number>): Promise<number> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > performance.now()) return kept.number;
    if (this.#kept.size >= maxKept) this.#kept.clear();
    const number = look();
    this.#kept.set(key, { number, until: performance.now() + keptFor });
    number.catch(() => this.#kept.delete(key));
    return number;
  }
}
