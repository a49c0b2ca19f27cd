/** The change log in memory. */
import { randomBytes } from 'node:crypto';
import type { KindName } from '../../../domain/base/errors.ts';
import type { Change, Entry } from '../../../domain/changes/change.ts';
import {
  type ChangeLog,
  type Cursor,
  expiredCursor,
  foreignCursor,
  type LogPage,
  type Retention,
  type Start,
} from '../../../domain/changes/log.ts';
import type { Actor } from '../../../domain/store.ts';

const newMark = (): string => randomBytes(6).toString('base64url');
const isOf = (kind: KindName, id: string) => (entry: Entry) =>
  entry.id === id && entry.type.startsWith(`${kind}.`);
const byteEstimate = (entry: Entry): number => JSON.stringify(entry).length;

export class MemoryLog implements ChangeLog {
  readonly #line = newMark();
  readonly #assertOpen: () => void;
  #entries: Entry[] = [];
  /** The last entry that left the feed. */
  #removed = { number: 0, mark: '' };
  #last = 0;

  constructor(assertOpen: () => void) {
    this.#assertOpen = assertOpen;
  }

  append(changes: readonly Change[], by: Actor): void {
    const mark = newMark();
    for (const change of changes) {
      this.#last += 1;
      this.#entries.push({ ...change, number: this.#last, mark, at: Date.now(), by });
    }
  }

  erase(kind: KindName, id: string): void {
    const isErased = isOf(kind, id);
    this.#entries = this.#entries.map((entry) => {
      if (!isErased(entry)) return entry;
      const { values, ...rest } = entry;
      return rest;
    });
  }

  async read(after: Start, limit: number): Promise<LogPage> {
    this.#assertOpen();
    const start = this.#placeOf(after);
    const behind = this.#feed.filter(({ number }) => number > start.number);
    const entries = behind.slice(0, limit);
    const { number, mark } = entries.at(-1) ?? start;
    return {
      entries: structuredClone(entries),
      end: { line: this.#line, number, mark },
      more: behind.length > limit,
    };
  }

  async history(kind: KindName, id: string, limit: number, before = Number.POSITIVE_INFINITY) {
    this.#assertOpen();
    const isOfResource = isOf(kind, id);
    const found = this.#entries.filter((entry) => entry.number < before && isOfResource(entry)).reverse();
    return {
      entries: structuredClone(found.slice(0, limit)),
      line: this.#line,
      more: found.length > limit,
    };
  }

  async latest(): Promise<number> {
    this.#assertOpen();
    return this.#last;
  }

  async prune({ feedFrom, historyFrom, maxBytes }: Retention): Promise<boolean> {
    this.#assertOpen();
    let bytes = this.#entries.reduce((sum, entry) => sum + byteEstimate(entry), 0);
    const fits = (entry: Entry): boolean => {
      const isKept = bytes <= maxBytes;
      if (!isKept) bytes -= byteEstimate(entry);
      return isKept;
    };
    const kept = this.#entries.filter((entry) => fits(entry) && entry.at >= historyFrom);
    const first = kept.find(({ at }) => at >= feedFrom)?.number ?? Number.POSITIVE_INFINITY;
    const left = this.#feed.findLast(({ number }) => number < first);
    if (left) this.#removed = { number: left.number, mark: left.mark };
    this.#entries = kept;
    return false;
  }

  get #feed(): readonly Entry[] {
    return this.#entries.filter(({ number }) => number > this.#removed.number);
  }

  #placeOf(start: Start): Cursor {
    const line = this.#line;
    if (start === 'start') return { line, ...this.#removed };
    const { number, mark } = start === 'now' ? (this.#feed.at(-1) ?? this.#removed) : start;
    if (start === 'now') return { line, number, mark };
    if (start.line !== line) throw foreignCursor();
    if (number < this.#removed.number) throw expiredCursor();
    const known =
      number === this.#removed.number ? this.#removed : this.#feed.find((one) => one.number === number);
    if (known?.mark !== mark) throw foreignCursor();
    return start;
  }
}
