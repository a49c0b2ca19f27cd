/**
 * Holds every store that a test opens in this process to its change log: when the store is closed, each write that was done has its entry.
 * A store in memory, which no other process writes, has no other entries either.
 */
import { registerHooks } from 'node:module';
import { expect } from 'chai';
import type { Entry } from '../../src/domain/changes/change.ts';
import type { ChangeLog, Start } from '../../src/domain/changes/log.ts';
import type { Outcome, Store, Write } from '../../src/domain/store.ts';

/** Logs with more entries are not read: they are those of tests about size. */
const mostEntries = 20_000;

const ops = { create: 'created', replace: 'updated', remove: 'deleted' } as const;

/** By what was done, and to which resource. */
type Counts = Map<string, number>;

const count = (counts: Counts, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);

/** A change of members leaves no entry when all were members already. */
function countWrites(counts: Counts, writes: readonly Write[], outcomes: readonly Outcome[]): void {
  for (const [at, write] of writes.entries()) {
    const { op, kind, id } = write;
    if (op === 'members' || outcomes[at] !== 'done') continue;
    const isRestored = op === 'create' && write.restored !== undefined;
    count(counts, `${kind}.${isRestored ? 'restored' : ops[op]} ${id}`);
  }
}

/** Everything behind the place, in pages. */
export async function follow(log: ChangeLog, after: Start, limit = 1000): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let start = after; ; ) {
    const { entries, end, more } = await log.read(start, limit);
    all.push(...entries);
    if (!more) return all;
    start = end;
  }
}

/** @returns undefined when entries were removed: by age or size, with the line of the log, or by a test that empties its database */
async function countEntries(log: ChangeLog): Promise<Counts | undefined> {
  const entries = await follow(log, 'start');
  const isWhole = entries.length > 0 ? entries[0]?.number === 1 : (await log.latest()) === 0;
  if (!isWhole) return undefined;
  const counts: Counts = new Map();
  for (const { type, id } of entries) if (!type.endsWith('.members-changed')) count(counts, `${type} ${id}`);
  return counts;
}

export class LoggedWrites {
  readonly #counts = new WeakMap<Store, Counts>();
  readonly #mistakes: string[] = [];
  readonly #watching: Promise<void>[] = [];
  readonly #running: () => string;

  /** @param running the title of the test that runs */
  constructor(running: () => string) {
    this.#running = running;
  }

  /** Watches each kind of store when a test has loaded it: other files of tests start without. */
  watchAll(): void {
    registerHooks({
      load: (url, context, next) => {
        const [, kind] = /\/src\/adapters\/stores\/(memory|sqlite|mongodb)\/store[.]ts$/.exec(url) ?? [];
        if (kind !== undefined) setImmediate(() => this.#watching.push(this.#watchKind(kind, url)));
        return next(url, context);
      },
    });
  }

  /** Resolves when all stores that were loaded before are watched. */
  async areWatched(): Promise<void> {
    await new Promise(setImmediate);
    await Promise.all(this.#watching.splice(0));
  }

  async #watchKind(kind: string, url: string): Promise<void> {
    const { memoryStore, SqliteStore, MongoStore } = await import(url);
    if (kind === 'memory') this.watch(Object.getPrototypeOf(memoryStore()), { isAlone: true });
    else this.watch((SqliteStore ?? MongoStore).prototype);
  }

  /** @param prototype of stores, or one of them @param options `isAlone`: no other process writes to it */
  watch(prototype: Store, { isAlone = false } = {}): void {
    const [{ commit, close }, watcher] = [prototype, this];
    prototype.commit = function (this: Store, writes, by) {
      const result = commit.call(this, writes, by);
      watcher.#count(this, writes, result).catch(() => {});
      return result;
    };
    prototype.close = async function (this: Store) {
      await watcher.#compare(this, isAlone).catch(() => {});
      await close.call(this);
    };
  }

  expectAll(): void {
    const mistakes = this.#mistakes.splice(0);
    const some = mistakes.slice(0, 20).join('\n');
    expect(mistakes.length, `the change log has other entries than there were writes:\n${some}\n`).to.equal(
      0,
    );
  }

  async #count(store: Store, writes: readonly Write[], result: Promise<readonly Outcome[]>): Promise<void> {
    const outcomes = await result;
    const counts = this.#counts.get(store) ?? new Map();
    this.#counts.set(store, counts);
    countWrites(counts, writes, outcomes);
  }

  /** Nothing can be said of a log that is out of reach. */
  async #compare(store: Store, isAlone: boolean): Promise<void> {
    const { changes } = store;
    const counts = this.#counts.get(store);
    this.#counts.delete(store);
    if (changes === undefined || counts === undefined || counts.size > mostEntries) return;
    const entries = await countEntries(changes);
    if (entries === undefined) return;
    for (const key of new Set([...counts.keys(), ...(isAlone ? entries.keys() : [])])) {
      const [written = 0, found = 0] = [counts.get(key), entries.get(key)];
      if (found < written || (found > written && isAlone))
        this.#mistakes.push(`${key}: ${written} writes, ${found} entries (in: ${this.#running()})`);
    }
  }
}
