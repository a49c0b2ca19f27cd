/** `check`: checks the configuration before a start, line by line, without changing anything. */

import { createServer } from 'node:net';
import { storeAt } from '../adapters/stores/index.ts';
import { systemClock } from '../adapters/system/clock-and-ids.ts';
import { codeOf, messageOf } from '../adapters/system/errors.ts';
import { inspectProfiles } from '../config/access.ts';
import type { ListenAddress } from '../config/addresses.ts';
import { inspectCredentials, isDevelopment } from '../config/authentication.ts';
import { kindsOfSettings, readDeclarations } from '../config/declarations.ts';
import { readReceivers } from '../config/receivers.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { examineDeclarations } from '../domain/examine-declarations.ts';
import { examineLog, examineReferences } from '../domain/examine-store.ts';
import { parseRemembered } from '../domain/kinds/attributes/compare.ts';
import { kindsOf } from '../domain/kinds.ts';
import { describeCount } from '../domain/validation/describe-count.ts';
import { areMetricsWanted, describeListenFault } from '../process/metrics-server.ts';
import { reasonOf } from '../process/output/startup-messages.ts';
import { type CommandLine, exitCodes } from './command-line.ts';
import { openConfiguredStore, openForCommand } from './run-on-store.ts';
import { readText } from './values.ts';

/** The result of a line: good, worth knowing, or an obstacle to starting or serving. */
type Verdict = 'ok' | 'note' | 'fault';

interface CheckOptions {
  readonly changes?: true;
  /** The path of a file. */
  readonly attributes?: string;
}

function rethrow(error: unknown): never {
  throw error;
}

/** For example, UnboundID's SDK appends such paths to its own base URL: docs/scim.md. */
const noPublicUrl =
  'not set (USERS_PUBLIC_URL), so Location and meta.location are paths without a host; some SCIM clients need whole URLs';

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

/** Listens on the address for a moment. */
const tryAddress = ({ host, port }: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });

/** @param describe explains why the service can't listen there */
async function checkAddress(
  subject: string,
  address: ListenAddress,
  describe: (error: unknown) => string,
): Promise<void> {
  const place = `${address.host}:${address.port}`;
  try {
    await tryAddress(address);
    print('ok', subject, `${place} is free`);
  } catch (error) {
    // Usually the service runs already, which is no fault.
    if (codeOf(error) === 'EADDRINUSE')
      print('note', subject, `${place} is in use, for example by a running service`);
    else print('fault', subject, describe(error));
  }
}

/** Undefined when they are wrong, which is reported. */
async function checkSettings(): Promise<Settings | undefined> {
  try {
    const settings = await loadSettings();
    const { store, workers } = settings;
    print('ok', 'settings', `${process.env.NODE_ENV || 'development'}, store ${store}, workers: ${workers}`);
    return settings;
  } catch (error) {
    for (const line of messageOf(error).split('\n')) print('fault', 'settings', line);
    return undefined;
  }
}

/** Reads the whole log and all resources. @throws Error with the faults that it finds */
async function examineChanges(settings: Settings): Promise<string> {
  // The store may still have one, until the next start.
  if (settings.changes.retention === 0)
    return 'the log is off: changes.retention (USERS_CHANGES_RETENTION) is 0';
  const store = await openConfiguredStore(settings, 'refuse', rethrow);
  try {
    const { entries, oldest, faults } = await examineLog(store, kindsOfSettings(settings));
    if (faults.length > 0) throw new Error(faults.join('\n'));
    const since = oldest === undefined ? '' : ` since ${new Date(oldest).toISOString()}`;
    return `${describeCount(entries, 'entry', 'entries')}${since}; every user and group has the version of its newest entry`;
  } finally {
    await store.close();
  }
}

/**
 * A line for each attribute that serving with another file of declarations would change, and for each with ids of users that do not exist. The
 * store is opened with its earlier declarations.
 */
async function examineAttributes(settings: Settings, file: string): Promise<void> {
  const next = readDeclarations(file) ?? {};
  const location = storeAt(settings.store, settings);
  if (!location.isThere()) return print('ok', 'attributes', 'there are no users yet');
  const before = parseRemembered((await location.declared?.read()) ?? '');
  const kinds = kindsOf(before);
  const store = await openForCommand(settings.store, settings, rethrow, { kinds });
  try {
    const findings = await examineDeclarations(store, before, next);
    for (const { verdict, line } of findings) print(verdict, 'attributes', line);
    if (findings.length === 0) print('ok', 'attributes', 'nothing changes');
    for (const line of await examineReferences(store, kinds)) print('note', 'attributes', line);
  } finally {
    await store.close();
  }
}

/** Without a file of profiles, only API keys are looked at, and the line about credentials has the fault of their file. */
function checkProfiles(settings: Settings): void {
  const hasFile = settings.access.file !== '';
  try {
    const { line, refusedKeys } = inspectProfiles(settings);
    if (hasFile) print('ok', 'access', line);
    for (const key of refusedKeys) print('note', 'access', key);
  } catch (error) {
    if (hasFile) print('fault', 'access', reasonOf(error, settings));
  }
}

const describeReceivers = (settings: Settings): string =>
  `${
    readReceivers(settings)
      .map(({ id }) => id)
      .join(', ') || 'no receivers'
  } in ${settings.webhooks.file}`;

async function check({ changes, attributes }: CheckOptions): Promise<void> {
  const settings = await checkSettings();
  if (settings === undefined) return;
  if (settings.publicUrl === '' && !isDevelopment(settings)) print('note', 'publicUrl', noPublicUrl);
  await judge('store', () => storeAt(settings.store, settings).inspect(), settings);
  if (changes) await judge('changes', () => examineChanges(settings), settings);
  if (attributes !== undefined)
    await examineAttributes(settings, attributes).catch((error: unknown) =>
      print('fault', 'attributes', reasonOf(error, settings)),
    );
  if (settings.webhooks.file !== '')
    await judge('webhooks', async () => describeReceivers(settings), settings);
  await judge('credentials', () => inspectCredentials(settings, systemClock), settings);
  checkProfiles(settings);
  await checkAddress('address', settings, (error) => reasonOf(error, settings));
  if (areMetricsWanted(settings))
    await checkAddress('metrics', settings.metrics, (error) => describeListenFault(error, settings.metrics));
}

export function register(command: CommandLine): void {
  command
    .option(
      '--changes',
      'also read the whole change log and compare it with all users and groups; opens the store as a start does',
    )
    .option(
      '--attributes <file>',
      'also say how this file of declared attributes would affect the stored users and groups, and how many of these refer to a user that does not exist; changes nothing',
      readText,
    )
    .describeExitCodes({
      [exitCodes.done]: 'the service can start',
      [exitCodes.failed]: 'the service cannot start; lines that begin with "fault" give the reasons',
    })
    .action(check);
}
