/** Users in this process's memory: for tests, and as the plainest reading of the port. Nothing survives it. */
import { DomainError, taken } from '../../domain/errors.ts';
import { keysOf } from '../../domain/filters.ts';
import { KeptUser } from '../../domain/kept-user.ts';
import type { UserQuery, UserStore } from '../../domain/ports.ts';
import type { User } from '../../domain/user.ts';
import { mapUserName } from '../../domain/user-name.ts';

interface Kept {
  readonly user: User;
  readonly nameKey: string;
  readonly keys: ReadonlySet<string>;
}

/** Unambiguous, because no filter's name has a colon. */
const joined = ([filter, key]: readonly [string, string]): string => `${filter}:${key}`;

function kept(user: User): Kept {
  const own = structuredClone(user);
  return { user: own, nameKey: mapUserName(own.userName), keys: new Set(keysOf(own).map(joined)) };
}

const handedOut = ({ user }: Kept): KeptUser => KeptUser.of(structuredClone(user));

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
  readonly #users = new Map<string, Kept>();
  readonly #idOfName = new Map<string, string>();
  readonly #ids: string[] = [];
  readonly #marks = new Map<string, string>();
  #closed = false;

  async find(id: string): Promise<KeptUser | undefined> {
    this.#assertOpen();
    const found = this.#users.get(id);
    return found && handedOut(found);
  }

  async list({ filters, after, limit }: UserQuery): Promise<KeptUser[]> {
    this.#assertOpen();
    const wanted = Object.entries(filters).map(joined);
    const page: KeptUser[] = [];
    let at = after === undefined ? 0 : position(this.#ids, after);
    if (this.#ids[at] === after) at += 1;
    for (; at < this.#ids.length && page.length < limit; at += 1) {
      const found = this.#users.get(this.#ids[at] ?? '');
      if (found && wanted.every((key) => found.keys.has(key))) page.push(handedOut(found));
    }
    return page;
  }

  async insert(user: User): Promise<void> {
    this.#assertOpen();
    const next = kept(user);
    if (this.#users.has(user.id)) throw taken('id');
    this.#assertFree(next);
    this.#ids.splice(position(this.#ids, user.id), 0, user.id);
    this.#put(next);
  }

  async replace(user: User, version: string): Promise<boolean> {
    this.#assertOpen();
    const old = this.#users.get(user.id);
    if (old?.user.meta.version !== version) return false;
    const next = kept(user);
    this.#assertFree(next);
    this.#idOfName.delete(old.nameKey);
    this.#put(next);
    return true;
  }

  async remove(id: string, version: string): Promise<boolean> {
    this.#assertOpen();
    const old = this.#users.get(id);
    if (old?.user.meta.version !== version) return false;
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

  #put(next: Kept): void {
    this.#users.set(next.user.id, next);
    this.#idOfName.set(next.nameKey, next.user.id);
  }

  #assertFree({ user, nameKey }: Kept): void {
    const holder = this.#idOfName.get(nameKey);
    if (holder !== undefined && holder !== user.id) throw taken('userName');
  }

  #assertOpen(): void {
    if (this.#closed) throw new DomainError('unavailable', 'The store is closed.');
  }
}

/** An empty store. Every method but `close` throws DomainError `unavailable` once it is closed. */
export function memoryStore(): UserStore {
  return new MemoryStore();
}
