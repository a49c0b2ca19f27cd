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
  type OfRequests,
  pageOf,
  type Retention,
  type Start,
  type Subject,
} from '../../../domain/changes/log.ts';
import { narrowTo } from '../../../domain/changes/member-changes.ts';
import type { Kinds } from '../../../domain/kinds.ts';
import type { Actor } from '../../../domain/store.ts';
import { newMark } from '../../system/clock-and-ids.ts';

const isOf = (of: Subject | OfRequests) => (entry: Entry) =>
  'requests' in of
    ? of.requests.has(entry.by.request ?? '')
    : entry.id === of.id && entry.type.startsWith(`${of.kind}.`);

export interface LoggedChanges {
  readonly changes: readonly Change[];
  /** Ids in `added` that were members before. */
  readonly stayed?: readonly string[];
  /** Ids of former members that the changes don't name. */
  readonly left: readonly string[];
}

const withoutValues = ({ values, ...entry }: Entry): Entry => entry;
/** An estimate of the bytes that the place of an entry in a user's history takes. */
const bytesOfUser = 28;
const byteEstimate = (entry: Entry): number => Buffer.byteLength(JSON.stringify(entry));

export class MemoryLog implements ChangeLog {
  readonly #line = newMark();
  readonly #kinds: Kinds;
  readonly #assertOpen: () => void;
  #entries: Entry[] = [];
  /** By the number of an entry: the users whose histories have it, besides its own resource. */
  readonly #users = new Map<number, Set<string>>();
  /** The last entry that left the feed. */
  #removed = { number: 0, mark: '' };
  #last = 0;

  constructor(kinds: Kinds, assertOpen: () => void) {
    this.#kinds = kinds;
    this.#assertOpen = assertOpen;
  }

  append({ changes, stayed = [], left }: LoggedChanges, by: Actor): void {
    const [mark, stays] = [newMark(), new Set(stayed)];
    for (const change of changes) {
      this.#last += 1;
      this.#entries.push({ ...change, number: this.#last, mark, at: Date.now(), by });
      const { type, added = [], removed = [], whole } = change;
      const others = whole || type.endsWith('.deleted') ? left : [];
      const users = [...added, ...removed].filter((user) => !stays.has(user));
      this.#users.set(this.#last, new Set([...users, ...others]));
    }
  }

  async read(after: Start, limit: number): Promise<LogPage> {
    this.#assertOpen();
    const start = this.#placeOf(after);
    const behind = this.#feed.filter(({ number }) => number > start.number);
    const entries = behind.slice(0, limit).map(withoutValues);
    return pageOf(structuredClone(entries), start, behind.length > limit);
  }

  async history(limit: number, before?: Cursor, of?: Subject | OfRequests): Promise<LogPage> {
    this.#assertOpen();
    const start = historyStart(this.#placeOf('now'), before);
    const isOwn = of ? isOf(of) : () => true;
    const member = of && 'id' in of ? of : undefined;
    const isMeant = (entry: Entry) => isOwn(entry) || (member !== undefined && this.#concerns(entry, member));
    const isOlder = ({ number }: Entry) => before === undefined || number < before.number;
    const found = this.#entries.filter((entry) => isOlder(entry) && isMeant(entry)).reverse();
    const page = found
      .slice(0, limit)
      .map((entry) => (isOwn(entry) ? entry : narrowTo(entry, member?.id ?? '')));
    return pageOf(structuredClone(page), start, found.length > limit);
  }

  /** Whether the entry of another resource is in the history, too. */
  #concerns({ number }: Entry, { kind, id }: Subject): boolean {
    return kind === this.#kinds.relation.members.name && this.#users.get(number)?.has(id) === true;
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
      excess -= this.#bytesOf(entry);
      return isKept;
    });
    const kept = begin < 0 ? [] : this.#entries.slice(begin);
    const last = Math.max(numberOfExpired(feedFrom), (kept[0]?.number ?? Number.POSITIVE_INFINITY) - 1);
    const left = this.#feed.findLast(({ number }) => number <= last);
    if (left) this.#removed = { number: left.number, mark: left.mark };
    for (const { number } of this.#entries.slice(0, this.#entries.length - kept.length))
      this.#users.delete(number);
    this.#entries = kept;
    return false;
  }

  async erase(of: Subject): Promise<boolean> {
    this.#assertOpen();
    const isErased = isOf(of);
    const kind = this.#kinds.of(of.kind);
    let hadAny = false;
    for (const entry of this.#entries)
      if (this.#concerns(entry, of)) hadAny = this.#users.get(entry.number)?.delete(of.id) || hadAny;
    this.#entries = this.#entries.map((entry) => {
      if (!isErased(entry)) return entry;
      const erased = withoutNames(kind, entry);
      hadAny ||= erased !== entry || entry.values !== undefined;
      return withoutValues(erased);
    });
    return hadAny;
  }

  get #bytes(): number {
    return this.#entries.reduce((sum, entry) => sum + this.#bytesOf(entry), 0);
  }

  #bytesOf(entry: Entry): number {
    return byteEstimate(entry) + bytesOfUser * (this.#users.get(entry.number)?.size ?? 0);
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
