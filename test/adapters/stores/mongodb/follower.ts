/** A follower of the change log that goes on through every failure, in short pages. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Entry } from '../../../../src/domain/changes/change.ts';
import type { ChangeLog, Start } from '../../../../src/domain/changes/log.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { follow } from '../../../support/logged-writes.ts';

export class Follower {
  readonly #store: Store;
  readonly #log: ChangeLog;
  readonly #seen: Entry[] = [];
  #at: Start | undefined;
  readonly #running: Promise<void>;
  #isStopped = false;

  constructor(store: Store) {
    this.#store = store;
    this.#log = store.changes ?? expect.fail('no log');
    this.#running = this.#follow();
    // Reported by `verify`, which comes later.
    this.#running.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Once nobody writes any more: it has seen what the log has, and the log ends with what is stored of each user. */
  async verify(): Promise<void> {
    await this.stop();
    const all = await follow(this.#log, 'start');
    const [first = all[0]] = this.#seen;
    const expected = all.filter(({ number }) => first !== undefined && number >= first.number);
    const seen = [...this.#seen, ...(await follow(this.#log, this.#at ?? 'start'))];
    expect(seen.map(({ number, mark }) => [number, mark])).to.deep.equal(
      expected.map(({ number, mark }) => [number, mark]),
    );
    const ofUsers = all.filter(({ type }) => type.startsWith('user.'));
    const last = new Map(ofUsers.map(({ id, version }) => [id, version]));
    for (const [id, version] of last) expect((await this.#store.find('user', id))?.version).to.equal(version);
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const { entries, end } = await this.#log.read(this.#at ?? 'now', 7);
        this.#seen.push(...entries);
        this.#at = end;
      } catch (cause) {
        if (!(cause instanceof DomainError && cause.code === 'unavailable')) throw cause;
      }
      await turn();
    }
  }
}
