/**
 * `npm run copy-users -- --from sqlite --to mongodb`: every user from one of the configured stores into another. Ends with 0 when
 * all are there, with 2 when some were left as they were and are named, with 1 when it was not finished.
 */
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { loadSettings, type Settings } from './config.ts';
import { openStore, storeKinds, systemClock } from './container.ts';
import { copyUsers, countUsers, differences, hasSameContent, type Left } from './domain/copy-users.ts';
import type { UserStore } from './domain/ports.ts';
import { randomIds } from './ids.ts';

const usage = `usage: npm run copy-users -- --from KIND --to KIND [--force], two of: ${storeKinds.join(', ')}`;

/** The exit code when some users were not copied. */
const someLeft = 2;

/** How many ids are named when the stores differ. */
const maxNamed = 10;

interface Chosen {
  readonly from: Settings['store'];
  readonly to: Settings['store'];
  readonly force: boolean;
}

function chosen(): Chosen {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, force: { type: 'boolean' } },
  });
  const [from, to] = [values.from, values.to].map((name) => storeKinds.find((kind) => kind === name));
  if (from === undefined || to === undefined || from === to) throw new Error(usage);
  return { from, to, force: values.force ?? false };
}

/** Answers within the whole of it: no half-shown bar is left when it fails. */
async function copied(from: UserStore, to: UserStore, force: boolean) {
  const left: Left[] = [];
  const bar = new SingleBar({ noTTYOutput: true, notTTYSchedule: 5000 }, Presets.shades_classic);
  bar.start(await countUsers(from), 0);
  try {
    const count = await copyUsers(from, to, {
      clock: systemClock,
      ids: randomIds,
      force,
      onProgress: (done) => bar.update(done),
      onLeft: (one) => left.push(one),
    });
    return { count, left };
  } finally {
    bar.stop();
  }
}

/**
 * @param known ids that were told of already
 * @returns how many users only `to` has
 */
async function verified(from: UserStore, to: UserStore, known: ReadonlySet<string>): Promise<number> {
  const ids: string[] = [];
  let more = 0;
  for await (const id of differences(from, to, hasSameContent)) {
    if (known.has(id)) continue;
    if ((await from.find(id)) === undefined) more += 1;
    else if (ids.push(id) >= maxNamed) break;
  }
  if (ids.length > 0) throw new Error(`the stores differ, at least in: ${ids.join(', ')}`);
  return more;
}

function tell(left: readonly Left[], force: boolean): void {
  for (const { id, why } of left) process.stderr.write(`Left as it was: user ${id} ${why}\n`);
  if (left.length === 0) return;
  process.exitCode = someLeft;
  const advice = force ? '' : '; --force puts those of one id over what is there';
  process.stderr.write(`${left.length} users were not copied${advice}\n`);
}

async function main(): Promise<string> {
  const kinds = chosen();
  const settings = await loadSettings();
  const opened: UserStore[] = [];
  const open = async (kind: Settings['store']) => {
    const onFatal = (cause: unknown) => fail(cause);
    const store = await openStore(kind, {
      settings,
      onFatal,
      onProblem: (line) => process.stderr.write(`${line}\n`),
    });
    opened.push(store);
    return store;
  };
  try {
    const [from, to] = [await open(kinds.from), await open(kinds.to)];
    const { count, left } = await copied(from, to, kinds.force);
    tell(left, kinds.force);
    const more = await verified(from, to, new Set(left.map(({ id }) => id)));
    if (more > 0) process.stderr.write(`${more} users are in ${kinds.to} only, and stay\n`);
    return `${count} users are in ${kinds.to} as they are in ${kinds.from}`;
  } finally {
    for (const store of opened) await store.close();
  }
}

function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Not finished: ${reason}\n`);
  process.exit(1);
}

process.stdout.write(`${await main().catch(fail)}\n`);
