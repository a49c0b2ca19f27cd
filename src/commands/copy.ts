/** `copy --from sqlite --to mongodb`: copies all users from one configured store to another. */

import { openStore, type StoreKind, storeKinds } from '../adapters/stores/index.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { randomIds } from '../adapters/system/ids.ts';
import { loadSettings } from '../config/settings.ts';
import { systemClock } from '../container.ts';
import { describeCount } from '../domain/base/describe-count.ts';
import type { KindName } from '../domain/base/errors.ts';
import { everybody } from '../domain/find/conditions.ts';
import { copyUsers, findDifferences, hasSameContent, type Left } from '../domain/import/copy-users.ts';
import { kindsOf } from '../domain/kinds.ts';
import type { Store } from '../domain/store.ts';
import { printLine, startProgress } from '../process/output/progress.ts';
import { type CommandLine, exitCodes, NeededOption } from './command-line.ts';
import { readOneOf, refuseRepeated } from './values.ts';

/** How many ids are named when the stores differ. */
const maxNamed = 10;

const countAll = async (store: Store, kind: KindName): Promise<number> =>
  (await store.page(kind, { where: everybody, limit: 0, total: 'exact' })).total ?? 0;

interface CopyOptions {
  readonly from: StoreKind;
  readonly to: StoreKind;
  readonly again?: boolean;
  readonly force?: boolean;
}

async function copyWithProgress(from: Store, to: Store, force: boolean) {
  const left: Left[] = [];
  const progress = startProgress(await countAll(from, 'user'));
  try {
    const count = await copyUsers(from, to, {
      clock: systemClock,
      ids: randomIds,
      force,
      by: { client: 'operator', via: 'copy' },
      onProgress: progress.update,
      onLeft: (one) => left.push(one),
    });
    return { count, left };
  } finally {
    progress.stop();
  }
}

/**
 * @param known ids that were reported already
 * @returns how many users only `to` has
 */
async function verifyCopy(from: Store, to: Store, known: ReadonlySet<string>): Promise<number> {
  const ids: string[] = [];
  let more = 0;
  for await (const id of findDifferences(from, to, hasSameContent)) {
    if (known.has(id)) continue;
    if ((await from.find('user', id)) === undefined) more += 1;
    else if (ids.push(id) >= maxNamed) break;
  }
  if (ids.length > 0) throw new Error(`the stores differ, at least in: ${ids.join(', ')}`);
  return more;
}

function reportLeft(left: readonly Left[], force: boolean): void {
  for (const { id, why } of left) printLine(`Left as it was: user ${id} ${why}`);
  if (left.length === 0) return;
  process.exitCode = exitCodes.someLeft;
  const advice = force ? '' : '; --force puts those of one id over what is there';
  printLine(`${describeCount(left.length, 'user was', 'users were')} not copied${advice}`);
}

/** The operator must not take the copy for the whole directory. */
function reportGroups(count: number): void {
  if (count === 0) return;
  process.exitCode = exitCodes.someLeft;
  printLine(`${describeCount(count, 'group was', 'groups were')} not copied: this command copies users only`);
}

async function copyAll({ from, to, force = false, again = force }: CopyOptions): Promise<string> {
  const settings = await loadSettings();
  const openStores: Store[] = [];
  const open = async (kind: StoreKind) => {
    const store = await openStore(kind, settings, {
      kinds: kindsOf(),
      onFatal: fail,
      onProblem: printLine,
      isPassedThrough: true,
    });
    openStores.push(store);
    return store;
  };
  try {
    const [source, target] = [await open(from), await open(to)];
    if (!again && (await countAll(target, 'user')) > 0)
      throw new Error(
        `${to} has users: changes and deletions there could be undone. --again continues a copy, --force overwrites users that differ`,
      );
    const { count, left } = await copyWithProgress(source, target, force);
    reportLeft(left, force);
    const more = await verifyCopy(source, target, new Set(left.map(({ id }) => id)));
    if (more > 0)
      printLine(
        `${describeCount(more, 'user is', 'users are')} in ${to} only, and ${more === 1 ? 'stays' : 'stay'}`,
      );
    reportGroups(await countAll(source, 'group'));
    return `${describeCount(count, 'user is', 'users are')} in ${to} as they are in ${from}`;
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
  process.stdout.write(`${await copyAll(options).catch(fail)}\n`);
}

const kindOption = (flags: string, description: string): NeededOption =>
  new NeededOption(flags, description).argParser(refuseRepeated(readOneOf(storeKinds)));

export function register(command: CommandLine): void {
  command
    .addOption(kindOption('--from <kind>', `the store to read: ${storeKinds.join(', ')}`))
    .addOption(kindOption('--to <kind>', 'the store to write, another one of these'))
    .option('--again', 'continue a copy: the target has users already, and those that differ stay')
    .option('--force', 'as --again, and overwrite users with the same id that differ')
    .describeExitCodes({
      [exitCodes.done]: 'all are there',
      [exitCodes.failed]: 'not finished; it can be run again',
      [exitCodes.someLeft]: 'some were left as they were, and are named',
    })
    .action(copy);
}
