/** The composition root: which adapter stands behind which port. The only file that knows inversify and every store. */
import 'reflect-metadata';
import { Container } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { httpApp } from './adapters/http/app.ts';
import type { State } from './adapters/http/context.ts';
import { authenticatorsOf } from './authentication.ts';
import type { Settings } from './config.ts';
import type { Authenticator, Clock, Ids, UserStore } from './domain/ports.ts';
import { type Users, users } from './domain/users.ts';
import { randomIds } from './ids.ts';

/** What a store is opened with. */
export interface StoreParts {
  readonly settings: Settings;
  /** Called when the store can't go on and the process shall end; a restart recovers it. */
  readonly onFatal: (cause: unknown) => void;
  /** Told what an operator should know and the service lives through. Fit for a log. */
  readonly onProblem: (message: string) => void;
  /** Told what is in order and can't be seen otherwise. Fit for a log. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** What a container is made from. */
export interface Parts extends Omit<StoreParts, 'onProblem'> {
  readonly log: Logger;
}

const tokens = {
  parts: Symbol('parts'),
  clock: Symbol('clock'),
  ids: Symbol('ids'),
  store: Symbol('store'),
  authenticators: Symbol('authenticators'),
  users: Symbol('users'),
  app: Symbol('app'),
};

export const systemClock: Clock = { now: () => new Date() };

/** Imported when chosen: a driver that isn't used, such as MongoDB's, would be a good part of the start. */
const stores: Readonly<Record<Settings['store'], (parts: StoreParts) => Promise<UserStore>>> = {
  async memory() {
    const { memoryStore } = await import('./adapters/memory/store.ts');
    return memoryStore();
  },
  async sqlite({ settings, onFatal, onProblem, onNotice = () => {} }) {
    const { openSqliteStore } = await import('./adapters/sqlite/store.ts');
    return openSqliteStore({ file: settings.sqlite.file, onFatal, onProblem, onNotice });
  },
  async mongodb({ settings, onProblem }) {
    const { openMongoStore } = await import('./adapters/mongodb/store.ts');
    return openMongoStore({ ...settings.mongodb, onProblem });
  },
};

export const storeKinds = Object.keys(stores) as readonly Settings['store'][];

/** Opens a store on its own, whichever one the service is set to use. Rejects with a reason fit for an operator. */
export const openStore = (kind: Settings['store'], parts: StoreParts): Promise<UserStore> =>
  stores[kind](parts);

function bound(parts: Parts): Container {
  const container = new Container();
  container.bind<Parts>(tokens.parts).toConstantValue(parts);
  container.bind<Clock>(tokens.clock).toConstantValue(systemClock);
  container.bind<Ids>(tokens.ids).toConstantValue(randomIds);
  container
    .bind<UserStore>(tokens.store)
    .toResolvedValue(
      ({ settings, onFatal, onNotice, log }: Parts) =>
        openStore(settings.store, {
          settings,
          onFatal,
          onProblem: (problem) => log.error(problem),
          onNotice,
        }),
      [tokens.parts],
    )
    .inSingletonScope()
    .onDeactivation((store) => store.close());
  container
    .bind<Authenticator[]>(tokens.authenticators)
    .toResolvedValue(
      ({ settings, log }: Parts, clock: Clock) =>
        authenticatorsOf(settings, clock, (problem) => log.error(problem)),
      [tokens.parts, tokens.clock],
    )
    .inSingletonScope()
    .onDeactivation(async (all) => void (await Promise.all(all.map((one) => one.close()))));
  container
    .bind<Users>(tokens.users)
    .toResolvedValue(users, [tokens.store, tokens.clock, tokens.ids])
    .inSingletonScope();
  container
    .bind<Koa<State>>(tokens.app)
    .toResolvedValue(
      (directory: Users, authenticators: Authenticator[], { settings, log }: Parts) =>
        httpApp({ users: directory, authenticators, settings, log }),
      [tokens.users, tokens.authenticators, tokens.parts],
    )
    .inSingletonScope();
  return container;
}

export interface Composition {
  readonly app: Koa<State>;
  /** Gives back what was opened: the store flushes what it has accepted. */
  close(): Promise<void>;
}

/** Rejects with the error of the part that can't be made; what was opened until then is closed. */
export async function compose(parts: Parts): Promise<Composition> {
  const container = bound(parts);
  try {
    // Before the store: wrong settings shall leave no file behind.
    container.get<Authenticator[]>(tokens.authenticators);
    return {
      app: await container.getAsync<Koa<State>>(tokens.app),
      close: () => container.unbindAllAsync(),
    };
  } catch (error) {
    await container.unbindAllAsync();
    throw error;
  }
}
