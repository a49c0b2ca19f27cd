/**
 * A serving process: its parts, the server, the signals that end it.
 *
 * One process serves alone. With several, `workers/primary.ts` starts a worker for each, replaces those that die or no longer answer,
 * and serves nothing itself; each worker runs this file. `output/` holds what a process writes: the log on standard output, messages
 * for people and progress on standard error. None of them may block.
 */

import type { Logger } from 'pino';
import { type RunningServer, serve } from '../adapters/http/server/server.ts';
import type { Observer } from '../adapters/observe/observer.ts';
import type { Settings } from '../config/settings.ts';
import { type Composition, compose } from '../container.ts';
import { reasonOf } from './output/startup-messages.ts';
import { onEndSignal } from './signals.ts';
import { openTraces } from './traces.ts';
import { limitYoungGeneration } from './young-generation.ts';

interface Service {
  /** The address it listens on, as a URL without a path. */
  readonly url: string;
  /** Ends the process when the requests in flight have finished, or after `timeouts.shutdown`. */
  end(code: number, why: string): Promise<void>;
}

interface ServiceOptions {
  /** Called with the cause before the process ends. */
  readonly onStoreFailed?: (cause: unknown) => void;
  /** Observers besides those of traces. */
  readonly observers?: readonly Observer[];
}

/** In ms: how long the shutdown waits for the receiver of traces. */
const flushTime = 1000;

/**
 * Ends the process on SIGTERM, SIGINT and SIGHUP once it listens, and when the store fails.
 * @throws the error of the part that can't be made, after closing the others
 */
export async function startService(
  settings: Settings,
  log: Logger,
  { onStoreFailed = () => {}, observers: given = [] }: ServiceOptions = {},
): Promise<Service> {
  limitYoungGeneration();
  const notices: string[] = [];
  let composition: Composition | undefined;
  let server: RunningServer | undefined;
  const traces = await openTraces(settings.store, log);
  const observers = traces === undefined ? given : [...given, traces.observer];
  let ending = false;

  const end = async (code: number, why: string): Promise<void> => {
    if (ending) return;
    ending = true;
    log.info({ why }, 'stopping');
    // A store that doesn't close in time can be abandoned: everything that it has confirmed is durable.
    setTimeout(() => process.exit(code || 1), settings.timeouts.shutdown + 1000).unref();
    try {
      await server?.close(settings.timeouts.shutdown);
      await Promise.all([composition?.close(), traces?.close(flushTime)]);
      log.info('stopped');
      process.exit(code);
    } catch (err) {
      log.error({ err }, 'did not stop in order');
      process.exit(code || 1);
    }
  };
  const start = new AbortController();
  const onFatal = (err: unknown): void => {
    if (server === undefined) {
      // Not listening yet, so this is a failed start like any other.
      start.abort(new Error(`the store failed: ${reasonOf(err)}`, { cause: err }));
    } else {
      log.fatal({ err }, 'the store cannot go on');
      onStoreFailed(err);
      void end(1, 'the store failed');
    }
  };

  try {
    const onNotice = (notice: string): void => void notices.push(notice);
    composition = await compose({ settings, log, onFatal, onNotice, observers });
    const requestObservers = observers.flatMap(({ requests }) => requests ?? []);
    server = await serve(composition.app, settings, log, requestObservers);
    start.signal.throwIfAborted();
  } catch (error) {
    await server?.close(0);
    await composition?.close();
    throw error;
  }
  onEndSignal((signal) => void end(0, signal));
  log.info({ url: server.url, store: settings.store }, 'listening');
  // A refused start reports only the refusal.
  for (const notice of notices) log.info(notice);
  return { url: server.url, end };
}
