/** Writers that go on through every failure and remember what they were answered. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { matching } from '../../../../src/domain/find/conditions.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aCard, cardsIn, commit, creating, keysOf } from '../../../contract/unique-keys.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import type { UserStore } from '../../../support/verbs.ts';

const allowed: readonly unknown[] = [undefined, true, 'unavailable', 'outcome-unknown'];

/** Many that write at once. */
abstract class Writers {
  readonly #running: Promise<void>[];
  #stopped = false;
  #answered = 0;
  /** When the youngest of the answered writes was begun. */
  #begun = 0;

  constructor(count: number) {
    this.#running = Array.from({ length: count }, async (_, at) => {
      // When the subclass is whole.
      await turn();
      await this.write(at);
    });
    // Reported by `stop`, which comes later.
    for (const writer of this.#running) writer.catch(() => {});
  }

  /** Until they are stopped. @param at the number of the writer */
  protected abstract write(at: number): Promise<void>;

  protected get isStopped(): boolean {
    return this.#stopped;
  }

  /** Called for each write that is answered as done. @param begun when it was sent */
  protected noteAnswer(begun: number): void {
    this.#answered += 1;
    this.#begun = Math.max(this.#begun, begun);
  }

  /** Returns when so many more writes were answered as done; fails when that is out of reach. */
  async progress(more: number): Promise<void> {
    const wanted = this.#answered + more;
    await until(`${more} more writes are answered`, () => this.#answered >= wanted);
  }

  /** Returns when a write is answered that was begun after the fault. */
  async recoverFrom(fault: () => unknown): Promise<void> {
    await fault();
    const end = performance.now();
    await until('a write is answered that was begun after the fault', () => this.#begun > end);
  }

  /** Returns when none of them writes any more; rejects with what one of them found wrong. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }
}

/** One user each, written over and over: so what was answered last must be what is found, or came after. */
export class UserWriters extends Writers {
  readonly #store: UserStore;
  /** By user: the states that may be found. The first was answered; any other was asked for since, and may yet come. */
  readonly #possible: (readonly User[])[] = [];

  constructor(store: UserStore, count: number) {
    super(count);
    this.#store = store;
  }

  /** Stops them, and holds what is found against what they were answered. */
  async verify(): Promise<void> {
    await this.stop();
    for (const possible of this.#possible) {
      expect(possible).to.deep.include((await this.#store.find(possible[0]?.id ?? ''))?.value);
    }
  }

  protected override async write(): Promise<void> {
    const first = aUser();
    while (!(await this.#inserted(first))) {
      if (this.isStopped) return;
      await turn();
    }
    const possible = [first];
    this.#possible.push(possible);
    for (let current: User | undefined = first; current && !this.isStopped; ) {
      const next = changed(current);
      possible.push(next);
      if (await this.#replaced(next, current.meta.version)) {
        // The version it replaced is gone: what was asked for before and never answered can't come any more.
        possible.splice(0, possible.length, next);
        current = next;
      } else {
        current = await this.#found(first.id);
        if (current) expect(possible).to.deep.include(current);
      }
    }
  }

  async #inserted(user: User): Promise<boolean> {
    const result = await outcome(this.#store.insert(Stored.of(user)));
    if (result === 'id-taken') return true;
    expect(allowed).to.include(result);
    return result === undefined;
  }

  async #replaced(next: User, version: string): Promise<boolean> {
    const begun = performance.now();
    const result = await outcome(this.#store.replace(Stored.of(next), version));
    expect([...allowed, false]).to.include(result);
    if (result === true) this.noteAnswer(begun);
    return result === true;
  }

  /** Undefined when the writers were stopped before the store answered. */
  async #found(id: string): Promise<User | undefined> {
    while (!this.isStopped) {
      try {
        return (await this.#store.find(id))?.value ?? expect.fail('an answered user is gone');
      } catch (cause) {
        if (!(cause instanceof DomainError) || cause.code !== 'unavailable') throw cause;
        await turn();
      }
    }
    return undefined;
  }
}

/** One user each, added to a group and removed from it in turns. */
export class MemberWriters extends Writers {
  readonly #store: UserStore;
  readonly #group: string;
  readonly #users: readonly string[];
  /** By user: what was answered last, and what may yet come, whether the user is a member. */
  readonly #possible: boolean[][];

  private constructor(store: UserStore, group: string, users: readonly string[]) {
    super(users.length);
    [this.#store, this.#group, this.#users] = [store, group, users];
    this.#possible = users.map(() => [false]);
  }

  static async start(store: UserStore, count: number): Promise<MemberWriters> {
    const group = aGroup();
    await store.groups.insert(group);
    const users = Array.from({ length: count }, () => aUser());
    for (const user of users) await store.insert(Stored.of(user));
    return new MemberWriters(
      store,
      group.id,
      users.map(({ id }) => id),
    );
  }

  /** Stops them, and holds the members that are found against what was answered. */
  async verify(): Promise<void> {
    await this.stop();
    const where = matching({ group: this.#group });
    const found = await this.#store.list({ where, limit: this.#users.length + 1 });
    const members = new Set(found.map(({ id }) => id));
    for (const [at, user] of this.#users.entries())
      expect(this.#possible[at]).to.include(members.has(user), user);
    const group = await this.#store.groups.find(this.#group);
    expect(group?.membership?.memberCount).to.equal(found.length);
  }

  protected override async write(at: number): Promise<void> {
    const user = [this.#users[at] ?? ''];
    let isMember = false;
    while (!this.isStopped) {
      const begun = performance.now();
      const change = isMember ? { add: [], remove: user } : { add: user, remove: [] };
      const result = await outcome(this.#store.groups.changeMembers(this.#group, change));
      expect([true, 'unavailable', 'outcome-unknown']).to.include(result);
      if (result === true) {
        isMember = !isMember;
        this.#possible[at] = [isMember];
        this.noteAnswer(begun);
      } else if (result === 'outcome-unknown') this.#possible[at] = [isMember, !isMember];
    }
  }
}

/** All of them create cards with the badge 1, then with 2, and so on. */
export class BadgeRacers extends Writers {
  readonly #stores: readonly Store[];
  /** Of the creations that were answered as done. */
  readonly #badges = new Map<string, string>();

  constructor(stores: readonly Store[], count: number) {
    super(count);
    this.#stores = stores;
  }

  /** Stops them. One card has each badge, and it is that of the racer that was answered so. */
  async verify(): Promise<void> {
    await this.stop();
    const found = new Map((await cardsIn(this.#storeAt(0))).map((card) => [card.id, keysOf([card]).join()]));
    const badges = Array.from({ length: found.size }, (_, at) => `badge ${at + 1}`);
    expect([...found.values()]).to.have.members(badges);
    for (const [id, badge] of this.#badges) expect(found.get(id)).to.equal(`badge ${badge}`);
  }

  #storeAt(at: number): Store {
    return this.#stores[at % this.#stores.length] ?? expect.fail('no store');
  }

  protected override async write(at: number): Promise<void> {
    for (let badge = 1; !this.isStopped; ) {
      const begun = performance.now();
      const card = aCard({ badge: String(badge) });
      const result = await outcome(commit(this.#storeAt(at), creating(card)).then(String));
      expect(['done', 'badge-taken', 'unavailable', 'outcome-unknown']).to.include(result);
      if (result === 'done') this.#badges.set(card.id, String(badge));
      if (result === 'done' || result === 'badge-taken') {
        this.noteAnswer(begun);
        badge += 1;
      } else await turn();
    }
  }
}
