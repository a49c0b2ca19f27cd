/**
 * Many clients write to services that are disturbed meanwhile, and followers go on through all of it; then the change log is held against what
 * the clients were answered, the followers against the log, and the log against what is stored. `ledger.ts` notes the writes, `writers.ts`
 * sends those of `lives.ts`, `followers.ts` has the followers, `verdict.ts` compares.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { deadline, until } from '../../support/deadlines.ts';
import { type Change, type ChangesPage, type Follower, followersOf, readJson } from './followers.ts';
import { Ledger } from './ledger.ts';
import { type Life, lives } from './lives.ts';
import type { Services } from './services.ts';
import {
  documentVersion,
  expectChain,
  expectOneEntryEach,
  expectOrder,
  leavesOf,
  type OldChange,
  tell,
} from './verdict.ts';
import { Ended, WritingClient } from './writers.ts';

const writers = 64;
const sharedGroups = 5;

/** Resources whose histories are read at the end. */
const histories = 300;

/** What a disturbance has to do with. */
export interface Scene {
  /** Returns once so many more writes were answered. */
  readonly progress: (count: number) => Promise<void>;
  /** What it writes is held against the log, too. */
  readonly client: WritingClient;
}

interface Attack {
  readonly services: Services;
  /** Called again and again, amid the writes; returns when the services can be reached again. */
  readonly disturb: (round: number, scene: Scene) => Promise<void>;
  /** How often it is called at least, and for how long. */
  readonly rounds: number;
  readonly seconds: number;
  /** Answered writes between two disturbances, about. */
  readonly writesBetween: number;
  /** Whether the store has memberships in the histories of users. */
  readonly hasMemberships: boolean;
}

/** FEED_REPORT=1 prints the result. */
export async function expectNothingMissed(attack: Attack): Promise<void> {
  const { services } = attack;
  const ledger = new Ledger();
  const authorization = await services.authorization();
  const followers = followersOf(services, await services.authorization(['changes:read']));
  const rounds = await write(attack, ledger, authorization);
  const reader = new Reader(services, authorization);
  const log = await reader.log();
  expectOneEntryEach(log, ledger);
  expectOrder(log, ledger);
  await expectMet(followers, log);
  await reader.expectStored(log);
  await reader.expectChains(log, attack.hasMemberships);
  const { done, unanswered } = ledger;
  const came = {
    rounds,
    done,
    unanswered,
    refused: ledger.sent.size - done - unanswered,
    entries: log.length,
  };
  if (process.env.FEED_REPORT) console.log(JSON.stringify(came));
}

async function write(attack: Attack, ledger: Ledger, authorization: string): Promise<number> {
  const { services, disturb, rounds, seconds, writesBetween } = attack;
  const client = new WritingClient(services, ledger, authorization);
  const groups: string[] = [];
  for (let nth = 0; nth < sharedGroups; nth += 1) {
    const body = { displayName: `Shared ${nth}` };
    const { effects } = await client.write('POST', '/groups', body, [{ type: 'group.created' }]);
    groups.push(effects[0]?.id ?? '');
  }
  let failed = false;
  const writing = Array.from({ length: writers }, (_, at) => live({ client, groups }, at));
  for (const one of writing)
    one.catch(() => {
      failed = true;
    });
  const end = performance.now() + seconds * 1000;
  let round = 0;
  const progress: Scene['progress'] = async (count) => {
    const wanted = ledger.done + count;
    await until('writes are answered', () => failed || ledger.done >= wanted);
  };
  for (; (round < rounds || performance.now() < end) && !failed; round += 1) {
    await progress(writesBetween * (0.5 + Math.random()));
    await disturb(round, { progress, client });
  }
  client.isStopped = true;
  await Promise.all(writing);
  return round;
}

/** One life after the other, of each kind. */
async function live(life: Life, first: number): Promise<void> {
  for (let at = first; !life.client.isStopped; at += 1) {
    try {
      await lives[at % lives.length]?.(life);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      await pause(0);
    }
  }
}

/** The follower may be as far behind as half of all that was written. */
async function expectMet(followers: readonly Follower[], log: readonly Change[]): Promise<void> {
  const last = log.at(-1) ?? expect.fail('an empty log');
  for (const follower of followers) {
    await follower.finish(last);
    const { name } = follower.constructor;
    for (const [at, change] of log.entries())
      if (follower.seen[at]?.cursor !== change.cursor)
        expect(follower.seen[at], `change ${at} of ${log.length}, by ${name}`).to.deep.equal(change);
    expect(follower.seen, name).to.deep.equal(log);
  }
}

class Reader {
  readonly #services: Services;
  readonly #authorization: string;

  constructor(services: Services, authorization: string) {
    [this.#services, this.#authorization] = [services, authorization];
  }

  async log(): Promise<readonly Change[]> {
    const all: Change[] = [];
    for (let [since, more] = ['start', true]; more; ) {
      const page = await this.#read<ChangesPage>(`/changes?since=${since}`);
      all.push(...page.changes);
      [since, more] = [page.next, page.more];
    }
    return all;
  }

  /** Checks that the stored state is the result of the log. */
  async expectStored(log: readonly Change[]): Promise<void> {
    const { versions, members } = tell(log);
    const stored = new Map<string, string>();
    for (const kind of ['user', 'group']) {
      const list = await this.#read<Record<string, Stored[]>>(`/${kind}s`);
      for (const { id, meta } of list[`${kind}s`] ?? []) stored.set(`${kind} ${id}`, meta.version);
    }
    expect(stored).to.deep.equal(new Map([...versions].map(([name, one]) => [name, documentVersion(one)])));
    for (const [group, ids] of members) {
      const { users } = await this.#read<{ users: Stored[] }>(`/users?group=${group}`);
      expect(users.map(({ id }) => id).sort(), `members of ${group}`).to.deep.equal([...ids].sort());
    }
  }

  async expectChains(log: readonly Change[], hasMemberships: boolean): Promise<void> {
    const names = new Set(log.map(({ type, id }) => `/${type.split('.')[0]}s/${id}`));
    const stride = Math.ceil(names.size / histories);
    for (const path of [...names].filter((_, at) => at % stride === 0)) {
      const history = (await this.#history(path)).toReversed();
      const isOwn = ({ type, id }: Change) => `/${type.split('.')[0]}s/${id}` === path;
      const own = history.filter(isOwn);
      expect(own.map(({ cursor }) => cursor)).to.deep.equal(log.filter(isOwn).map(({ cursor }) => cursor));
      if (hasMemberships) expectMemberships(path, log, history);
      const state = expectChain(own);
      if (own.at(-1)?.type.endsWith('.deleted')) continue;
      const { id, meta, memberCount, ...content } = await this.#read<Record<string, unknown>>(path);
      expect(leavesOf(content), path).to.deep.equal(state);
    }
  }

  async #history(path: string): Promise<readonly OldChange[]> {
    const all: OldChange[] = [];
    for (let [after, more] = ['', true]; more; ) {
      const page = await this.#read<ChangesPage>(`${path}/history?limit=100${after}`);
      all.push(...page.changes);
      [after, more] = [`&after=${page.next}`, page.more];
    }
    return all;
  }

  async #read<T>(path: string): Promise<T> {
    let read: T | undefined;
    await until(`${path} is read`, async () => {
      read = await readJson<T>(this.#services, path, this.#authorization);
      return read !== undefined;
    });
    return read as T;
  }
}

/** A user's history has each change of members that names the user, unless a whole list may have kept a member. */
function expectMemberships(path: string, log: readonly Change[], history: readonly Change[]): void {
  const [, kind, user = ''] = path.split('/');
  if (kind !== 'users') return;
  const names = ({ added = [], removed = [], whole }: Change) =>
    !whole && (added.includes(user) || removed.includes(user));
  const there = new Set(history.map(({ cursor }) => cursor));
  const missing = log.filter((change) => names(change) && !there.has(change.cursor));
  expect(missing, `memberships of ${path}`).to.deep.equal([]);
}

interface Stored {
  readonly id: string;
  readonly meta: { readonly version: string };
}

/** In ms: the time of a case without the writing. */
export const beside = 10 * deadline;
