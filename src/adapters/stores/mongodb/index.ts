/**
 * The MongoDB store: its settings, and how it is opened, inspected and described.
 *
 * `store.ts` and `groups.ts` implement the ports, `rows.ts` what they share. The store needs a replica set. A write is one command on one
 * document and waits for the majority; a change of memberships is a transaction. A read sees the primary. The folders, from the bottom:
 * - `documents/`: a user or group as a document (`_id`, its members, the keys that are indexed), and the indexes;
 * - `connection/`: the connection string and the driver's options, whether the store is ready, elections, and the driver's errors as
 *   those of the port;
 * - `query/`: conditions as MongoDB filters, and how a page is found (`pages.ts` explains it). MongoDB plans; time limits bound it;
 * - `write/`: many writes in two commands, who belongs to which group (`members.ts`), and the notes that commands leave;
 * - `layout/`: collection and indexes, checked while the service runs, and keys that an earlier release made (`reindexing.ts`).
 */
import Type from 'typebox';
import { closed, milliseconds } from '../../../config/base/setting-types.ts';
import { adaptStore } from '../base/adapt.ts';
import type { StoreModule } from '../base/store-module.ts';

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
  async open(given, { onProblem, isWatched = false }) {
    const { openMongoStore } = await import('./open-store.ts');
    return adaptStore(await openMongoStore({ ...given, onProblem, isWatched }));
  },
  async inspect(given) {
    const { inspectDatabase } = await import('./inspect.ts');
    return inspectDatabase({ ...given, onProblem: () => undefined });
  },
  async describe({ uri }) {
    const { mongoAddress } = await import('./connection/uri.ts');
    return `MongoDB at ${mongoAddress(uri)}`;
  },
};
