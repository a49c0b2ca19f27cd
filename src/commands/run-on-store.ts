/** The frame of a command between a file and the store: what is opened is closed, and each end is told in one line. */
import { describeStore, isOwnFile, isShared, isThere, openStore } from '../adapters/stores/index.ts';
import { messageOf } from '../adapters/system-errors.ts';
import { loadSettings } from '../config.ts';
import type { UserStore } from '../domain/ports.ts';
import { printLine } from '../process/progress.ts';
import { awaitStopSignal } from '../process/stop-signal.ts';
import { exitCodes } from './command-line.ts';

type OnFatal = (error: unknown) => never;

export interface StoreUse {
  /** Refuses a store where nothing is yet. */
  readonly mustBeThere: boolean;
  /** A path that is going to be written. Refused where it is the store's own. */
  readonly writes?: string | undefined;
}

/** The one that the service is set to use. @throws Error where there is none that lasts */
async function openConfiguredStore(onFatal: OnFatal, { mustBeThere, writes }: StoreUse): Promise<UserStore> {
  const settings = await loadSettings();
  const { store: kind } = settings;
  if (!isShared(kind)) throw new Error(`the store ${kind} is one process's own: set USERS_STORE to another`);
  if (mustBeThere && !isThere(kind, settings))
    throw new Error(`${await describeStore(kind, settings)} is not there`);
  if (writes !== undefined && isOwnFile(kind, settings, writes))
    throw new Error(`${writes}: it belongs to the store`);
  const hooks = { onFatal, onProblem: printLine, onNotice: printLine, isPassedThrough: true };
  return openStore(kind, settings, hooks);
}

export interface Frame {
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  /** For stores that can't go on: tells the reason, and ends the process at once; what they have open would keep it. */
  readonly onFatal: OnFatal;
  /** To be called once; it is closed at the end. */
  openStore(use?: StoreUse): Promise<UserStore>;
}

/** @param failure the words in front of the reason, such as `No file` */
export async function runOnStore(failure: string, run: (frame: Frame) => Promise<void>): Promise<void> {
  // Whoever reads them may go: the work goes on, and the exit code tells of it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const { signal, endAsAsked } = awaitStopSignal();
  const tell = (error: unknown): void => printLine(`${failure}: ${messageOf(error)}`);
  const onFatal = (error: unknown): never => {
    tell(error);
    process.exit(exitCodes.failed);
  };
  let store: UserStore | undefined;
  try {
    await run({
      signal,
      onFatal,
      openStore: async (use = { mustBeThere: false }) => {
        store = await openConfiguredStore(onFatal, use);
        return store;
      },
    }).finally(() => store?.close());
  } catch (error) {
    process.exitCode = exitCodes.failed;
    tell(signal.aborted ? signal.reason : error);
  }
  endAsAsked();
}
