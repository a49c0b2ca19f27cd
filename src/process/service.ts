/** A process that serves: composition, listening, signals and the end. */
import type { Logger } from 'pino';
import { type RunningServer, serve } from '../adapters/http/server.ts';
import type { Settings } from '../config.ts';
import { type Composition, compose } from '../container.ts';
import { onEndSignal } from './signals.ts';
import { reasonOf } from './telling.ts';

export interface Service {
  /** Where it listens, as a URL without a path. */
  readonly url: string;
  /** Lets requests in flight finish, as far as `timeouts.shutdown` lets them, and ends the process. */
  end(code: number, why: string): Promise<void>;
}

/**
 * Rejects with the error of the part that can't be made, everything closed again. Once listening it ends on SIGTERM, SIGINT and SIGHUP.
 * @param onStoreFailed told why, before it ends because of it
 */
export async function startService(
  settings: Settings,
  log: Logger,
  onStoreFailed: (cause: unknown) => void = () => {},
): Promise<Service> {
  const notices: string[] = [];
  let composition: Composition | undefined;
  let server: RunningServer | undefined;
  let ending = false;

  const end = async (code: number, why: string): Promise<void> => {
    if (ending) return;
    ending = true;
    log.info({ why }, 'stopping');
    // A store that doesn't give up its handles in time is left to the system; what it answered is durable.
    setTimeout(() => process.exit(code || 1), settings.timeouts.shutdown + 1000).unref();
    try {
      await server?.close(settings.timeouts.shutdown);
      await composition?.close();
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
      // Nobody is served yet: it is told as whatever else keeps the service from starting.
      start.abort(new Error(`the store failed: ${reasonOf(err)}`, { cause: err }));
    } else {
      log.fatal({ err }, 'the store cannot go on');
      onStoreFailed(err);
      void end(1, 'the store failed');
    }
  };

  try {
    composition = await compose({ settings, log, onFatal, onNotice: (notice) => notices.push(notice) });
    server = await serve(composition.app, settings, log);
    start.signal.throwIfAborted();
  } catch (error) {
    await server?.close(0);
    await composition?.close();
    throw error;
  }
  onEndSignal((signal) => void end(0, signal));
  log.info({ url: server.url, store: settings.store }, 'listening');
  // A start that is refused says that alone.
  for (const notice of notices) log.info(notice);
  return { url: server.url, end };
}
