/** The change log in memory. */
import { type Change, type Entry, withoutNames } from '../../../domain/changes/change.ts';
import {
  assertReadable,
  type ChangeLog,
  type Cursor,
  countExpired,
  historyStart,
  type LogPage,
  type LogSize,
  pageOf,
  type Retention,
  type Start,
  type Subject,
} from '../../../domain/changes/log.ts';
import type { Kinds } from '../../../domain/kinds.ts';
import type { Actor } from '../../../domain/store.ts';
import { newMark } from '../../system/clock-and-ids.ts';

const isOf =
  ({ kind, id }: Subject) =>
  (entry: Entry) =>
    entry.id === id && entry.type.startsWith(`${kind}.`);
const withoutValues = ({ values, ...entry }: Entry): Entry => entry;
const byteEstimate = (entry: Entry): number => Buffer.byteLength(JSON.stringify(entry));

export class MemoryLog implements ChangeLog {
  readonly #line = newMark();
  readonly #kinds: Kinds;
  readonly #assertOpen: () => void;
  #entries: Entry[] = [];
  /** The last entry that left the feed. */
  #removed = { number: 0, mark: '' };
  #last = 0;

  constructor(kinds: Kinds, assertOpen: () => void) {
    this.#kinds = kinds;
    this.#assertOpen = assertOpen;
  }

  append(changes: readonly Change[], by: Actor): void {
    const mark = newMark();
    for (const change of changes) {
      this.#last += 1;
      this.#entries.push({ ...change, number: this.#last, mark, at: Date.now(), by });
    }
  }

  async read(after: Start, limit: number): Promise<LogPage> {
    this.#assertOpen();
    const start = this.#placeOf(after);
    const behind = this.#feed.filter(({ number }) => number > start.number);
    const entries = behind.slice(0, limit).map(withoutValues);
    return pageOf(structuredClone(entries), start, behind.length > limit);
  }

  async history(limit: number, before?: Cursor, of?: Subject): Promise<LogPage> {
    this.#assertOpen();
    const start = historyStart(this.#placeOf('now'), before);
    const isMeant = of ? isOf(of) : () => true;
    const isOlder = ({ number }: Entry) => before === undefined || number < before.number;
    const found = this.#entries.filter((entry) => isOlder(entry) && isMeant(entry)).reverse();
    return pageOf(structuredClone(found.slice(0, limit)), start, found.length > limit);
  }

  async latest(): Promise<number> {
    this.#assertOpen();
    return this.#last;
  }

  async measure(): Promise<LogSize> {
    return { last: await this.latest(), oldest: this.#entries[0]?.at, bytes: this.#bytes };
  }

  async prune({ now, feedFrom, historyFrom, maxBytes }: Retention): Promise<boolean> {
    this.#assertOpen();
    const past = this.#entries.filter(({ at }) => at <= now);
    const numberOfExpired = (from: number): number => past[countExpired(past, from) - 1]?.number ?? 0;
    const expired = numberOfExpired(historyFrom);
    let excess = this.#bytes - maxBytes;
    const begin = this.#entries.findIndex((entry) => {
      const isKept = excess <= 0 && entry.number > expired;
      excess -= byteEstimate(entry);
      return isKept;
    });
    const kept = begin < 0 ? [] : this.#entries.slice(begin);
    const last = Math.max(numberOfExpired(feedFrom), (kept[0]?.number ?? Number.POSITIVE_INFINITY) - 1);
    const left = this.#feed.findLast(({ number }) => number <= last);
    if (left) this.#removed = { number: left.number, mark: left.mark };
    this.#entries = kept;
    return false;
  }

  async erase(of: Subject): Promise<boolean> {
    this.#assertOpen();
    const isErased = isOf(of);
    const kind = this.#kinds.of(of.kind);
    let hadAny = false;
    this.#entries = this.#entries.map((entry) => {
      if (!isErased(entry)) return entry;
      const erased = withoutNames(kind, entry);
      hadAny ||= erased !== entry || entry.values !== undefined;
      return withoutValues(erased);
    });
    return hadAny;
  }

  get #bytes(): number {
    return this.#entries.reduce((sum, entry) => sum + byteEstimate(entry), 0);
  }

  get #feed(): readonly Entry[] {
    return this.#entries.filter(({ number }) => number > this.#removed.number);
  }

  #placeOf(start: Start): Cursor {
    const line = this.#line;
    if (start === 'start') return { line, ...this.#removed };
    const { number, mark } = this.#feed.at(-1) ?? this.#removed;
    if (start === 'now') return { line, number, mark };
    assertReadable(start, line, this.#removed, (one) => this.#feed.find((it) => it.number === one)?.mark);
    return start;
  }
}
