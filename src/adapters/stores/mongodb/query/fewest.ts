/** Which of several conditions the fewest users match, by a bounded look into the index of each. */
import type { Collection } from 'mongodb';
import { idIndex } from '../documents/indexes.ts';
import type { UserDocument } from '../documents/stored-document.ts';
import { hintOf, type Part } from './conditions.ts';

/** In milliseconds. The numbers decide only how a page is found, so the next pages go by those of the first. */
const keptFor = 5_000;
const maxKept = 1_000;

/** As many documents as a server sorts without its disk (100 MB) have room in it, at five times the usual size. */
const mostSorted = 20_000;

export interface Fewest {
  readonly part: Part;
  /** Sorting them takes no longer than scanning the order for a page. */
  readonly isFew: boolean;
}

export interface FewestOptions {
  /** The largest number that counts as few. */
  readonly most?: number | undefined;
  readonly maxTimeMS: number;
}

export class FewestFinder {
  readonly #users: Collection<UserDocument>;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #most: number;
  readonly #kept = new Map<string, { readonly number: Promise<number>; readonly until: number }>();

  constructor(users: Collection<UserDocument>, { most = mostSorted, maxTimeMS }: FewestOptions) {
    this.#users = users;
    this.#limits = { maxTimeMS };
    this.#most = most;
  }

  /**
   * For each user that it finds, a scan of the order passes as many as `all / matches`. So scanning for `wanted` users takes as long
   * as sorting all matches when their number is the square root of `wanted * all`.
   * @param wanted users that are read or skipped @returns undefined without conditions
   */
  async find(parts: readonly Part[], wanted: number): Promise<Fewest | undefined> {
    const [first] = parts;
    if (first === undefined) return undefined;
    if (first.rank === 0) return { part: first, isFew: true };
    const all = await this.#keep('', () => this.#users.estimatedDocumentCount(this.#limits));
    const few = Math.min(this.#most, Math.ceil(Math.sqrt(wanted * all)));
    const counted = await Promise.all(
      parts.map(async (part) => ({ part, count: await this.#count(part, few + 1) })),
    );
    const fewest = counted.reduce((one, other) => (other.count < one.count ? other : one));
    return { part: fewest.part, isFew: fewest.count <= few };
  }

  #count(part: Part, limit: number): Promise<number> {
    const options = { ...hintOf(part, idIndex), limit, ...this.#limits };
    const count = () => this.#users.countDocuments(part.byIndex, options);
    return this.#keep(JSON.stringify([limit, part.byIndex]), count);
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
