/** Runs transactions (several documents in one step), again after conflicts, until the time of an operation is over. */
import { setTimeout as pause } from 'node:timers/promises';
import { type ClientSession, type MongoClient, MongoError, type UUID } from 'mongodb';
import { isCode } from '../../../../domain/base/errors.ts';
import { isLastingRefusal, undone } from '../connection/driver-errors.ts';

/** In milliseconds: the longest wait before a repetition. Transactions that conflict would meet again without it. */
const maxWait = 20;

/**
 * In milliseconds: a transaction that has been idle for so long belongs to a process that is gone or stopped. MongoDB would keep what it has
 * written locked for a minute or more. If its process continues after all, that runs it again.
 */
const abandonedAfter = 5_000;
/** In milliseconds: between two looks for them, and how long the server may take for each step of one. */
const lookInterval = 1_000;

const defaultTransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  readPreference: 'primary',
} as const;

const has = (cause: unknown, label: string): boolean =>
  cause instanceof MongoError && cause.hasErrorLabel(label);

/** Writes in a transaction. May be called again. @returns false to change nothing */
export type Work = (session: ClientSession) => Promise<boolean>;

export class Transactions {
  readonly #client: MongoClient;
  readonly #maxTimeMS: number;
  readonly #onRefused: (cause: unknown) => void;
  /** The last transaction of each key in this process: those of one group would only conflict. */
  readonly #last = new Map<string, Promise<unknown>>();
  #nextLook = 0;
  #isReported = false;

  /** @param onRefused called once if MongoDB doesn't let the account end abandoned transactions */
  constructor(client: MongoClient, maxTimeMS: number, onRefused: (cause: unknown) => void) {
    this.#client = client;
    this.#maxTimeMS = maxTimeMS;
    this.#onRefused = onRefused;
  }

  /**
   * @param key transactions with the same one run one after the other
   * @throws MongoError with the label UnknownTransactionCommitResult when its end is not known; any other one when nothing was done;
   *   DomainError `unavailable` when the one before failed and the time of this one is over
   */
  async run(key: string, work: Work): Promise<boolean> {
    const end = performance.now() + this.#maxTimeMS;
    const before = this.#last.get(key) ?? Promise.resolve();
    const own = before.then(
      () => this.#repeat(work),
      (cause: unknown) => {
        const isAway = cause instanceof MongoError || isCode(cause, 'unavailable');
        // Otherwise each would wait in turn for a server that is away.
        if (isAway && performance.now() > end) throw cause instanceof MongoError ? undone(cause) : cause;
        return this.#repeat(work);
      },
    );
    this.#last.set(key, own);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key);
    }
  }

  async #repeat(work: Work): Promise<boolean> {
    for (const end = performance.now() + this.#maxTimeMS; ; ) {
      const session = this.#client.startSession({ defaultTransactionOptions });
      try {
        session.startTransaction();
        const isDone = await work(session);
        if (isDone) await this.#commit(session, end);
        return isDone;
      } catch (cause) {
        if (!has(cause, 'TransientTransactionError') || performance.now() > end) throw cause;
      } finally {
        // Aborts a transaction that is not committed.
        await session.endSession();
      }
      await this.#endAbandoned().catch((cause: unknown) => this.#report(cause));
      await pause(Math.random() * maxWait);
    }
  }

  /** Those of this application and its account, for which it needs no privilege of its own. */
  async #endAbandoned(): Promise<void> {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + lookInterval;
    const { appName } = this.#client.options;
    const abandoned = { appName, 'transaction.timeInactiveMicros': { $gt: abandonedAfter * 1000 } };
    const admin = this.#client.db('admin');
    const found = await admin
      .aggregate<{ lsid: { id: UUID } }>([{ $currentOp: { idleSessions: true } }, { $match: abandoned }], {
        readConcern: 'local',
        readPreference: 'primary',
        maxTimeMS: lookInterval,
      })
      .toArray();
    const killSessions = found.map(({ lsid: { id } }) => ({ id }));
    if (found.length > 0) await admin.command({ killSessions, maxTimeMS: lookInterval });
  }

  /** Other errors pass: the next look may succeed. */
  #report(cause: unknown): void {
    if (this.#isReported || !isLastingRefusal(cause)) return;
    this.#isReported = true;
    this.#onRefused(cause);
  }

  /** A commit may be repeated: the server knows whether it was done. */
  async #commit(session: ClientSession, end: number): Promise<void> {
    for (;;) {
      try {
        return await session.commitTransaction();
      } catch (cause) {
        if (!has(cause, 'UnknownTransactionCommitResult') || performance.now() > end) throw cause;
      }
      await pause(maxWait);
    }
  }
}
