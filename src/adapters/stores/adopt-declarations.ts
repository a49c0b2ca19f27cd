/** Begins to serve a store with other declarations of attributes than it was last served with, at the start or, if it is out of reach then, later. */
import { setTimeout as pause } from 'node:timers/promises';
import { examineDeclarations, typeStoredTexts } from '../../domain/examine-declarations.ts';
import { timelyStore } from '../../domain/follow-time.ts';
import { parseRemembered, printDeclarations } from '../../domain/kinds/attributes/compare.ts';
import { sections } from '../../domain/kinds/attributes/declaration.ts';
import { type Kinds, kindsOf } from '../../domain/kinds.ts';
import type { Clock, Ids } from '../../domain/ports.ts';
import { type Store, withMethods } from '../../domain/store.ts';
import { describeCount } from '../../domain/validation/describe-count.ts';
import { DomainError, isCode } from '../../domain/validation/errors.ts';
import { messageOf } from '../system/errors.ts';
import type { StoreHooks, StoreLocation } from './port/store-module.ts';

interface Parts extends StoreHooks {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The store as the process writes through it. */
  readonly marked: (store: Store) => Store;
}

/** The declarations don't fit what is stored: a line for each attribute that must not change like this. */
class DeclarationsRefused extends Error {}

/**
 * The store is examined under its earlier declarations, so a refusal changes nothing for the processes that serve it. Once the new declarations are
 * stored, those processes write nothing more.
 * @returns false if the store can't be read now: nothing was adopted
 * @throws DeclarationsRefused; Error with another reason fit for an operator
 */
export async function adoptDeclarations(
  location: StoreLocation,
  { clock, ids, marked, ...hooks }: Parts,
): Promise<boolean> {
  const { declared } = location;
  const { declarations } = hooks.kinds.source;
  const own = printDeclarations(declarations);
  const remembered = await (declared?.read() ?? Promise.resolve(own)).catch(() => undefined);
  if (remembered === undefined) return false;
  if (remembered === own || (remembered === '' && declarations === undefined)) return true;
  const [before, next] = [parseRemembered(remembered), declarations ?? {}];
  const store = await location.open({ ...hooks, kinds: kindsOf(before) });
  try {
    const findings = await examineDeclarations(store, before, next);
    const faults = findings.filter(({ verdict }) => verdict === 'fault');
    if (faults.length > 0)
      throw new DeclarationsRefused(
        `The attributes can't be declared like this: ${faults.map(({ line }) => line).join('; ')}`,
      );
    const timely = timelyStore({ store: marked(store), kinds: hooks.kinds, clock, ids });
    const count = await typeStoredTexts({ store: timely, clock, ids }, before, next);
    if (count > 0)
      hooks.onNotice?.(
        `Texts of ${describeCount(count, 'user or group', 'users and groups')} became typed values`,
      );
    // Another process may have been quicker with the same file: its declarations are compared at each write.
    if (!(await declared?.replace(remembered, own))) return true;
    const names = sections.flatMap((section) =>
      Object.keys(next[section] ?? {}).map((name) => `${section}.${name}`),
    );
    hooks.onNotice?.(`The declared attributes are: ${names.join(', ') || 'none'}`);
    return true;
  } finally {
    await store.close();
  }
}

/**
 * To be called when a process begins to serve the store, also without declarations: from then on, commands that already have some change nothing
 * that the service needs. A full disk ends no start: it is a problem for the log.
 */
export async function rememberDeclarations(
  { declared }: StoreLocation,
  { source }: Kinds,
  onProblem: (problem: string) => void,
): Promise<void> {
  try {
    await declared?.replace('', printDeclarations(source.declarations));
  } catch (error) {
    onProblem(`the declarations of attributes were not stored: ${messageOf(error)}`);
  }
}

/** In ms: between two attempts. */
const interval = 1000;

const notAdopted = (): DomainError =>
  new DomainError('unavailable', 'The declared attributes are not compared with those of the store yet.');

/**
 * A store that was out of reach at the start: it isn't ready and takes no writes until its declarations are those of this process.
 * @param adopt `adoptDeclarations` @param hooks `onFatal` gets a refusal
 */
export function untilAdopted(
  store: Store,
  adopt: () => Promise<boolean>,
  { onFatal, onProblem }: Pick<StoreHooks, 'onFatal' | 'onProblem'>,
): Store {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isAdopted = false;
  let told = '';

  function tell(error: unknown): void {
    if (isCode(error, 'unavailable') || messageOf(error) === told) return;
    told = messageOf(error);
    onProblem(`the declared attributes are not in use yet: ${told}`);
  }

  async function run(): Promise<void> {
    while (!isAdopted && !signal.aborted) {
      await pause(interval, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await store.check();
        isAdopted = await adopt();
      } catch (error) {
        if (error instanceof DeclarationsRefused) return onFatal(error);
        tell(error);
      }
    }
  }

  const running = run();
  const assertAdopted = (): void => {
    if (!isAdopted) throw notAdopted();
  };
  return withMethods(store, {
    async check() {
      await store.check();
      assertAdopted();
    },
    async commit(writes, by) {
      assertAdopted();
      return await store.commit(writes, by);
    },
    async close() {
      stopping.abort();
      await running;
      await store.close();
    },
  });
}
