/** The composition root: binds adapters to ports. The only file that knows inversify. */
import { systemClock } from './adapters/system/clock-and-ids.ts';
import 'reflect-metadata';
import { Container } from 'inversify';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { apisOf } from './adapters/apis/index.ts';
import { ChangeWatcher } from './adapters/change-watcher/change-watcher.ts';
import { httpApp } from './adapters/http/app.ts';
import type { Api } from './adapters/http/pipeline/api.ts';
import type { State } from './adapters/http/pipeline/context.ts';
import { observeStore } from './adapters/observe/observed-store.ts';
import type { Observer } from './adapters/observe/observer.ts';
import { clock } from './adapters/scheduler/clock.ts';
import { adoptDeclarations, openDeliveries, openStore } from './adapters/stores/index.ts';
import { markWrites } from './adapters/stores/mark-writes.ts';
import type { StoreHooks } from './adapters/stores/port/store-module.ts';
import { keepPruned } from './adapters/stores/pruning.ts';
import { type TimeFollower, timeFollower } from './adapters/stores/time-follower.ts';
import { randomIds } from './adapters/system/clock-and-ids.ts';
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
import type { Authenticator, Clock, Ids } from './domain/ports.ts';
import type { Store } from './domain/store.ts';
import { type Changes, changes } from './domain/use-cases/feed.ts';
import { type Groups, groups } from './domain/use-cases/groups.ts';
import { type Users, users } from './domain/use-cases/users.ts';

interface Parts extends Pick<StoreHooks, 'onFatal' | 'onNotice'> {
  readonly settings: Settings;
  readonly log: Logger;
  /** None: nothing is observed, at no cost. */
  readonly observers?: readonly Observer[];
}

const tokens = {
  parts: Symbol('parts'),
  kinds: Symbol('kinds'),
  clock: Symbol('clock'),
  ids: Symbol('ids'),
  openedStore: Symbol('openedStore'),
  follower: Symbol('follower'),
  store: Symbol('store'),
  authenticators: Symbol('authenticators'),
  profiles: Symbol('profiles'),
  users: Symbol('users'),
  groups: Symbol('groups'),
  changes: Symbol('changes'),
  watcher: Symbol('watcher'),
  receivers: Symbol('receivers'),
  receiverStates: Symbol('receiverStates'),
  apis: Symbol('apis'),
  app: Symbol('app'),
};

/** Of the challenges (RFC 9110 §11.5). */
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
  await adoptDeclarations(settings.store, settings, { ...hooks, clock: systemClock, ids: randomIds });
  const store = await openStore(settings.store, settings, {
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
  return settings.access.file === '' ? observed : markWrites(observed, kinds, profiles);
}

function createContainer(parts: Parts): Container {
  const container = new Container();
  container.bind<Parts>(tokens.parts).toConstantValue(parts);
  container
    .bind<Kinds>(tokens.kinds)
    .toResolvedValue(({ settings }: Parts) => kindsOfSettings(settings), [tokens.parts])
    .inSingletonScope();
  container.bind<Clock>(tokens.clock).toConstantValue(systemClock);
  container.bind<Ids>(tokens.ids).toConstantValue(randomIds);
  container
    .bind<Store>(tokens.openedStore)
    .toResolvedValue(openObservedStore, [tokens.parts, tokens.kinds, tokens.profiles])
    .inSingletonScope()
    .onDeactivation((store) => store.close());
  container
    .bind<TimeFollower>(tokens.follower)
    .toResolvedValue(
      (store: Store, kinds: Kinds, ids: Ids, { log }: Parts) =>
        timeFollower({ store, kinds, ids }, { onProblem: (problem) => log.error(problem) }),
      [tokens.openedStore, tokens.kinds, tokens.ids, tokens.parts],
    )
    .inSingletonScope();
  container
    .bind<Store>(tokens.store)
    .toResolvedValue(
      (store: Store, kinds: Kinds, ids: Ids, clock: TimeFollower) =>
        timelyStore({ store, kinds, ids, clock }),
      [tokens.openedStore, tokens.kinds, tokens.ids, tokens.follower],
    )
    .inSingletonScope();
  container
    .bind<Authenticator[]>(tokens.authenticators)
    .toResolvedValue(
      ({ settings, log, observers = [] }: Parts, clock: Clock) =>
        authenticatorsOf(settings, clock, {
          onProblem: (problem) => log.error(problem),
          onKeys: (place, event) => {
            for (const observer of observers) observer.onKeys?.(place, event);
          },
        }),
      [tokens.parts, tokens.clock],
    )
    .inSingletonScope()
    .onDeactivation(async (all) => void (await Promise.all(all.map((one) => one.close()))));
  container
    .bind<OpenProfiles>(tokens.profiles)
    .toResolvedValue(
      ({ settings, log, observers = [] }: Parts, kinds: Kinds) =>
        openProfiles(settings, kinds, {
          onProblem: (problem) => log.error(problem),
          onKeys: (event) => {
            for (const observer of observers) observer.onKeys?.('access-profiles', event);
          },
        }),
      [tokens.parts, tokens.kinds],
    )
    .inSingletonScope()
    .onDeactivation((profiles) => profiles.close());
  container
    .bind<Users>(tokens.users)
    .toResolvedValue(users, [tokens.store, tokens.clock, tokens.ids, tokens.kinds])
    .inSingletonScope();
  container
    .bind<Groups>(tokens.groups)
    .toResolvedValue(groups, [tokens.store, tokens.clock, tokens.ids, tokens.kinds])
    .inSingletonScope();
  container
    .bind<Changes>(tokens.changes)
    .toResolvedValue(changes, [tokens.store, tokens.kinds])
    .inSingletonScope();
  container
    .bind<ChangeWatcher>(tokens.watcher)
    .toResolvedValue((ofLog: Changes) => new ChangeWatcher(ofLog), [tokens.changes])
    .inSingletonScope();
  container
    .bind<WatchedReceivers | undefined>(tokens.receivers)
    .toResolvedValue(
      ({ settings, log }: Parts) => watchReceivers(settings, (problem) => log.error(problem)),
      [tokens.parts],
    )
    .inSingletonScope()
    .onDeactivation((receivers) => receivers?.close());
  container
    .bind<ReceiverStates>(tokens.receiverStates)
    .toResolvedValue(
      (receivers: WatchedReceivers | undefined, ofLog: Changes, { settings }: Parts) =>
        new ReceiverStates({
          ...{ receivers, changes: ofLog },
          open: () => openDeliveries(settings.store, settings),
        }),
      [tokens.receivers, tokens.changes, tokens.parts],
    )
    .inSingletonScope()
    .onDeactivation((states) => states.close());
  container
    .bind<readonly Api[]>(tokens.apis)
    .toResolvedValue(
      (
        kinds: Kinds,
        ofUsers: Users,
        ofGroups: Groups,
        ofLog: Changes,
        watcher: ChangeWatcher,
        receivers: ReceiverStates,
        ids: Ids,
        authenticators: Authenticator[],
        { settings }: Parts,
      ) =>
        apisOf({
          kinds,
          users: ofUsers,
          groups: ofGroups,
          changes: ofLog,
          watcher,
          receivers,
          ids,
          schemes: authenticators.map(({ scheme }) => scheme),
          settings,
        }),
      [
        tokens.kinds,
        tokens.users,
        tokens.groups,
        tokens.changes,
        tokens.watcher,
        tokens.receiverStates,
        tokens.ids,
        tokens.authenticators,
        tokens.parts,
      ],
    )
    .inSingletonScope();
  container
    .bind<Koa<State>>(tokens.app)
    .toResolvedValue(
      (
        apis: Api[],
        authenticators: Authenticator[],
        profiles: OpenProfiles,
        { settings, log, observers = [] }: Parts,
      ) =>
        httpApp({
          apis,
          authenticators,
          realm,
          schemeHints,
          contractOf: contractOf(settings),
          accessOf: accessOf(settings, profiles),
          settings,
          log,
          observers: observers.flatMap(({ requests }) => requests ?? []),
        }),
      [tokens.apis, tokens.authenticators, tokens.profiles, tokens.parts],
    )
    .inSingletonScope();
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
): Promise<() => Promise<void>> {
  const receivers = container.get<WatchedReceivers | undefined>(tokens.receivers);
  const [store, kinds] = [await container.getAsync<Store>(tokens.store), container.get<Kinds>(tokens.kinds)];
  if (receivers === undefined || store.changes === undefined) return async () => {};
  const profiles = container.get<OpenProfiles>(tokens.profiles);
  const deliverer = new Deliverer({
    ...{ log: store.changes, store, kinds, receivers, clock: { now: Date.now, later: clock.later } },
    changes: await container.getAsync<Changes>(tokens.changes),
    profiles,
    watcher: await container.getAsync<ChangeWatcher>(tokens.watcher),
    messages: new Messages(kinds),
    open: () => openDeliveries(settings.store, settings),
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
  const container = createContainer(parts);
  try {
    // Before the store, so that wrong settings leave no file behind.
    container.get<OpenProfiles>(tokens.profiles);
    container.get<Authenticator[]>(tokens.authenticators);
    container.get<WatchedReceivers | undefined>(tokens.receivers);
    const app = await container.getAsync<Koa<State>>(tokens.app);
    const stopPruning = await pruneChanges(container, parts);
    const follower = await container.getAsync<TimeFollower>(tokens.follower);
    follower.start();
    const stopWebhooks = await sendWebhooks(container, parts);
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
