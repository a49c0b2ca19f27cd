/** What a person reads at the start, on standard error; the log, on standard output, is for machines. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { isDevelopment } from '../authentication.ts';
import { type Settings, SettingsError } from '../config.ts';
import { Output } from './output.ts';

let output: Output | undefined;

/** As it is, such as what a worker wrote. Never waits for whoever reads it. */
export function pass(text: string): void {
  output ??= new Output(2);
  output.write(text);
}

export const tell = (line: string): void => pass(`${line}\n`);

async function placeOfData({ store, sqlite, mongodb }: Settings): Promise<string> {
  if (store === 'sqlite') return resolve(sqlite.file);
  if (store === 'memory') return 'memory: gone when this ends';
  const { mongoAddress } = await import('../adapters/mongodb/uri.ts');
  return `MongoDB at ${mongoAddress(mongodb.uri)}`;
}

/** To be called when all is ready: supervisors and scripts wait for the first of its lines. */
export async function announce(settings: Settings, url: string): Promise<void> {
  const place = await placeOfData(settings);
  tell(`Listening on ${url}${settings.basePath}/users`);
  tell(`Documentation at ${url}${settings.basePath}/docs`);
  tell(`Data in ${place}`);
  if (isDevelopment(settings))
    tell(
      'Get a token, good for an hour: npm run --silent token -- --scope "users:read users:write users:delete"',
    );
  const cores = availableParallelism();
  if (settings.workers === 1 && cores > 1 && settings.store !== 'memory')
    tell(`One of ${cores} cores serves: USERS_WORKERS=${cores} takes them all`);
}

/** What the system says of an address that isn't this machine's, that lacks its link, or of a name that nobody knows. */
const notOurs: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN'];

/** One clear line for what an operator can mend. */
export function reasonOf(error: unknown, settings?: Settings): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const place = `${settings?.host}:${settings?.port}`;
  if (code === 'EADDRINUSE') return `${place} is taken: stop what listens there, or set USERS_PORT`;
  const isListening = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo');
  if (isListening && code === 'EACCES') return `${place} may not be listened on`;
  if (isListening && notOurs.includes(code)) return `${place} is no address of this machine: see USERS_HOST`;
  return error instanceof SettingsError ? error.message.replaceAll('\n', '; ') : error.message;
}

/** Ends the process. @param reason one line */
export function fail(reason: string): never {
  tell(`The service did not start: ${reason}`);
  process.exit(1);
}
