/** The process: settings, composition, listening, signals and the end. */
import { resolve } from 'node:path';
import { pino } from 'pino';
import { type RunningServer, serve } from './adapters/http/server.ts';
import { mongoAddress } from './adapters/mongodb/uri.ts';
import { isDevelopment } from './authentication.ts';
import { loadSettings, type Settings, SettingsError } from './config.ts';
import { type Composition, compose } from './container.ts';

/** What a person reads at the start; the log, on standard output, is for machines. */
const tell = (line: string): boolean => process.stderr.write(`${line}\n`);

function placeOfData({ store, sqlite, mongodb }: Settings): string {
  if (store === 'sqlite') return resolve(sqlite.file);
  return store === 'mongodb' ? `MongoDB at ${mongoAddress(mongodb.uri)}` : 'memory: gone when this ends';
}

function announce(settings: Settings, url: string): void {
  tell(`Listening on ${url}${settings.basePath}/users`);
  tell(`Data in ${placeOfData(settings)}`);
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
  let settings: Settings | undefined;
  let composition: Composition | undefined;
  let server: RunningServer | undefined;
  let _ending: Promise<void> | undefined;
  const chosen = await loadSettings().catch((error: unknown) => fail(error));
  settings = chosen;
  const log = pino({ level: chosen.logLevel }, pino.destination({ fd: 1, sync: true }));

  const end = (code: number, why: string): void => {
    _ending ??= (async () => {
      log.info({ why }, 'stopping');
      const deadline = setTimeout(() => process.exit(code || 1), chosen.timeouts.shutdown + 1000).unref();
      await server?.close(chosen.timeouts.shutdown);
      await composition?.close();
      clearTimeout(deadline);
      log.info('stopped');
      process.exit(code);
    })().catch(() => process.exit(1));
  };

  const onFatal = (err: unknown) => {
    log.fatal({ err }, 'the store cannot go on');
    end(1, 'the store failed');
  };
  try {
    composition = await compose({ settings: chosen, log, onFatal });
    server = await serve(composition.app, chosen);
  } catch (error) {
    await composition?.close();
    fail(error, settings);
  }
  process.on('SIGTERM', () => end(0, 'SIGTERM'));
  process.on('SIGINT', () => end(0, 'SIGINT'));
  log.info({ url: server.url, store: chosen.store }, 'listening');
  announce(chosen, server.url);
}

await main();
