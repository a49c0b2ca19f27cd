/**
 * `copy --from sqlite --to mongodb`: copies all users, groups and memberships from one configured store to another, and the change log, if the
 * target is empty.
 */

import { setTimeout } from 'node:timers/promises';
import { copyDeclarations, type StoreKind, storeAt, storeKinds } from '../adapters/stores/index.ts';
import { randomIds, systemClock } from '../adapters/system/clock-and-ids.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { kindsOfSettings } from '../config/declarations.ts';
import { loadSettings } from '../config/settings.ts';
import { beginCopy, finishCopy, isBeingFilled, isMovable, type LogCopy } from '../domain/changes/copy-log.ts';
import { matchAll } from '../domain/find/conditions.ts';
import { type Copied, copyResources, listCopied } from '../domain/import/copy-resources.ts';
import { findDifferences, hasSameContent } from '../domain/import/differences.ts';
import { type FileKind, isMembershipFile, membershipFile } from '../domain/import/memberships.ts';
import type { Kind } from '../domain/kinds/kind.ts';
import type { Kinds } from '../domain/kinds.ts';
import type { Store } from '../domain/store.ts';
import { describeNouns } from '../domain/validation/describe-count.ts';
import { describeWaiting, printLine, startProgress } from '../process/output/progress.ts';
import { type CommandLine, exitCodes, NeededOption } from './command-line.ts';
import { changeFile } from './files/changes.ts';
import { openForCommand } from './run-on-store.ts';
import { readOneOf, refuseRepeated } from './values.ts';

/** The maximum number of named ids when the stores differ. */
const maxNamed = 10;

const countAll = async (store: Store, { name }: Kind): Promise<number> =>
  (await store.page(name, { where: matchAll, limit: 0, total: 'exact' })).total ?? 0;

interface CopyOptions {
  readonly from: StoreKind;
  readonly to: StoreKind;
  readonly again?: boolean;
  readonly force?: boolean;
  readonly withoutHistory?: boolean;
}

const parts = { clock: systemClock, ids: randomIds };

async function copyWithProgress(kind: FileKind, from: Store, to: Store, force: boolean): Promise<Copied> {
  const progress = startProgress(kind, isMembershipFile(kind) ? undefined : await countAll(from, kind));
  try {
    return await copyResources(from, to, {
      ...{ ...parts, kind, force, pause: setTimeout },
      by: { client: 'operator', via: 'copy' },
      onProgress: (done, waiting) => progress.update(done, done, describeWaiting(kind, waiting)),
    });
  } finally {
    progress.stop();
  }
}

/** @param known ids that are already reported @returns how many resources or memberships only `to` has */
async function verifyCopy(kind: FileKind, from: Store, to: Store, known: Copied['left']): Promise<number> {
  const ids: string[] = [];
  let more = 0;
  for await (const { id, isIn } of findDifferences(
    listCopied(kind, from),
    listCopied(kind, to),
    hasSameContent,
  ))
    if (isIn === 'other') more += 1;
    else if (!known.has(id) && ids.push(id) >= maxNamed) break;
  if (ids.length > 0)
    throw new Error(`the ${kind.plural} of the stores differ, at least in: ${ids.join(', ')}`);
  return more;
}

function reportLeft(kind: FileKind, left: Copied['left'], force: boolean): void {
  for (const [id, why] of left) printLine(`Left as it was: ${kind.name} ${id}: ${why}`);
  if (left.size === 0) return;
  process.exitCode = exitCodes.someLeft;
  const advice =
    force || isMembershipFile(kind) ? '' : `; --force overwrites ${kind.plural} with the same id`;
  printLine(`${describeNouns(kind, left.size, 'was', 'were')} not copied${advice}`);
}

/** @returns whether all were copied */
async function copyKind(kind: FileKind, from: Store, to: Store, options: CopyOptions): Promise<boolean> {
  const { force = false } = options;
  const { count, left } = await copyWithProgress(kind, from, to, force);
  reportLeft(kind, left, force);
  const more = await verifyCopy(kind, from, to, left);
  if (more > 0)
    printLine(
      `${describeNouns(kind, more, 'is', 'are')} in ${options.to} only, and ${more === 1 ? 'stays' : 'stay'}`,
    );
  const copied = describeNouns(kind, count, 'is', 'are');
  process.stdout.write(`${copied} in ${options.to} as in ${options.from}\n`);
  return left.size === 0;
}

async function findAny(store: Store, { all }: Kinds): Promise<Kind | undefined> {
  for (const kind of all) if ((await countAll(store, kind)) > 0) return kind;
  return undefined;
}

/**
 * Begins to copy the change log, or continues.
 * @returns undefined if the target keeps its own: then it has an entry for each resource that is copied
 */
async function beginHistory(
  { changes: source }: Store,
  { changes: target }: Store,
  isEmpty: boolean,
  { from, to, again, withoutHistory }: CopyOptions,
): Promise<LogCopy | undefined> {
  if (!isMovable(source) || !isMovable(target)) return undefined;
  if (withoutHistory && (await isBeingFilled(target)))
    throw new Error(`a copy with the history is not finished: repeat it, or empty ${to}`);
  if (withoutHistory) return undefined;
  const copy = isEmpty ? await beginCopy(source, target) : undefined;
  if (copy === undefined && isEmpty && !again)
    throw new Error(`${to} has a history of its own: --without-history copies without that of ${from}`);
  if (copy === undefined) printLine(`The history is not copied, since ${to} was not empty`);
  return copy;
}

async function copyHistory(copy: LogCopy, { from, to }: CopyOptions): Promise<void> {
  const progress = startProgress(changeFile, undefined);
  const copied = finishCopy(copy, (done) => progress.update(done));
  const count = await copied.finally(() => progress.stop());
  process.stdout.write(`${describeNouns(changeFile, count, 'is', 'are')} in ${to} as in ${from}\n`);
}

async function copyAll(options: CopyOptions): Promise<void> {
  const { from, to, again = options.force ?? false } = options;
  const settings = await loadSettings();
  const kinds = kindsOfSettings(settings);
  const openStores: Store[] = [];
  const open = async (name: StoreKind, mayFill = false) => {
    const store = await openForCommand(name, settings, fail, { mayFill });
    openStores.push(store);
    return store;
  };
  try {
    const [source, target] = [await open(from), await open(to, true)];
    const isContinued = target.changes !== undefined && (await isBeingFilled(target.changes));
    const there = isContinued ? undefined : await findAny(target, kinds);
    if (there && !again)
      throw new Error(
        `${to} has ${there.plural}: changes and deletions there could be undone. --again continues a copy, --force overwrites ${there.plural} that differ`,
      );
    const history = await beginHistory(source, target, there === undefined, { ...options, again });
    let isWhole = true;
    for (const kind of [...kinds.all, membershipFile])
      isWhole = (await copyKind(kind, source, target, options)) && isWhole;
    if (history && !isWhole)
      throw new Error('the history belongs to all users and groups: empty the target, and copy again');
    if (history) await copyHistory(history, options);
    if (there === undefined) await copyDeclarations(storeAt(from, settings), storeAt(to, settings));
  } finally {
    for (const store of openStores) await store.close();
  }
}

/** At once: open handles of a failed store would keep the process alive. */
function fail(error: unknown): never {
  printLine(`Not finished: ${messageOf(error)}`);
  process.exit(exitCodes.failed);
}

async function copy(options: CopyOptions, command: CommandLine): Promise<void> {
  const { from, to } = options;
  if (from === to) command.error(`error: --from and --to are both ${from}`);
  await copyAll(options).catch(fail);
}

const storeOption = (flags: string, description: string): NeededOption =>
  new NeededOption(flags, description).argParser(refuseRepeated(readOneOf(storeKinds)));

export function register(command: CommandLine): void {
  command
    .addOption(storeOption('--from <kind>', `source store: ${storeKinds.join(', ')}`))
    .addOption(storeOption('--to <kind>', 'target store, a different one of these'))
    .option(
      '--again',
      'add what is missing to a target that has users or groups, without the change log; keep those that differ',
    )
    .option('--force', 'as --again, but overwrite those that differ')
    .option('--without-history', 'leave the change log out; the target logs what is copied')
    .describeExitCodes({
      [exitCodes.done]: 'everything was copied',
      [exitCodes.failed]: 'not finished; the command can be repeated',
      [exitCodes.someLeft]: 'some were left unchanged, and are named',
    })
    .action(copy);
}
