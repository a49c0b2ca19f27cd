/** Runs transactions (several documents in one step), again after conflicts, until the time of an operation is over. */
import { setTimeout as pause } from 'node:timers/promises';
import { type ClientSession, type MongoClient, MongoError } from 'mongodb';

/** In milliseconds: the longest wait before a repetition. Transactions that conflict would meet again without it. */
const maxWait = 20;

const isRepeatable = (cause: unknown): boolean =>
  cause instanceof MongoError && cause.hasErrorLabel('TransientTransactionError');
const isUnknown = (cause: unknown): boolean =>
  cause instanceof MongoError && cause.hasErrorLabel('UnknownTransactionCommitResult');

export class Transactions {
  readonly #client: MongoClient;
  readonly #maxTimeMS: number;
  /** The last transaction of each key in this process: those of one group would only conflict. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(client: MongoClient, maxTimeMS: number) {
    this.#client = client;
    this.#maxTimeMS = maxTimeMS;
  }

  /**
   * @param key transactions with the same one run one after the other
   * @param work may be called again; undefined aborts the transaction
   * @throws MongoError with the label UnknownTransactionCommitResult when its end is not known; any other one when nothing was done
   */
  async run<T>(
    key: string,
    work: (session: ClientSession) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const own = before.catch(() => {}).then(() => this.#repeat(work));
    this.#last.set(key, own);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key);
    }
  }

  async #repeat<T>(work: (session: ClientSession) => Promise<T | undefined>): Promise<T | undefined> {
    const end = performance.now() + this.#maxTimeMS;
    const session = this.#client.startSession();
    try {
      for (;;) {
        try {
          return await this.#once(session, work, end);
        } catch (cause) {
          if (!isRepeatable(cause) || performance.now() > end) throw cause;
        }
        await pause(Math.random() * maxWait);
      }
    } finally {
      await session.endSession();
    }
  }

  async #once<T>(
    session: ClientSession,
    work: (session: ClientSession) => Promise<T | undefined>,
    end: number,
  ): Promise<T | undefined> {
    session.startTransaction({
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' },
      readPreference: 'primary',
    });
    let result: T | undefined;
    try {
      result = await work(session);
    } catch (cause) {
      await session.abortTransaction().catch(() => {});
      throw cause;
    }
    if (result === undefined) await session.abortTransaction().catch(() => {});
    else await this.#commit(session, end);
    return result;
  }

  /** A commit may be repeated: the server knows whether it was done. */
  async #commit(session: ClientSession, end: number): Promise<void> {
    for (;;) {
      try {
        return await session.commitTransaction();
      } catch (cause) {
        if (!isUnknown(cause) || performance.now() > end) throw cause;
      }
      await pause(maxWait);
    }
  }
}
