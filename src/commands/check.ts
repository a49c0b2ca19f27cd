/** `check`: what a start with these settings would meet, line by line, without changing anything. */
import { createServer } from 'node:net';
import { inspectStore } from '../adapters/stores/index.ts';
import { codeOf } from '../adapters/system-errors.ts';
import { inspectCredentials } from '../authentication.ts';
import { loadSettings, type Settings } from '../config.ts';
import { systemClock } from '../container.ts';
import { reasonOf } from '../process/startup-messages.ts';
import { type CommandLine, exitCodes } from './command-line.ts';

/** What a line says of its subject: that it is well, that it should be known, or that it keeps a service from starting or serving. */
type Verdict = 'ok' | 'note' | 'fault';

const widest = 'fault'.length;

function print(verdict: Verdict, subject: string, what: string): void {
  process.stdout.write(`${verdict.padEnd(widest)}  ${subject}: ${what.replaceAll('\n', '; ')}\n`);
  if (verdict === 'fault') process.exitCode = exitCodes.failed;
}

async function judge(subject: string, look: () => Promise<string>, settings?: Settings): Promise<void> {
  try {
    print('ok', subject, await look());
  } catch (error) {
    print('fault', subject, reasonOf(error, settings));
  }
}

/** Listens there for a moment. */
const tryAddress = ({ host, port }: Settings): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });

async function checkAddress(settings: Settings): Promise<void> {
  const place = `${settings.host}:${settings.port}`;
  try {
    await tryAddress(settings);
    print('ok', 'address', `${place} is free`);
  } catch (error) {
    // A service that runs already is the usual reason, and nothing is wrong with that.
    if (codeOf(error) === 'EADDRINUSE')
      print('note', 'address', `${place} is taken, as by a service that runs`);
    else print('fault', 'address', reasonOf(error, settings));
  }
}

/** Undefined when they are wrong, which has been said then. */
async function checkSettings(): Promise<Settings | undefined> {
  try {
    const settings = await loadSettings();
    const { store, workers } = settings;
    print('ok', 'settings', `${process.env.NODE_ENV || 'development'}, store ${store}, ${workers} processes`);
    return settings;
  } catch (error) {
    for (const line of (error instanceof Error ? error.message : String(error)).split('\n'))
      print('fault', 'settings', line);
    return undefined;
  }
}

async function check(): Promise<void> {
  const settings = await checkSettings();
  if (settings === undefined) return;
  await judge('store', () => inspectStore(settings.store, settings), settings);
  await judge('credentials', () => inspectCredentials(settings, systemClock), settings);
  await checkAddress(settings);
}

export function register(command: CommandLine): void {
  command
    .describeExitCodes({
      [exitCodes.done]: 'a service could start and serve',
      [exitCodes.failed]: 'it could not: the lines that begin with "fault" say why',
    })
    .action(check);
}
