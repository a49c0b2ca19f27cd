/** The declarations of attributes that the database was last served with, beside the counter of the log, which each transaction reads. */

import { defaults, type MongoOptions, openClient } from './connection/client.ts';
import { Transactions } from './connection/transactions.ts';
import { type LogCollections, logOf, readState } from './log/entries.ts';

type Options = Omit<MongoOptions, 'onProblem'>;

async function withLog<T>(
  given: Options,
  run: (log: LogCollections, transactions: Transactions) => Promise<T>,
): Promise<T> {
  const { client, database } = openClient({ ...given, onProblem: () => undefined });
  const { operationTimeout = defaults.operationTimeout } = given;
  try {
    const log = logOf({ db: client.db(database) });
    return await run(log, new Transactions(client, operationTimeout, () => undefined));
  } finally {
    await client.close();
  }
}

/** @throws MongoError when the server can't be reached */
export const readDeclared = (given: Options): Promise<string> =>
  withLog(given, async (log) => (await readState(log, {})).counter?.declared ?? '');

/**
 * In a database that a store has opened. In a transaction, since one that a dead process has left open may hold the counter.
 * @returns false if the stored declarations are not `before`
 */
export const replaceDeclared = (given: Options, before: string, next: string): Promise<boolean> =>
  withLog(given, ({ state }, transactions) =>
    transactions.run(async (session) => {
      const declared = before === '' ? { $exists: false } : before;
      const update = { $set: { declared: next } };
      const { matchedCount } = await state.updateOne({ _id: 'counter', declared }, update, { session });
      return matchedCount === 1;
    }),
  );
