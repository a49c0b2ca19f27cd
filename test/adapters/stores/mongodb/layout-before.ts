/**
 * A process of the release before layout 2, as far as it writes the change log: it compares the number of the layout, and its entries have neither
 * `users` nor `request`.
 */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import {
  type Counter,
  logCollectionsOf,
  subjectOf,
} from '../../../../src/adapters/stores/mongodb/log/entries.ts';
import { deadline } from '../../../support/deadlines.ts';

export class ProcessBefore {
  readonly #client: MongoClient;
  readonly #layout: number;

  /** @param layout the newest that it knows: release 1.0 compares none */
  constructor(uri: string, layout = 1) {
    this.#client = new MongoClient(uri, { w: 'majority', serverSelectionTimeoutMS: deadline });
    this.#layout = layout;
  }

  /** Logs that the group has these members now, by a request with the same id. @returns the number of the entry; undefined when the layout is a newer one, and it changes nothing */
  async log(group: string, added: readonly string[]): Promise<number | undefined> {
    const { state, entries } = logCollectionsOf(this.#client.db());
    return await this.#client.withSession((session) =>
      session.withTransaction(async () => {
        const mark = randomUUID();
        const update = { $inc: { number: 1 }, $set: { mark } };
        const options = { session, returnDocument: 'after' } as const;
        const { number, layout = 1 } = (await state.findOneAndUpdate(
          { _id: 'counter' },
          update,
          options,
        )) as Counter;
        if (layout > this.#layout) {
          await session.abortTransaction();
          return undefined;
        }
        const entry = JSON.stringify({
          ...{ type: 'group.members-changed', id: group, added },
          by: { client: 'before', via: 'users', request: group },
        });
        const of = subjectOf('group', group);
        await entries.insertOne({ _id: number, mark, at: Date.now(), of, entry }, { session });
        return number;
      }),
    );
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
