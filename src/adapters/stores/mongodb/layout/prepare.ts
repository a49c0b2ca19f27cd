import type { Db, MongoClient } from 'mongodb';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import { assertReplicaSet, assertServable, makeIndexes } from './layout.ts';
import type { OnBatch, Rebuild } from './rebuild.ts';

/** Decisions need the newest state, also when the operator's read preference is a secondary. */
export const fromPrimary = { readPreference: 'primary', readConcern: { level: 'majority' } } as const;

export interface Preparation {
  readonly client: MongoClient;
  readonly db: Db;
  readonly kinds: Kinds;
  readonly rebuilds: ReadonlyMap<Kind, Rebuild>;
  readonly prepareLog: () => Promise<void>;
}

/** Called when it will take long, with the reason. */
type OnDelay = (cause: Error) => void;

/**
 * Brings the database up to what this release needs. Idempotent, also when several processes do it at once: the server
 * builds each index once.
 * @param wasReady true when this process has served from it already
 */
export async function prepare(parts: Preparation, wasReady: boolean, onDelay: OnDelay): Promise<void> {
  const { client, db, kinds, rebuilds, prepareLog } = parts;
  // Operations connect by themselves, but not again after a first time that failed.
  await client.connect();
  await assertReplicaSet(db);
  await assertServable(db, kinds, wasReady);
  for (const [kind, rebuild] of rebuilds) {
    await makeIndexes(db, kind);
    const outdated = await rebuild.findOutdated({ isStart: true });
    if (outdated.length === 0) continue;
    const work = `what ${kind.plural} are found by changed with this release, and keys are made anew`;
    onDelay(new Error(work));
    await rebuild.run(outdated, reportNowAndThen(onDelay, work));
  }
  // Another process may have switched it on or off since.
  if (!wasReady) await prepareLog();
}

/** Documents, between two lines of the log. */
const reportEach = 20_000;

export function reportNowAndThen(onDelay: OnDelay, work: string): OnBatch {
  let told = 0;
  return (done, all) => {
    if (done < told + reportEach) return;
    told = done;
    onDelay(new Error(`${work}: ${done} of ${all} done`));
  };
}
