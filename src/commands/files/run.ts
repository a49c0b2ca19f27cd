/** The frame of a command between a file and the store: what is opened is closed, and each end is told in one line. */
import type { UserStore } from '../../domain/ports.ts';
import { exitCodes, messageOf } from '../command-line.ts';
import { printLine } from '../progress.ts';
import { awaitStopSignal } from '../stop-signal.ts';
import { openConfiguredStore, type StoreUse } from './options.ts';

export interface Frame {
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  /** For stores: tells the reason, and ends the process. */
  readonly onFatal: (error: unknown) => never;
  /** To be called once; it is closed at the end. */
  openStore(use?: Pick<StoreUse, 'mustBeThere'>): Promise<UserStore>;
}

/** @param failure the words in front of the reason, such as `No file` */
export async function runOnStore(failure: string, run: (frame: Frame) => Promise<void>): Promise<void> {
  // Whoever reads them may go: the work goes on, and the exit code tells of it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const stop = awaitStopSignal();
  let store: UserStore | undefined;
  const tell = (error: unknown): void => printLine(`${failure}: ${messageOf(error)}`);
  /** At once: what a store that failed has open would keep the process. */
  const onFatal = (error: unknown): never => {
    tell(error);
    process.exit(exitCodes.failed);
  };
  try {
    await run({
      signal: stop.signal,
      onFatal,
      openStore: async (use) => {
        store = await openConfiguredStore({ onFatal, print: printLine, ...use });
        return store;
      },
    });
  } catch (error) {
    process.exitCode = exitCodes.failed;
    tell(stop.signal.aborted ? stop.signal.reason : error);
  }
  await store?.close();
  stop.endAsAsked();
}
