/** Messages for people, on standard error. The log, on standard output, is for machines. */

import { availableParallelism } from 'node:os';
import { isShared, storeAt } from '../../adapters/stores/index.ts';
import { codeOf } from '../../adapters/system/errors.ts';
import { wordsOf } from '../../adapters/system/program.ts';
import { isDevelopment } from '../../config/authentication.ts';
import type { Settings } from '../../config/settings.ts';
import { SettingsError } from '../../config/sources.ts';
import { Output } from './output.ts';

let output: Output | undefined;

/** Prints the text unchanged, such as a worker's output. Never blocks. */
export function printText(text: string): void {
  output ??= new Output(2);
  output.write(text);
}

export const printMessage = (line: string): void => printText(`${line}\n`);

/** Call it when the service is ready: supervisors and scripts wait for the first line. */
export async function announce(settings: Settings, url: string): Promise<void> {
  const place = await storeAt(settings.store, settings).describe();
  printMessage(`Listening on ${url}${settings.basePath}/users`);
  printMessage(`Documentation at ${url}${settings.basePath}/docs`);
  if (settings.console.enabled) printMessage(`Console at ${url}${settings.basePath}/console/`);
  printMessage(`Data in ${place}`);
  if (isDevelopment(settings))
    printMessage(
      `Get a token, valid for one hour: ${wordsOf('token', '--silent')} --scope "users:write users:delete groups:write groups:delete"`,
    );
  const cores = availableParallelism();
  if (settings.workers === 1 && cores > 1 && isShared(settings.store))
    printMessage(`The service uses one of ${cores} cores; USERS_WORKERS=${cores} uses them all`);
}

/** Errors of another machine's address, a link-local address without its interface, and an unknown name. */
const unusableAddressCodes: readonly unknown[] = [
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EINVAL',
  'ENOTFOUND',
  'EAI_AGAIN',
];

/** The reason of a failure in one line, with the setting to change if an operator can correct it. */
export function reasonOf(error: unknown, settings?: Settings): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const place = `${settings?.host}:${settings?.port}`;
  if (code === 'EADDRINUSE')
    return `${place} is in use: stop the program that listens there, or set USERS_PORT`;
  const isListening = 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'getaddrinfo');
  if (isListening && code === 'EACCES') return `the service has no permission to listen on ${place}`;
  if (isListening && unusableAddressCodes.includes(code))
    return `${place} is not an address of this machine: correct USERS_HOST`;
  return error instanceof SettingsError ? error.message.replaceAll('\n', '; ') : error.message;
}

/** Ends the process. @param reason one line */
export function fail(reason: string): never {
  printMessage(`The service did not start: ${reason}`);
  process.exit(1);
}
