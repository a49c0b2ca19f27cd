import Type from 'typebox';
import { closed, milliseconds } from '../../../setting-types.ts';
import type { StoreModule } from '../../store-module.ts';

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
    return openMongoStore({ ...given, onProblem, isWatched });
  },
  async inspect(given) {
    const { inspectDatabase } = await import('./inspect.ts');
    return inspectDatabase({ ...given, onProblem: () => undefined });
  },
  async describe({ uri }) {
    const { mongoAddress } = await import('./uri.ts');
    return `MongoDB at ${mongoAddress(uri)}`;
  },
};
