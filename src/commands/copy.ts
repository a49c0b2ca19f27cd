/** `copy --from sqlite --to mongodb`: copies all users from one configured store to another. */

import { setTimeout } from 'node:timers/promises';
import { openStore, type StoreKind, storeKinds } from '../adapters/stores/index.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { randomIds } from '../adapters/system/ids.ts';
import { loadSettings } from '../config/settings.ts';
import { describeCount } from '../domain/base/describe-count.ts';
import { everybody } from '../domain/find/conditions.ts';
import { type Copied, copyResources, listAll } from '../domain/import/copy-resources.ts';
import { findDifferences, hasSameContent } from '../domain/import/differences.ts';
import type { Kind } from '../domain/kinds/kind.ts';
import { type Kinds, kindsOf } from '../domain/kinds.ts';
import type { Store } from '../domain/store.ts';
import { describeWaiting, printLine, startProgress } from '../process/output/progress.ts';
import { type CommandLine, exitCodes, NeededOption } from './command-line.ts';
import { readOneOf, refuseRepeated } from './values.ts';

/** How many ids are named when the stores differ. */
const maxNamed = 10;

const describe = ({ name, plural }: Kind, count: number, one: string, many: string): string =>
  describeCount(count, `${name} ${one}`, `${plural} ${many}`);

const countAll = async (store: Store, { name }: Kind): Promise<number> =>
  (await store.page(name, { where: everybody, limit: 0, total: 'exact' })).total ?? 0;

interface CopyOptions {
  readonly from: StoreKind;
  readonly to: StoreKind;
  readonly again?: boolean;
  readonly force?: boolean;
}

const parts = { clock: systemClock, ids: randomIds };

async function copyWithProgress(kind: Kind, from: Store, to: Store, force: boolean): Promise<Copied> {
  const progress = startProgress(kind, await countAll(from, kind));
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

/**
 * @param known has ids that were reported already
 * @returns how many resources only `to` has
 */
async function verifyCopy(kind: Kind, from: Store, to: Store, known: Copied['left']): Promise<number> {
  const list = (store: Store) => listAll({ ...parts, kind }, store);
  const ids: string[] = [];
  let more = 0;
  for await (const id of findDifferences(list(from), list(to), hasSameContent)) {
    if (known.has(id)) continue;
    if ((await from.find(kind.name, id)) === undefined) more += 1;
    else if (ids.push(id) >= maxNamed) break;
  }
  if (ids.length > 0) throw new Error(`the stores differ, at least in: ${ids.join(', ')}`);
  return more;
}

function reportLeft(kind: Kind, left: Copied['left'], force: boolean): void {
  for (const [id, why] of left) printLine(`Left as it was: ${kind.name} ${id}: ${why}`);
  if (left.size === 0) return;
  process.exitCode = exitCodes.someLeft;
  const advice = force ? '' : '; --force overwrites users with the same id';
  printLine(`${describe(kind, left.size, 'was', 'were')} not copied${advice}`);
}

/** The operator must not take the copy for the whole directory. */
async function reportOthers(kinds: Kinds, copied: Kind, from: Store): Promise<void> {
  for (const kind of kinds.all) {
    const count = kind === copied ? 0 : await countAll(from, kind);
    if (count === 0) continue;
    process.exitCode = exitCodes.someLeft;
    printLine(
      `${describe(kind, count, 'was', 'were')} not copied: this command copies ${copied.plural} only`,
    );
  }
}

async function copyAll({ from, to, force = false, again = force }: CopyOptions): Promise<string> {
  const settings = await loadSettings();
  const kinds = kindsOf();
  const kind = kinds.of('user');
  const openStores: Store[] = [];
  const open = async (name: StoreKind) => {
    const store = await openStore(name, settings, {
      kinds,
      onFatal: fail,
      onProblem: printLine,
      isPassedThrough: true,
    });
    openStores.push(store);
    return store;
  };
  try {
    const [source, target] = [await open(from), await open(to)];
    if (!again && (await countAll(target, kind)) > 0)
      throw new Error(
        `${to} has ${kind.plural}: changes and deletions there could be undone. --again continues a copy, --force overwrites ${kind.plural} that differ`,
      );
    const { count, left } = await copyWithProgress(kind, source, target, force);
    reportLeft(kind, left, force);
    const more = await verifyCopy(kind, source, target, left);
    if (more > 0)
      printLine(`${describe(kind, more, 'is', 'are')} in ${to} only, and ${more === 1 ? 'stays' : 'stay'}`);
    await reportOthers(kinds, kind, source);
    return `${describe(kind, count, 'is', 'are')} in ${to} as they are in ${from}`;
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
    .option('--again', 'continue a copy: the target has users or groups already, and those that differ stay')
    .option('--force', 'as --again, and overwrite users and groups with the same id that differ')
    .describeExitCodes({
      [exitCodes.done]: 'all are there',
      [exitCodes.failed]: 'not finished; it can be run again',
      [exitCodes.someLeft]: 'some were left as they were, and are named',
    })
    .action(copy);
}
