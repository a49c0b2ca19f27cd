/** `webhook`: shows how far the receivers of webhooks are, and asks the service that sends to them for repairs. */

import { randomBytes, randomUUID } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { isShared, storeAt } from '../adapters/stores/index.ts';
import type { DeliveryStore } from '../adapters/stores/port/delivery-store.ts';
import type { DeliveryRequest } from '../adapters/webhooks/deliverer.ts';
import { Messages } from '../adapters/webhooks/message.ts';
import { type Failure, type ReceiverState, readStates } from '../adapters/webhooks/progress.ts';
import type { Receiver } from '../adapters/webhooks/receivers.ts';
import { isSuccess, Sender } from '../adapters/webhooks/sender.ts';
import { kindsOfSettings } from '../config/declarations.ts';
import { readReceivers } from '../config/receivers.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { type ChangeLog, type Cursor, changeLogOf, parseCursor, printCursor } from '../domain/changes/log.ts';
import { describeCount } from '../domain/validation/describe-count.ts';
import { suggest } from '../domain/validation/suggest.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';
import { openConfiguredStore } from './run-on-store.ts';
import { refuseRepeated } from './values.ts';

function findReceiver(receivers: readonly Receiver[], id: string): Receiver {
  const found = receivers.find((receiver) => receiver.id === id);
  if (found !== undefined) return found;
  const ids = receivers.map((receiver) => receiver.id);
  throw new Error(`there is no receiver ${id}${suggest(id, ids)}`);
}

/** @param id of a receiver, which must exist */
async function withRows<T>(
  id: string | undefined,
  run: (rows: DeliveryStore, settings: Settings, receivers: readonly Receiver[]) => Promise<T>,
): Promise<T> {
  const settings = await loadSettings();
  const receivers = readReceivers(settings);
  if (id !== undefined) findReceiver(receivers, id);
  if (!isShared(settings.store)) throw new Error(`the store ${settings.store} exists only in one process`);
  const location = storeAt(settings.store, settings);
  // Otherwise it would begin files beside a database that no service has.
  if (!location.isThere()) throw new Error(`${await location.describe()} is not there`);
  const rows = await location.openDeliveries();
  return await run(rows, settings, receivers).finally(() => rows.close());
}

async function withLog<T>(settings: Settings, run: (log: ChangeLog) => Promise<T>): Promise<T> {
  const store = await openConfiguredStore(settings, 'refuse', (error) => {
    throw error;
  });
  return await run(changeLogOf(store)).finally(() => store.close());
}

const dateOf = (at: number): string => new Date(at).toISOString();

function describe({ id, behind, last, hasGap, isDisabled }: ReceiverState): string {
  if (behind === undefined) return `${id}\tnot begun`;
  return [
    ...[id, `${describeCount(behind, 'entry', 'entries')} behind`],
    last === undefined ? 'no answer yet' : `${last.outcome} at ${dateOf(last.at)}`,
    ...(hasGap ? ['a gap is to be told'] : []),
    ...(isDisabled ? ['disabled by 410'] : []),
  ].join('\t');
}

const list = (): Promise<string[]> =>
  withRows(undefined, async (rows, settings, receivers) => {
    const latest = await withLog(settings, (log) => log.latest());
    return (await readStates(rows, receivers, latest)).map(describe);
  });

async function test(id: string): Promise<string[]> {
  const settings = await loadSettings();
  const receiver = findReceiver(readReceivers(settings), id);
  const sender = new Sender();
  const now = Date.now();
  const message = new Messages(kindsOfSettings(settings)).ofTest(receiver, now);
  const { outcome } = await sender.send(receiver, message, now).finally(() => sender.close());
  if (!isSuccess(outcome)) throw new Error(`${id} answered ${outcome}`);
  return [outcome];
}

const makeSecret = async (): Promise<string[]> => [`whsec_${randomBytes(32).toString('base64')}`];

const failures = (id: string): Promise<string[]> =>
  withRows(id, async (rows) =>
    (await rows.read('failure', id)).map(({ value }) => {
      const { type, id: resource, at, outcome, ...place } = value as Failure;
      return [printCursor(place), type, resource, outcome, dateOf(at)].join('\t');
    }),
  );

const ask = (id: string, request: DeliveryRequest): Promise<string[]> =>
  withRows(id, async (rows) => {
    await rows.write([{ of: 'request', receiver: id, key: randomUUID(), value: request }]);
    return ['the process that sends webhooks does it within seconds of running'];
  });

async function replay(id: string, { since }: { readonly since?: Cursor }): Promise<string[]> {
  if (since === undefined) return await ask(id, { do: 'repeat' });
  await withLog(await loadSettings(), (log) => log.read(since, 1));
  return await ask(id, { do: 'replay', since });
}

function readCursor(text: string): Cursor {
  const cursor = parseCursor(text);
  if (cursor === undefined) throw new InvalidArgumentError('Give the cursor of a change.');
  return cursor;
}

const failure = 'Not done';
const codes = { [exitCodes.done]: 'done', [exitCodes.failed]: 'failed' };

export function register(command: CommandLine): void {
  command.describeExitCodes(codes);
  const add = (name: string, description: string): CommandLine =>
    (command.command(name) as CommandLine).description(description).describeExitCodes(codes);
  add('list', 'print the position and the last answer of each receiver').action(printLines(failure, list));
  add('test <id>', 'send webhook.test to a receiver, and print the status of its answer').action(
    printLines(failure, test),
  );
  add('secret', 'make a secret for a receiver').action(printLines(failure, makeSecret));
  add('failures <id>', 'print the changes that were set aside after the last attempt').action(
    printLines(failure, failures),
  );
  add('replay <id>', 'send again the changes that were set aside (default), or all changes since a cursor')
    .option(
      '--since <cursor>',
      'the cursor of a change: sends the changes after it',
      refuseRepeated(readCursor),
    )
    .action(printLines(failure, replay));
  add('enable <id>', 'send again to a receiver that has answered 410').action(
    printLines(failure, (id: string) => ask(id, { do: 'enable' })),
  );
}
