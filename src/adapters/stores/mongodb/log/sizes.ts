/**
 * The number of bytes of all entries, before compression. MongoDB's statistics of a collection are wrong after an unclean shutdown, in both
 * directions, so the entries themselves are summed: in parts, beginning with the oldest. Each process keeps the sums of its parts in memory. Parts at
 * the ends of the log, where it changes, are summed again each time; the others in turn, since an erasure makes entries smaller.
 */
import type { EntryDocument, LogCollections } from './entries.ts';
import { entrySize } from './users.ts';

const partLength = 1_000;

/** The number of parts that are read in one step. */
const partsAtOnce = 10;

/** After this many calls of `refresh`, all parts have been summed again: about an hour at the usual interval of pruning. */
const round = 100;

interface Part {
  readonly last: number;
  readonly count: number;
  readonly bytes: number;
}

export class EntrySizes {
  readonly #entries: LogCollections['entries'];
  readonly #limits: { readonly maxTimeMS: number };
  /** In order, from the oldest entry on. All but the last one were full when they were made. */
  #parts: Part[] = [];
  /** The position of the part that `refresh` sums next. */
  #next = 0;
  #steps: Promise<unknown> = Promise.resolve();

  constructor({ entries }: LogCollections, maxTimeMS: number) {
    this.#entries = entries;
    this.#limits = { maxTimeMS };
  }

  /** A step, which costs no more than some pages. @returns the bytes of all entries; undefined until further steps have summed the rest */
  sum(): Promise<number | undefined> {
    return this.#inTurn(async () => {
      await this.#dropLost();
      await this.#sumAgain(0);
      for (let count = 0; count < partsAtOnce; count += 1)
        if (await this.#sumLast()) return this.#parts.reduce((sum, { bytes }) => sum + bytes, 0);
      return undefined;
    });
  }

  /** Sums some parts again. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      for (let left = Math.ceil(this.#parts.length / round); left > 0; left -= 1) {
        if (this.#next >= this.#parts.length - 1) this.#next = 0;
        await this.#sumAgain(this.#next);
        this.#next += 1;
      }
    });
  }

  /** Metrics ask while the log is pruned. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const taken = this.#steps.then(step);
    this.#steps = taken.catch(() => {});
    return taken;
  }

  /** Any process may have pruned entries at the beginning; entries at the end are missing after the database was restored. */
  async #dropLost(): Promise<void> {
    const end = (order: 1 | -1) =>
      this.#entries.findOne<Pick<EntryDocument, '_id'>>(
        {},
        { ...this.#limits, sort: { _id: order }, projection: { _id: 1 } },
      );
    const [first, last] = await Promise.all([end(1), end(-1)]);
    this.#parts = this.#parts.filter(
      (part) => first && last && part.last >= first._id && part.last <= last._id,
    );
  }

  async #sumAgain(at: number): Promise<void> {
    const part = this.#parts[at];
    if (part === undefined) return;
    const { count, bytes } = await this.#read(this.#parts[at - 1], { $lte: part.last });
    this.#parts[at] = { last: part.last, count, bytes };
  }

  /** Sums the last part again, or the part after it if the last one is full. @returns whether it is the end of the log */
  async #sumLast(): Promise<boolean> {
    const last = this.#parts.at(-1);
    if (last && last.count < partLength) this.#parts.pop();
    const found = await this.#read(this.#parts.at(-1));
    if (found.count > 0) this.#parts.push(found);
    return found.count < partLength;
  }

  async #read(before: Part | undefined, upTo: { readonly $lte?: number } = {}): Promise<Part> {
    const { last = Number.NEGATIVE_INFINITY } = before ?? {};
    const total = { last: { $max: '$_id' }, count: { $sum: 1 }, bytes: { $sum: entrySize } };
    const [found = { last, count: 0, bytes: 0 }] = await this.#entries
      .aggregate<Part>(
        [
          { $match: { _id: { $gt: last, ...upTo } } },
          { $sort: { _id: 1 } },
          { $limit: partLength },
          { $group: { _id: null, ...total } },
        ],
        this.#limits,
      )
      .toArray();
    return found;
  }
}
