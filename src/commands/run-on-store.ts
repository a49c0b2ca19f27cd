/** Runs a command between a file and the store: closes what it opens, and reports each outcome in one line. */
import { isShared, type StoreKind, storeAt } from '../adapters/stores/index.ts';
import { markWrites } from '../adapters/stores/mark-writes.ts';
import { randomIds, systemClock } from '../adapters/system/clock-and-ids.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { toRealPath } from '../adapters/system/files.ts';
import { openProfiles } from '../config/access.ts';
import { kindsOfSettings } from '../config/declarations.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { timelyStore } from '../domain/follow-time.ts';
import type { Kinds } from '../domain/kinds.ts';
import { type Store, withMethods } from '../domain/store.ts';
import { DomainError, reasonsOf } from '../domain/validation/errors.ts';
import { printLine } from '../process/output/progress.ts';
import { awaitStopSignal } from '../process/signals.ts';
import { exitCodes } from './command-line.ts';

type OnFatal = (error: unknown) => never;

/** What to do if the store doesn't exist yet: create it, refuse, or use an empty one in memory instead. */
type IfAbsent = 'begin' | 'refuse' | 'imagine';

interface Opening {
  /** As `StoreHooks.mayFill`. */
  readonly mayFill?: boolean;
  /** Left out: those of the settings. With others, the store is only read. */
  readonly kinds?: Kinds;
  /** Its change log is not switched on or off. */
  readonly isOnlyRead?: boolean;
}

/** Opens a store whose reports are printed. */
export async function openForCommand(
  kind: StoreKind,
  settings: Settings,
  onFatal: OnFatal,
  { mayFill = false, kinds, isOnlyRead = kinds !== undefined }: Opening = {},
): Promise<Store> {
  const own = kinds ?? kindsOfSettings(settings);
  const isLogged = settings.changes.retention > 0;
  const profiles = kinds ? undefined : openProfiles(settings, own, { onProblem: printLine });
  const store = await storeAt(kind, settings).open({
    kinds: own,
    isLogged: isOnlyRead ? 'kept' : isLogged,
    onFatal,
    onProblem: printLine,
    onNotice: printLine,
    onProgress: printLine,
    isPassedThrough: true,
    mayFill,
  });
  const marked = profiles ? markWrites(store, own, profiles) : store;
  const timely = timelyStore({ store: marked, kinds: own, clock: systemClock, ids: randomIds });
  return isLogged ? timely : withMethods(timely, { changes: undefined });
}

/** The configured store. @throws Error for one that isn't persistent */
export async function openConfiguredStore(
  settings: Settings,
  ifAbsent: IfAbsent,
  onFatal: OnFatal,
  mayFill = false,
): Promise<Store> {
  const { store: kind } = settings;
  if (!isShared(kind))
    throw new Error(`the store ${kind} exists only in one process: set USERS_STORE to another one`);
  const location = storeAt(kind, settings);
  const isAbsent = !location.isThere();
  if (isAbsent && ifAbsent === 'refuse') throw new Error(`${await location.describe()} is not there`);
  if (!isAbsent || ifAbsent === 'begin')
    return openForCommand(kind, settings, onFatal, { mayFill, isOnlyRead: ifAbsent !== 'begin' });
  // Rejects if the store could not be created.
  printLine(await location.inspect());
  return openForCommand('memory', settings, onFatal);
}

export interface CommandContext {
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Call it when a store fails: reports the reason and ends the process at once, since open handles would keep it alive. */
  readonly onFatal: OnFatal;
  /** Loads them once. @throws SettingsError */
  readonly loadSettings: () => Promise<Settings>;
  /** @throws Error for a path of the store's own files, which a new file would overwrite */
  assertForeign(path: string): Promise<void>;
  /** Call it once; the store is closed at the end. @param mayFill as `StoreHooks.mayFill` */
  openStore(ifAbsent: IfAbsent, mayFill?: boolean): Promise<Store>;
}

/** A store's message is written for clients; its causes have the reason, such as a full disk. */
const describe = (error: unknown): string =>
  error instanceof DomainError ? reasonsOf(error).join(' ') : messageOf(error);

/** @param failure precedes the reason, such as `No file` */
export async function runOnStore(
  failure: string,
  run: (frame: CommandContext) => Promise<void>,
): Promise<void> {
  const { signal, endAsAsked } = awaitStopSignal();
  const tell = (error: unknown): void => printLine(`${failure}: ${describe(error)}`);
  const onFatal = (error: unknown): never => {
    tell(error);
    process.exit(exitCodes.failed);
  };
  let loading: Promise<Settings> | undefined;
  const load = (): Promise<Settings> => {
    loading ??= loadSettings();
    return loading;
  };
  let store: Store | undefined;
  try {
    await run({
      signal,
      onFatal,
      loadSettings: load,
      assertForeign: async (path) => {
        const settings = await load();
        const own = storeAt(settings.store, settings).files();
        if (own.includes(toRealPath(path))) throw new Error(`${path}: it belongs to the store`);
      },
      openStore: async (ifAbsent, mayFill) => {
        store = await openConfiguredStore(await load(), ifAbsent, onFatal, mayFill);
        return store;
      },
    }).finally(() => store?.close());
  } catch (error) {
    process.exitCode = exitCodes.failed;
    tell(signal.aborted ? signal.reason : error);
  }
  endAsAsked();
}
