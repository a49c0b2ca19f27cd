/** The process: settings, composition, listening, signals and the end. */
import { resolve } from 'node:path';
import { pino } from 'pino';
import { type RunningServer, serve } from './adapters/http/server.ts';
import { isDevelopment } from './authentication.ts';
import { loadSettings, type Settings, SettingsError } from './config.ts';
import { type Composition, compose } from './container.ts';

/** What a person reads at the start; the log, on standard output, is for machines. */
const tell = (line: string): boolean => process.stderr.write(`${line}\n`);

async function placeOfData({ store, sqlite, mongodb }: Settings): Promise<string> {
  if (store === 'sqlite') return resolve(sqlite.file);
  if (store === 'memory') return 'memory: gone when this ends';
  const { mongoAddress } = await import('./adapters/mongodb/uri.ts');
  return `MongoDB at ${mongoAddress(mongodb.uri)}`;
}

async function announce(settings: Settings, url: string): Promise<void> {
  tell(`Listening on ${url}${settings.basePath}/users`);
  tell(`Data in ${await placeOfData(settings)}`);
  if (!isDevelopment(settings)) return;
  tell(
    'Get a token, good for an hour: npm run --silent token -- --scope "users:read users:write users:delete"',
  );
}

/** One clear line for what an operator can mend. */
function reasonOf(error: unknown, settings?: Settings): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const place = `${settings?.host}:${settings?.port}`;
  if (code === 'EADDRINUSE') return `${place} is taken: stop what listens there, or set USERS_PORT`;
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return `${place} may not be listened on`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${place} is no address of this machine: see USERS_HOST`;
  return error instanceof SettingsError ? error.message.replaceAll('\n', '; ') : error.message;
}

function fail(error: unknown, settings?: Settings): never {
  tell(`The service did not start: ${reasonOf(error, settings)}`);
  process.exit(1);
}

async function main(): Promise<void> {
  const settings = await loadSettings().catch((error: unknown) => fail(error));
  const log = pino({ level: settings.logLevel }, pino.destination({ fd: 1, sync: true }));
  let composition: Composition | undefined;
  let server: RunningServer | undefined;
  let ending = false;

  const end = async (code: number, why: string): Promise<void> => {
    if (ending) return;
    ending = true;
    log.info({ why }, 'stopping');
    // A store that doesn't give up its handles in time is left to the system; what it answered is durable.
    setTimeout(() => process.exit(code || 1), settings.timeouts.shutdown + 1000).unref();
    await server?.close(settings.timeouts.shutdown);
    await composition?.close();
    log.info('stopped');
    process.exit(code);
  };
  const onFatal = (err: unknown): void => {
    log.fatal({ err }, 'the store cannot go on');
    void end(1, 'the store failed');
  };

  try {
    composition = await compose({ settings, log, onFatal });
    server = await serve(composition.app, settings, log);
  } catch (error) {
    await composition?.close();
    fail(error, settings);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0, signal));
  log.info({ url: server.url, store: settings.store }, 'listening');
  await announce(settings, server.url);
}

await main();
