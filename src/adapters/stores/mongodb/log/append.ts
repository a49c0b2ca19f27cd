/**
 * How a transaction writes to the change log. It begins by taking numbers from the counter, which stays locked until the commit: the next
 * transaction, of any process, starts after it. So a snapshot that shows an entry shows all with lower numbers.
 */
import type { ClientSession } from 'mongodb';
import type { Change } from '../../../../domain/changes/change.ts';
import type { Actor } from '../../../../domain/store.ts';
import { newMark } from '../../../system/ids.ts';
import {
  type Counter,
  type Erased,
  eraseValues,
  type LogCollections,
  type TransactionOptions,
  toEntry,
} from './entries.ts';

/** A change that isn't in its place yet. */
export interface NewEntry {
  /** See `subjectOf`. */
  readonly of: string;
  readonly change: Change;
  readonly by: Actor;
}

/** For each transaction one. */
export class LogAppender {
  readonly #log: LogCollections;
  readonly #options: TransactionOptions;
  #end: Counter | undefined;

  constructor(log: LogCollections, session: ClientSession, maxTimeMS: number) {
    this.#log = log;
    this.#options = { session, maxTimeMS };
  }

  /** The first command of the transaction. @param count of entries, at most */
  async begin(count: number): Promise<void> {
    const update = {
      $inc: { number: count },
      $set: { mark: newMark() },
      $setOnInsert: { line: newMark() },
    };
    const options = { ...this.#options, upsert: true, returnDocument: 'after' } as const;
    this.#end = ((await this.#log.state.findOneAndUpdate({ _id: 'counter' }, update, options)) ??
      undefined) as Counter | undefined;
  }

  /** The last entry gets the counter's number: it is always the end of the log. */
  async append(entries: readonly NewEntry[]): Promise<void> {
    const { line = null, number: end = 0, mark = '' } = this.#end ?? {};
    if (line === null || entries.length === 0) return;
    const at = Date.now();
    const first = end - entries.length + 1;
    const documents = entries.map(({ of, change, by }, behind) =>
      toEntry({ number: first + behind, mark }, of, change, by, at),
    );
    await this.#log.entries.insertMany(documents, this.#options);
  }

  async erase(all: readonly Erased[]): Promise<void> {
    for (const one of all) await eraseValues(this.#log, one, this.#options);
  }
}
