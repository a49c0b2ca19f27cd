/** The composition root: binds adapters to ports. The only file that knows inversify. */
import 'reflect-metadata';
import { Container } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { apisOf } from './adapters/apis/index.ts';
import { ChangeWatcher } from './adapters/change-watcher/change-watcher.ts';
import type { KeyEvent, KeyPlace } from './adapters/credentials/bearer.ts';
import { httpApp } from './adapters/http/app.ts';
import type { State } from './adapters/http/pipeline/context.ts';
import { observeStore } from './adapters/observe/observed-store.ts';
import type { Observer } from './adapters/observe/observer.ts';
import { clock } from './adapters/scheduler/clock.ts';
import {
  adoptDeclarations,
  rememberDeclarations,
  untilAdopted,
} from './adapters/stores/adopt-declarations.ts';
import { storeAt } from './adapters/stores/index.ts';
import { markWrites } from './adapters/stores/mark-writes.ts';
import type { StoreHooks } from './adapters/stores/port/store-module.ts';
import { keepPruned } from './adapters/stores/pruning.ts';
import { type TimeFollower, timeFollower } from './adapters/stores/time-follower.ts';
import { randomIds, systemClock } from './adapters/system/clock-and-ids.ts';
import { Deliverer } from './adapters/webhooks/deliverer.ts';
import { Messages } from './adapters/webhooks/message.ts';
import { type Attempt, ReceiverStates } from './adapters/webhooks/progress.ts';
import { accessOf, type OpenProfiles, openProfiles } from './config/access.ts';
import { authenticatorsOf, contractOf, schemeHints } from './config/authentication.ts';
import { kindsOfSettings } from './config/declarations.ts';
import { type WatchedReceivers, watchReceivers } from './config/receivers.ts';
import type { Settings } from './config/settings.ts';
import type { Profiles } from './domain/find/access.ts';
import { measureDue, timelyStore } from './domain/follow-time.ts';
import type { Kinds } from './domain/kinds.ts';
import type { Authenticator } from './domain/ports.ts';
import type { Store } from './domain/store.ts';
import { type Changes, changes } from './domain/use-cases/feed.ts';
import { groups } from './domain/use-cases/groups.ts';
import { users } from './domain/use-cases/users.ts';

interface Parts extends Pick<StoreHooks, 'onFatal' | 'onNotice'> {
  readonly settings: Settings;
  readonly log: Logger;
  /** None: nothing is observed, at no cost. */
  readonly observers?: readonly Observer[];
}

const tokens = {
  openedStore: Symbol('openedStore'),
  follower: Symbol('follower'),
  store: Symbol('store'),
  authenticators: Symbol('authenticators'),
  profiles: Symbol('profiles'),
  changes: Symbol('changes'),
  watcher: Symbol('watcher'),
  receivers: Symbol('receivers'),
  states: Symbol('states'),
  app: Symbol('app'),
};

/** The realm that challenges name (RFC 9110 §11.5). */
const realm = 'users';

/** Observed, if there are observers. All writers of the process write through it. */
async function openObservedStore(
  { settings, onFatal, onNotice, log, observers = [] }: Parts,
  kinds: Kinds,
  profiles: Profiles,
): Promise<Store> {
  const onCommits = observers.flatMap(({ onCommit }) => onCommit ?? []);
  const hooks = {
    kinds,
    isLogged: settings.changes.retention > 0,
    mayMigrate: true,
    onFatal,
    onProblem: (problem: string) => log.error(problem),
    onNotice,
    onProgress: (line: string) => log.info(line),
  };
  const location = storeAt(settings.store, settings);
  const marked = (store: Store): Store =>
    settings.access.file === '' ? store : markWrites(store, kinds, profiles);
  const adopting = { ...hooks, clock: systemClock, ids: randomIds, marked };
  const isAdopted = await adoptDeclarations(location, adopting);
  const store = await location.open({
    ...hooks,
    onCommit: (writes) => {
      for (const tell of onCommits) tell(writes);
    },
  });
  for (const { onStore, onDue, onLog } of observers) {
    onDue?.(() => measureDue(store, kinds, systemClock));
    if (store.readings) onStore?.(() => store.readings?.() ?? {});
    if (store.changes) onLog?.(store.changes, settings.changes);
  }
  const observed = observers
    .flatMap(({ operations }) => operations ?? [])
    .reduce<Store>((inner, operations) => observeStore(inner, operations), store);
  const remember = () => rememberDeclarations(location, kinds, hooks.onProblem);
  if (isAdopted) {
    await remember();
    return marked(observed);
  }
  // Notices are for the start.
  const later = { ...adopting, onNotice: hooks.onProgress };
  const adopt = async (): Promise<boolean> => {
    const isNow = await adoptDeclarations(location, later);
    if (isNow) await remember();
    return isNow;
  };
  return marked(untilAdopted(observed, adopt, hooks));
}

function createContainer(parts: Parts, kinds: Kinds): Container {
  const { settings, log, observers = [] } = parts;
  const onProblem = (problem: string): void => log.error(problem);
  const onKeys = (place: KeyPlace, event: KeyEvent): void => {
    for (const observer of observers) observer.onKeys?.(place, event);
  };
  const container = new Container();
  /** A part that is made once, when it is needed. */
  function bind<T, Needs extends unknown[]>(
    token: symbol,
    needs: { [At in keyof Needs]-?: symbol },
    make: (...needs: Needs) => T | Promise<T>,
    close: (made: T) => void | Promise<void> = () => undefined,
  ): void {
    container.bind<T>(token).toResolvedValue(make, needs).inSingletonScope().onDeactivation(close);
  }
  bind(
    tokens.profiles,
    [],
    () => openProfiles(settings, kinds, { onProblem, onKeys: (event) => onKeys('access-profiles', event) }),
    (profiles) => profiles.close(),
  );
  bind(
    tokens.authenticators,
    [],
    () => authenticatorsOf(settings, systemClock, { onProblem, onKeys }),
    async (all) => void (await Promise.all(all.map((one) => one.close()))),
  );
  bind(
    tokens.receivers,
    [],
    () => watchReceivers(settings, onProblem),
    (receivers) => receivers?.close(),
  );
  bind(
    tokens.openedStore,
    [tokens.profiles],
    (profiles: Profiles) => openObservedStore(parts, kinds, profiles),
    (store) => store.close(),
  );
  bind(tokens.follower, [tokens.openedStore], (store: Store) =>
    timeFollower({ store, kinds, ids: randomIds }, { onProblem }),
  );
  bind(tokens.store, [tokens.openedStore, tokens.follower], (store: Store, clock: TimeFollower) =>
    timelyStore({ store, kinds, ids: randomIds, clock }),
  );
  bind(tokens.changes, [tokens.store], (store: Store) => changes(store, kinds));
  bind(tokens.watcher, [tokens.changes], (ofLog: Changes) => new ChangeWatcher(ofLog));
  bind(
    tokens.states,
    [tokens.receivers, tokens.changes],
    (receivers: WatchedReceivers | undefined, ofLog: Changes) =>
      new ReceiverStates({
        receivers,
        changes: ofLog,
        open: () => storeAt(settings.store, settings).openDeliveries(),
      }),
    (states) => states.close(),
  );
  bind(
    tokens.app,
    [tokens.store, tokens.changes, tokens.watcher, tokens.states, tokens.authenticators, tokens.profiles],
    (
      store: Store,
      ofLog: Changes,
      watcher: ChangeWatcher,
      receivers: ReceiverStates,
      authenticators: Authenticator[],
      profiles: OpenProfiles,
    ) =>
      httpApp({
        apis: apisOf({
          users: users(store, systemClock, randomIds, kinds),
          groups: groups(store, systemClock, randomIds, kinds),
          schemes: authenticators.map(({ scheme }) => scheme),
          ...{ kinds, changes: ofLog, watcher, receivers, ids: randomIds, settings },
        }),
        contractOf: contractOf(settings),
        accessOf: accessOf(settings, profiles),
        ...{ authenticators, realm, schemeHints, settings, log },
        observers: observers.flatMap(({ requests }) => requests ?? []),
      }),
  );
  return container;
}

export interface Composition {
  readonly app: Koa<State>;
  /** Closes the store, which finishes accepted writes, and the authenticators. */
  close(): Promise<void>;
}

async function pruneChanges(container: Container, { settings, log }: Parts): Promise<() => Promise<void>> {
  const { changes } = await container.getAsync<Store>(tokens.store);
  if (changes === undefined) return async () => {};
  return keepPruned(changes, settings.changes, (problem) => log.error(problem));
}

/** @returns stops them */
async function sendWebhooks(
  container: Container,
  { settings, log, observers = [] }: Parts,
  kinds: Kinds,
): Promise<() => Promise<void>> {
  const receivers = container.get<WatchedReceivers | undefined>(tokens.receivers);
  const store = await container.getAsync<Store>(tokens.store);
  if (receivers === undefined || store.changes === undefined) return async () => {};
  const profiles = container.get<OpenProfiles>(tokens.profiles);
  const deliverer = new Deliverer({
    ...{ log: store.changes, store, kinds, receivers, clock: { now: Date.now, later: clock.later } },
    changes: await container.getAsync<Changes>(tokens.changes),
    profiles,
    watcher: await container.getAsync<ChangeWatcher>(tokens.watcher),
    messages: new Messages(kinds),
    open: () => storeAt(settings.store, settings).openDeliveries(),
    onProblem: (problem) => log.error(problem),
    onAttempt: (attempt: Attempt) => {
      for (const observer of observers) observer.onWebhook?.(attempt);
      if (!attempt.isDelivered)
        log[attempt.isLast ? 'error' : 'warn'](attempt, 'a webhook was not delivered');
    },
  });
  for (const observer of observers) observer.onWebhooks?.(() => deliverer.read());
  deliverer.start();
  return () => deliverer.stop();
}

/** @throws the error of the part that can't be made, after closing the others */
export async function compose(parts: Parts): Promise<Composition> {
  const kinds = kindsOfSettings(parts.settings);
  const container = createContainer(parts, kinds);
  try {
    // Before the store, so that wrong settings leave no file behind.
    container.get<OpenProfiles>(tokens.profiles);
    container.get<Authenticator[]>(tokens.authenticators);
    container.get<WatchedReceivers | undefined>(tokens.receivers);
    const app = await container.getAsync<Koa<State>>(tokens.app);
    const stopPruning = await pruneChanges(container, parts);
    const follower = await container.getAsync<TimeFollower>(tokens.follower);
    follower.start();
    const stopWebhooks = await sendWebhooks(container, parts, kinds);
    return {
      app,
      async close() {
        await Promise.all([stopPruning(), follower.stop(), stopWebhooks()]);
        await container.unbindAllAsync();
      },
    };
  } catch (error) {
    // Not `unbindAllAsync`: it rejects with the error of the failed part, before the store is closed.
    await Promise.allSettled(
      [tokens.authenticators, tokens.profiles, tokens.receivers, tokens.openedStore].map((part) =>
        container.unbindAsync(part),
      ),
    );
    throw error;
  }
}
