/** Removes outdated entries of the change log, in steps of a thousand: first from the feed, then from the histories. */

import type { Place } from '../../../../domain/changes/change.ts';
import { PruningRange, type Retention } from '../../../../domain/changes/log.ts';
import { type EntryDocument, type LogCollections, toPlace } from './entries.ts';
import { leaversBelow } from './leavers.ts';
import type { EntrySizes } from './sizes.ts';
import { entrySize } from './users.ts';

/** Entries that are looked at in one step. */
const prunedAtOnce = 1_000;

type PrunedEntry = Pick<EntryDocument, '_id' | 'mark' | 'at'>;

export class Pruning {
  readonly #log: LogCollections;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #sizes: EntrySizes;
  readonly #feedRange = new PruningRange();
  readonly #historyRange = new PruningRange();

  constructor(log: LogCollections, sizes: EntrySizes, maxTimeMS: number) {
    this.#log = log;
    this.#sizes = sizes;
    this.#limits = { maxTimeMS };
  }

  /** @param begin the last entry that has left the feed @param end the last one @returns whether expired entries are left */
  async step(
    { now, feedFrom, historyFrom, maxBytes }: Retention,
    begin: Place,
    end: Place,
  ): Promise<boolean> {
    const feed = await this.#findExpired(this.#feedRange, [begin.number, end.number], now, feedFrom);
    await this.#moveFeed(feed.expired.at(-1));
    const [first] = await this.#findOldest(1);
    const behind = first ? first._id - 1 : end.number;
    const history = await this.#findExpired(this.#historyRange, [behind, end.number], now, historyFrom);
    await this.#remove(history.expired.at(-1));
    // Before the sum: what other processes remove in between counts as removed by this step, too.
    const oldest = await this.#findOldest(prunedAtOnce);
    const bytes = await this.#sizes.sum();
    let excess = (bytes ?? 0) - maxBytes;
    const surplus = oldest.filter((entry) => {
      const isTooMuch = excess > 0;
      excess -= entry.bytes;
      return isTooMuch;
    });
    await this.#remove(surplus.at(-1));
    const next = surplus.at(-1)?._id ?? (oldest[0]?._id ?? end.number + 1) - 1;
    // Removed after their entries: a sweep adds no leavers to an entry that is gone.
    await this.#log.leavers.deleteMany(leaversBelow(next + 1), this.#limits);
    if (bytes === undefined || feed.isLeft || history.isLeft) return true;
    if ([feed.expired, history.expired, surplus].some(({ length }) => length === prunedAtOnce)) return true;
    await this.#sizes.refresh();
    return false;
  }

  /** @param place the number before the first entry, and that of the last one */
  async #findExpired(ranges: PruningRange, [behind, last]: [number, number], now: number, from: number) {
    const range = ranges.from(behind);
    const filter = { _id: { $gt: range.above, $lte: range.to }, at: { $lte: now } };
    const options = { ...this.#limits, sort: { _id: 1 }, limit: prunedAtOnce } as const;
    const projection = { mark: 1, at: 1 } as const;
    const past = await this.#log.entries.find<PrunedEntry>(filter, { ...options, projection }).toArray();
    return ranges.read(range, past, from, last);
  }

  async #findOldest(limit: number): Promise<readonly (PrunedEntry & { readonly bytes: number })[]> {
    const fields = { mark: 1, at: 1, bytes: entrySize };
    return await this.#log.entries
      .aggregate<PrunedEntry & { bytes: number }>(
        [{ $sort: { _id: 1 } }, { $limit: limit }, { $project: fields }],
        this.#limits,
      )
      .toArray();
  }

  /** This entry and all earlier ones have left the feed. */
  async #moveFeed(last: PrunedEntry | undefined): Promise<void> {
    if (last === undefined) return;
    const update = { $set: toPlace(last) };
    await this.#log.state.updateOne({ _id: 'feed', number: { $lt: last._id } }, update, this.#limits);
  }

  /** This entry, and all earlier ones. */
  async #remove(last: PrunedEntry | undefined): Promise<void> {
    if (last === undefined) return;
    // Written before they are removed: readers compare their places with it.
    await this.#moveFeed(last);
    await this.#log.entries.deleteMany({ _id: { $lte: last._id } }, this.#limits);
  }
}
