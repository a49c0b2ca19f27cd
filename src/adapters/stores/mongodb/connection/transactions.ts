/**
 * Runs transactions, and runs them again after conflicts until their time is over. Ends transactions that a dead process has left open.
 * `write/commit.ts` has what a transaction of writes does.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, MongoClient, TransactionOptions, UUID } from 'mongodb';
import { CommitUnknown, isBroken, isConflict, isLastingRefusal } from './driver-errors.ts';

/** In milliseconds: the longest wait before a repetition. Transactions that conflict would meet again without it. */
const maxWait = 20;

/** How often a transaction, or its commit, is repeated after failures of the connection. After conflicts only time limits it. */
const maxFailures = 3;

/**
 * In milliseconds: the time between two looks for abandoned transactions, and the time limit of each step of a look. A transaction that was idle
 * all that time belongs to a process that died or was stopped. MongoDB would keep its writes locked for a minute or more, and with them the
 * counter of the change log, which every writer needs. If the process continues after all, it runs the transaction again.
 */
const lookInterval = 750;

/** A transaction that is open, as `$currentOp` shows it. */
interface OpenTransaction {
  readonly lsid: { readonly id: UUID };
  readonly transaction: {
    readonly parameters: { readonly txnNumber: unknown };
    readonly timeActiveMicros: unknown;
  };
}

/** Writes in a transaction, or aborts it to change nothing. May be called again. */
type Work<T> = (session: ClientSession) => Promise<T>;

export class Transactions {
  readonly #client: MongoClient;
  readonly #maxTimeMS: number;
  readonly #onRefused: (cause: unknown) => void;
  /** At the last look: which transactions were open, and for how long they had been active. */
  #seen: ReadonlySet<string> = new Set();
  #nextLook = 0;
  #isReported = false;

  /** @param onRefused called once if MongoDB doesn't let the account end abandoned transactions */
  constructor(client: MongoClient, maxTimeMS: number, onRefused: (cause: unknown) => void) {
    this.#client = client;
    this.#maxTimeMS = maxTimeMS;
    this.#onRefused = onRefused;
  }

  /**
   * @param end as of `performance.now()`: it is not run again after this time
   * @param onApplied called when the primary has it: other transactions can begin, while this one waits for the majority
   * @throws CommitUnknown when its end is not known; with any other error nothing was done
   */
  async run<T>(work: Work<T>, end = performance.now() + this.#maxTimeMS, onApplied?: () => void): Promise<T> {
    const defaultTransactionOptions: TransactionOptions = {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: onApplied ? 1 : 'majority', wtimeoutMS: this.#maxTimeMS },
      readPreference: 'primary',
    };
    for (let failures = 0; ; ) {
      const session = this.#client.startSession({ defaultTransactionOptions });
      try {
        session.startTransaction();
        const result = await work(session);
        if (session.inTransaction()) {
          await this.#commit(session, end);
          onApplied?.();
          // Sent again, a commit waits for the majority.
          if (onApplied) await this.#commit(session, end);
        }
        return result;
      } catch (cause) {
        failures += isBroken(cause) ? 1 : 0;
        if (!(isConflict(cause) || isBroken(cause)) || failures > maxFailures || performance.now() > end)
          throw cause;
      } finally {
        // Aborts a transaction that is not committed.
        await session.endSession();
      }
      await this.#endAbandoned().catch((cause: unknown) => this.#report(cause));
      await pause(Math.random() * maxWait);
    }
  }

  /** Ends only transactions of this application and account, which takes no further privilege. */
  async #endAbandoned(): Promise<void> {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + lookInterval;
    const { appName } = this.#client.options;
    const admin = this.#client.db('admin');
    const idle = { appName, active: false, transaction: { $exists: true } };
    const found = await admin
      .aggregate<OpenTransaction>([{ $currentOp: { idleSessions: true } }, { $match: idle }], {
        readConcern: 'local',
        readPreference: 'primary',
        maxTimeMS: lookInterval,
      })
      .toArray();
    const keyOf = ({ lsid, transaction: { parameters, timeActiveMicros } }: OpenTransaction): string =>
      `${lsid.id} ${parameters.txnNumber} ${timeActiveMicros}`;
    const abandoned = found.filter((open) => this.#seen.has(keyOf(open)));
    this.#seen = new Set(found.map(keyOf));
    const killSessions = abandoned.map(({ lsid: { id } }) => ({ id }));
    if (abandoned.length > 0) await admin.command({ killSessions, maxTimeMS: lookInterval });
  }

  /** Other errors pass: the next look may succeed. */
  #report(cause: unknown): void {
    if (this.#isReported || !isLastingRefusal(cause)) return;
    this.#isReported = true;
    this.#onRefused(cause);
  }

  /** A commit may be repeated: the server knows whether it was done. */
  async #commit(session: ClientSession, end: number): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await session.commitTransaction();
      } catch (cause) {
        // The server says that it did not commit.
        if (isConflict(cause)) throw cause;
        if (failures > maxFailures || performance.now() > end)
          throw new CommitUnknown('The commit was not answered.', { cause });
      }
      await pause(maxWait);
    }
  }
}
