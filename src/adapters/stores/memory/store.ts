/** Users in this process's memory: for tests, and as the plainest reading of the port. Nothing survives it. */
import { DomainError, taken } from '../../../domain/errors.ts';
import { joinKey, makeKeys } from '../../../domain/keys.ts';
import type { UserQuery, UserStore } from '../../../domain/ports.ts';
import { StoredUser } from '../../../domain/stored-user.ts';

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly version: string;
  readonly nameKey: string;
  readonly keys: ReadonlySet<string>;
}

function entryOf(stored: StoredUser): Entry {
  const { text } = stored;
  const user = stored.copy();
  const { name, filters } = makeKeys(user);
  return {
    id: user.id,
    text,
    version: user.meta.version,
    nameKey: name,
    keys: new Set(filters.map(joinKey)),
  };
}

const readEntry = ({ text }: Entry): StoredUser => StoredUser.fromText(text);

/** Where `id` stands, or would stand, in the sorted list. */
function position(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

class MemoryStore implements UserStore {
  readonly #users = new Map<string, Entry>();
  readonly #idOfName = new Map<string, string>();
  readonly #ids: string[] = [];
  readonly #marks = new Map<string, string>();
  #closed = false;

  async find(id: string): Promise<StoredUser | undefined> {
    this.#assertOpen();
    const found = this.#users.get(id);
    return found && readEntry(found);
  }

  async list({ filters, after, limit }: UserQuery): Promise<StoredUser[]> {
    this.#assertOpen();
    const wanted = Object.entries(filters).map(joinKey);
    const page: StoredUser[] = [];
    let at = after === undefined ? 0 : position(this.#ids, after);
    if (this.#ids[at] === after) at += 1;
    for (; at < this.#ids.length && page.length < limit; at += 1) {
      const found = this.#users.get(this.#ids[at] ?? '');
      if (found && wanted.every((key) => found.keys.has(key))) page.push(readEntry(found));
    }
    return page;
  }

  async insert(user: StoredUser): Promise<void> {
    this.#assertOpen();
    const next = entryOf(user);
    if (this.#users.has(next.id)) throw taken('id');
    this.#assertFree(next);
    this.#ids.splice(position(this.#ids, next.id), 0, next.id);
    this.#put(next);
  }

  async replace(user: StoredUser, version: string): Promise<boolean> {
    this.#assertOpen();
    const old = this.#users.get(user.id);
    if (old?.version !== version) return false;
    const next = entryOf(user);
    this.#assertFree(next);
    this.#idOfName.delete(old.nameKey);
    this.#put(next);
    return true;
  }

  async remove(id: string, version: string): Promise<boolean> {
    this.#assertOpen();
    const old = this.#users.get(id);
    if (old?.version !== version) return false;
    this.#users.delete(id);
    this.#idOfName.delete(old.nameKey);
    this.#ids.splice(position(this.#ids, id), 1);
    return true;
  }

  async mark(name: string): Promise<string | undefined> {
    this.#assertOpen();
    return this.#marks.get(name);
  }

  async setMark(name: string, value: string): Promise<void> {
    this.#assertOpen();
    this.#marks.set(name, value);
  }

  async check(): Promise<void> {
    this.#assertOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #put(next: Entry): void {
    this.#users.set(next.id, next);
    this.#idOfName.set(next.nameKey, next.id);
  }

  #assertFree({ id, nameKey }: Entry): void {
    const holder = this.#idOfName.get(nameKey);
    if (holder !== undefined && holder !== id) throw taken('userName');
  }

  #assertOpen(): void {
    if (this.#closed) throw new DomainError('unavailable', 'The store is closed.');
  }
}

/** An empty store. Every method but `close` throws DomainError `unavailable` once it is closed. */
export function memoryStore(): UserStore {
  return new MemoryStore();
}
