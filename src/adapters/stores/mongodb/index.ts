/**
 * The MongoDB store: its settings, and how it is opened, inspected and described.
 *
 * `store.ts` implements the port. The store needs a replica set. Writes that wait together are one transaction, which waits for the
 * majority. A read sees the primary. The folders, from the bottom:
 * - `documents/`: a resource as a document (`_id`, its text, the keys that are indexed), the collections and their indexes;
 * - `connection/`: the client and its options (`client.ts`), what all parts share (`database.ts`), how transactions are run and repeated (`transactions.ts`), whether the store is
 *   ready, elections, and the driver's errors as those of the port;
 * - `query/`: conditions as MongoDB filters, and how a page is found (`pages.ts` explains it). MongoDB plans; time limits bound it;
 * - `log/`: the change log: entries as documents, and how a transaction writes them (`entries.ts`); how they are read and pruned (`log.ts`); in
 *   which users' histories they stand (`users.ts`). The collection `changes` has the entries, `change_log` the state of the log, and with it the number of
 *   the layout;
 * - `write/`: what a transaction does (`commit.ts`), and which resources are members of which (`members.ts`);
 * - `migrations/`: from the previous layout to this one, beside processes of the previous release (`run.ts`);
 * - `layout/`: the number by which a later release refuses this one (`layout-number.ts`, which transactions read, too); collections and indexes,
 *   checked while the service runs; keys that an earlier release made (`rebuild.ts`).
 *
 * On a first reading skip `layout/` and `migrations/`, and of `connection/` all but `client.ts` and `transactions.ts`.
 */
import * as Type from 'typebox';
import { closed } from '../../../domain/validation/explain.ts';
import { milliseconds, type StoreModule } from '../port/store-module.ts';

const settings = closed({
  uri: Type.String({
    pattern: '^mongodb(?:\\+srv)?://',
    must: 'be a connection string: mongodb://… or mongodb+srv://…',
  }),
  maxPoolSize: Type.Integer({ minimum: 1, maximum: 10_000 }),
  serverSelectionTimeout: milliseconds(),
  connectTimeout: milliseconds(),
  socketTimeout: milliseconds(),
  waitQueueTimeout: milliseconds(),
  operationTimeout: milliseconds(),
});

export const mongodb: StoreModule<typeof settings> = {
  settings,
  isShared: true,
  at: (given) => ({
    async open({ kinds, onProblem, onProgress, isLogged, mayFill }) {
      const { openMongoStore } = await import('./open-store.ts');
      return await openMongoStore({ ...given, kinds, onProblem, onProgress, isLogged, mayFill });
    },
    async inspect() {
      const { inspectDatabase } = await import('./open-store.ts');
      return inspectDatabase({ ...given, onProblem: () => undefined });
    },
    openDeliveries: async () => (await import('./deliveries.ts')).mongoDeliveries(given),
    declared: {
      read: async () => (await import('./declared-attributes.ts')).readDeclared(given),
      replace: async (before, next) =>
        (await import('./declared-attributes.ts')).replaceDeclared(given, before, next),
    },
    isThere: () => true,
    files: () => [],
    async describe() {
      const { mongoAddress } = await import('./connection/client.ts');
      return `MongoDB at ${mongoAddress(given.uri)}`;
    },
  }),
};
