/** Users and groups in memory, lost with the process: for tests, and as the simplest implementation of the ports. */
import { DomainError } from '../../../domain/base/errors.ts';
import { userKind } from '../../../domain/kinds/user/kind.ts';
import type { User } from '../../../domain/kinds/user/user.ts';
import type { GroupStore, UserStore, UserWrite, WriteOutcome } from '../../../domain/ports.ts';
import { Stored } from '../../../domain/resource/stored.ts';
import { MemoryGroups } from './groups.ts';
import { MemoryTable } from './table.ts';

class MemoryStore extends MemoryTable<User> implements UserStore {
  readonly groups: GroupStore;
  readonly #marks = new Map<string, string>();
  readonly #forget: (user: string) => void;
  #closed = false;

  constructor() {
    const assertOpen = () => this.#assertOpen();
    const groups = new MemoryGroups((id) => this.birthOf(id), assertOpen);
    super({
      kind: userKind,
      read: (_, text) => new Stored(text),
      isMember: (user, group) => groups.hasMember(group, user),
      ownerOf: (group) => groups.membersOf(group),
      assertOpen,
    });
    this.groups = groups;
    this.#forget = (user) => groups.forgetUser(user);
  }

  async writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
    return Promise.all(writes.map((write) => this.#write(write)));
  }

  async #write({ user, version }: UserWrite): Promise<WriteOutcome> {
    try {
      if (version !== undefined) return (await this.replace(user, version)) ? 'done' : 'stale';
      await this.insert(user);
      return 'done';
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  override async remove(id: string, version: string): Promise<boolean> {
    const isRemoved = await super.remove(id, version);
    if (isRemoved) this.#forget(id);
    return isRemoved;
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

  #assertOpen(): void {
    if (this.#closed) throw new DomainError('unavailable', 'The store is closed.');
  }
}

/** An empty store. Every method but `close` throws DomainError `unavailable` once it is closed. */
export function memoryStore(): UserStore {
  return new MemoryStore();
}
