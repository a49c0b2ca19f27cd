/** The declarations of attributes that the database was last served with, beside the counter of the log, which each transaction reads. */

import { type MongoOptions, openClient } from './connection/client.ts';
import { fromPrimary } from './layout/layout.ts';
import { type LogCollections, logCollectionsOf, readState } from './log/entries.ts';

async function withLog<T>(
  given: Omit<MongoOptions, 'onProblem'>,
  run: (log: LogCollections) => Promise<T>,
): Promise<T> {
  const { client, database } = openClient({ ...given, onProblem: () => undefined });
  try {
    return await run(logCollectionsOf(client.db(database), fromPrimary));
  } finally {
    await client.close();
  }
}

/** @throws MongoError when the server can't be reached */
export const readDeclared = (given: Omit<MongoOptions, 'onProblem'>): Promise<string> =>
  withLog(given, async (log) => (await readState(log, {})).counter?.declared ?? '');

/** In a database that a store has opened. @returns false if others than `before` are there */
export const replaceDeclared = (
  given: Omit<MongoOptions, 'onProblem'>,
  before: string,
  next: string,
): Promise<boolean> =>
  withLog(given, async ({ state }) => {
    const declared = before === '' ? { $exists: false } : before;
    const { matchedCount } = await state.updateOne(
      { _id: 'counter', declared },
      { $set: { declared: next } },
    );
    return matchedCount === 1;
  });
