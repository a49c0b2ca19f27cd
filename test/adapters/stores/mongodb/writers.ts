/** Writers that go on through every failure and remember what they were answered. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { DomainError } from '../../../../src/domain/base/errors.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import type { UserStore } from '../../../support/verbs.ts';

const allowed: readonly unknown[] = [undefined, true, 'unavailable', 'outcome-unknown'];

/** One user each, written over and over: so what was answered last must be what is found, or came after. */
export class Writers {
  readonly #store: UserStore;
  readonly #running: Promise<void>[];
  /** By user: the states that may be found. The first was answered; any other was asked for since, and may yet come. */
  readonly #possible: (readonly User[])[] = [];
  #stopped = false;
  #answered = 0;
  /** When the youngest of the answered writes was begun. */
  #begun = 0;

  constructor(store: UserStore, count: number) {
    this.#store = store;
    this.#running = Array.from({ length: count }, () => this.#write());
    // Reported by `stop`, which comes later.
    for (const writer of this.#running) writer.catch(() => {});
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

  /** Stops them, and holds what is found against what they were answered. */
  async verify(): Promise<void> {
    await this.stop();
    for (const possible of this.#possible) {
      expect(possible).to.deep.include((await this.#store.find(possible[0]?.id ?? ''))?.value);
    }
  }

  async #write(): Promise<void> {
    const first = aUser();
    while (!(await this.#inserted(first))) {
      if (this.#stopped) return;
      await turn();
    }
    const possible = [first];
    this.#possible.push(possible);
    for (let current: User | undefined = first; current && !this.#stopped; ) {
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
    if (result === true) {
      this.#answered += 1;
      this.#begun = Math.max(this.#begun, begun);
    }
    return result === true;
  }

  /** Undefined when the writers were stopped before the store answered. */
  async #found(id: string): Promise<User | undefined> {
    while (!this.#stopped) {
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
