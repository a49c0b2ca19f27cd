/** `copy --from sqlite --to mongodb`: copies all users, groups and memberships from one configured store to another. */

import { setTimeout } from 'node:timers/promises';
import { openStore, type StoreKind, storeKinds } from '../adapters/stores/index.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { randomIds } from '../adapters/system/ids.ts';
import { loadSettings } from '../config/settings.ts';
import { describeNouns, type Noun } from '../domain/base/describe-count.ts';
import { matchAll } from '../domain/find/conditions.ts';
import {
  type Copied,
  copyMemberships,
  copyResources,
  type CopyOptions as DomainCopyOptions,
  listAll,
  listMembershipIds,
} from '../domain/import/copy-resources.ts';
import { findDifferences, hasSameContent } from '../domain/import/differences.ts';
import { membershipFile } from '../domain/import/memberships.ts';
import type { Kind } from '../domain/kinds/kind.ts';
import { kindsOf } from '../domain/kinds.ts';
import type { Store } from '../domain/store.ts';
import { describeWaiting, printLine, startProgress } from '../process/output/progress.ts';
import { type CommandLine, exitCodes, NeededOption } from './command-line.ts';
import { readOneOf, refuseRepeated } from './values.ts';

/** How many ids are named when the stores differ. */
const maxNamed = 10;

const countAll = async (store: Store, { name }: Kind): Promise<number> =>
  (await store.page(name, { where: matchAll, limit: 0, total: 'exact' })).total ?? 0;

interface CopyOptions {
  readonly from: StoreKind;
  readonly to: StoreKind;
  readonly again?: boolean;
  readonly force?: boolean;
}

const parts = { clock: systemClock, ids: randomIds };

/** What is copied at a time: the resources of a kind, or memberships. */
interface Part {
  readonly noun: Noun;
  /** Undefined where counting would take as long as copying. */
  count(store: Store): Promise<number | undefined>;
  copy(from: Store, to: Store, options: Omit<DomainCopyOptions, 'kind'>): Promise<Copied>;
  /** The ids of what differs, or is in one store only. */
  findDifferences(from: Store, to: Store): AsyncGenerator<string>;
  isIn(store: Store, id: string): Promise<boolean>;
}

const partOf = (kind: Kind): Part => ({
  noun: kind,
  count: (store) => countAll(store, kind),
  copy: (from, to, options) => copyResources(from, to, { ...options, kind }),
  findDifferences: (from, to) =>
    findDifferences(listAll({ ...parts, kind }, from), listAll({ ...parts, kind }, to), hasSameContent),
  isIn: async (store, id) => (await store.find(kind.name, id)) !== undefined,
});

const membershipPart: Part = {
  noun: membershipFile,
  count: async () => undefined,
  copy: copyMemberships,
  findDifferences: (from, to) =>
    findDifferences(listMembershipIds(from, parts), listMembershipIds(to, parts), () => true),
  async isIn(store, id) {
    const [group = '', user = ''] = id.split('/');
    return (await store.findMembers(group, [user])).has(user);
  },
};

async function copyWithProgress(part: Part, from: Store, to: Store, force: boolean): Promise<Copied> {
  const progress = startProgress(part.noun, await part.count(from));
  try {
    return await part.copy(from, to, {
      ...{ ...parts, force, pause: setTimeout },
      by: { client: 'operator', via: 'copy' },
      onProgress: (done, waiting) => progress.update(done, done, describeWaiting(part.noun, waiting)),
    });
  } finally {
    progress.stop();
  }
}

/**
 * @param known has ids that were reported already
 * @returns how many resources or memberships only `to` has
 */
async function verifyCopy(part: Part, from: Store, to: Store, known: Copied['left']): Promise<number> {
  const ids: string[] = [];
  let more = 0;
  for await (const id of part.findDifferences(from, to)) {
    if (known.has(id)) continue;
    if (!(await part.isIn(from, id))) more += 1;
    else if (ids.push(id) >= maxNamed) break;
  }
  if (ids.length > 0)
    throw new Error(`the ${part.noun.plural} of the stores differ, at least in: ${ids.join(', ')}`);
  return more;
}

function reportLeft({ noun }: Part, left: Copied['left'], force: boolean): void {
  for (const [id, why] of left) printLine(`Left as it was: ${noun.name} ${id}: ${why}`);
  if (left.size === 0) return;
  process.exitCode = exitCodes.someLeft;
  const advice = force ? '' : '; --force overwrites those with the same id';
  printLine(`${describeNouns(noun, left.size, 'was', 'were')} not copied${advice}`);
}

/** @returns the sentence that tells the result */
async function copyPart(part: Part, from: Store, to: Store, options: CopyOptions): Promise<string> {
  const { force = false } = options;
  const { count, left } = await copyWithProgress(part, from, to, force);
  reportLeft(part, left, force);
  const more = await verifyCopy(part, from, to, left);
  if (more > 0)
    printLine(
      `${describeNouns(part.noun, more, 'is', 'are')} in ${options.to} only, and ${more === 1 ? 'stays' : 'stay'}`,
    );
  return `${describeNouns(part.noun, count, 'is', 'are')} in ${options.to} as they are in ${options.from}`;
}

async function copyAll(options: CopyOptions): Promise<void> {
  const { from, to, again = options.force } = options;
  const settings = await loadSettings();
  const kinds = kindsOf();
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
    for (const kind of kinds.all)
      if (!again && (await countAll(target, kind)) > 0)
        throw new Error(
          `${to} has ${kind.plural}: changes and deletions there could be undone. --again continues a copy, --force overwrites ${kind.plural} that differ`,
        );
    for (const part of [...kinds.all.map(partOf), membershipPart])
      process.stdout.write(`${await copyPart(part, source, target, options)}\n`);
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
