/** `npm run copy-users -- --from sqlite --to mongodb`: every user from one of the configured stores into another. */
import { parseArgs } from 'node:util';
import { Presets, SingleBar } from 'cli-progress';
import { openStore, type StoreKind, storeKinds } from './adapters/stores/index.ts';
import { loadSettings } from './config.ts';
import { copyUsers, countUsers, differences } from './domain/copy-users.ts';
import type { UserStore } from './domain/ports.ts';

const usage = `usage: npm run copy-users -- --from KIND --to KIND, two of: ${storeKinds.join(', ')}`;

/** How many ids are named when the stores differ. */
const maxNamed = 10;

function chosen(): { from: StoreKind; to: StoreKind } {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });
  const [from, to] = [values.from, values.to].map((name) => storeKinds.find((kind) => kind === name));
  if (from === undefined || to === undefined || from === to) throw new Error(usage);
  return { from, to };
}

/** Answers within the whole of it: no half-shown bar is left when it fails. */
async function copied(from: UserStore, to: UserStore): Promise<number> {
  const bar = new SingleBar({ noTTYOutput: true, notTTYSchedule: 5000 }, Presets.shades_classic);
  bar.start(await countUsers(from), 0);
  try {
    return await copyUsers(from, to, (done) => bar.update(done));
  } finally {
    bar.stop();
  }
}

async function verified(from: UserStore, to: UserStore): Promise<void> {
  const ids: string[] = [];
  for await (const id of differences(from, to)) {
    ids.push(id);
    if (ids.length >= maxNamed) break;
  }
  if (ids.length > 0) throw new Error(`the stores differ, at least in: ${ids.join(', ')}`);
}

async function main(): Promise<string> {
  const kinds = chosen();
  const settings = await loadSettings();
  const opened: UserStore[] = [];
  const open = async (kind: StoreKind) => {
    const onFatal = (cause: unknown) => fail(cause);
    const store = await openStore(kind, settings, {
      onFatal,
      onProblem: (line) => process.stderr.write(`${line}\n`),
    });
    opened.push(store);
    return store;
  };
  try {
    const [from, to] = [await open(kinds.from), await open(kinds.to)];
    const count = await copied(from, to);
    await verified(from, to);
    return `${count} users are in ${kinds.to} as they are in ${kinds.from}`;
  } finally {
    for (const store of opened) await store.close();
  }
}

function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Not finished, and safe to run again: ${reason}\n`);
  process.exit(1);
}

process.stdout.write(`${await main().catch(fail)}\n`);
