import { once } from 'node:events';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import fc from 'fast-check';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, launch, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { fileIn, fill, openCounter, recoveredUsersIn, withoutTraces } from './directories.ts';
import { type Ledger, sender, settle, write } from './writers.ts';

interface Killing {
  /** Of the users in the file. */
  readonly count: number;
  readonly kills: number;
  /** Who write to a service meanwhile. */
  readonly clients: number;
}

/** Every other one comes without an id, and is found again by the name. */
function aRow(at: number): Partial<User> {
  const id = `00000000-0000-4000-9000-${String(at).padStart(12, '0')}`;
  const rest = { userName: `imported${at}`, displayName: `User ${at}`, roles: ['one', `group${at % 100}`] };
  return at % 2 === 0 ? { id, ...rest } : rest;
}

async function writeRows(file: string, count: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let at = 0; at < count; at += 1)
    if (!stream.write(`${JSON.stringify(aRow(at))}\n`)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'close');
}

/** Kills an import after a share of its remaining writes, or later. @param share from 0 to 1 */
async function killAt(share: number, folder: string, { count, kills }: Killing): Promise<void> {
  const counter = openCounter(folder, 'imported');
  const before = counter.count();
  const place = before + share * Math.min(count - before, (2 * count) / kills);
  const { child, ended } = launch(['import', 'users.jsonl'], folder);
  await until('the import is there', () => counter.count() >= place || child.exitCode !== null);
  child.kill('SIGKILL');
  await ended;
  counter.close();
}

/** Drawn by the seed of the run. */
const sharesOf = (kills: number): number[] =>
  fc.sample(fc.noBias(fc.double({ min: 0, max: 1, noNaN: true })), kills);

type Send = ReturnType<typeof sender>;

/** Repeats requests that are refused with 503, unchanged, because the import writes for too long at a time. */
function repeatIfBusy(send: Send): Send {
  return async (...request) => {
    let answer = await send(...request);
    await until('the import leaves room for a write', async () => {
      if (answer.status === 503) answer = await send(...request);
      return answer.status !== 503;
    });
    return answer;
  };
}

const summary = /^(\d+) created, 0 changed, (\d+) unchanged, 0 refused$/;

/** Runs the import to its end, and checks its output and the store. */
async function finish(folder: string, count: number): Promise<void> {
  const { code, log } = await run(['import', 'users.jsonl'], folder);
  const [, created, unchanged] = summary.exec(log[0] ?? '') ?? [];
  expect([code, Number(created) + Number(unchanged)]).to.deep.equal([0, count]);
  expect(Number(unchanged)).to.be.above(0);
}

const expected = (count: number): unknown[] =>
  withoutTraces(Array.from({ length: count }, (_, at) => ({ ...aRow(at), active: true }) as User));

const membersOf = 100;
const membersGroup = (at: number): string => `00000000-0000-4000-a000-${String(at).padStart(12, '0')}`;

/** Users, and groups whose members overlap, in a store; and the memberships of all of them in a file. */
async function prepareMemberships(folder: string, groups: number): Promise<void> {
  const users = Array.from({ length: 2 * membersOf }, (_, at) => aUser({ id: aRow(2 * at).id ?? '' }));
  await fill(folder, users, async (store) => {
    for (let at = 0; at < groups; at += 1) await store.groups.insert(aGroup({ id: membersGroup(at) }));
  });
  const rows = Array.from({ length: groups }, (_, group) =>
    Array.from({ length: membersOf }, (_, at) => ({
      group: membersGroup(group),
      user: users[(group + at) % users.length]?.id,
    })),
  );
  const lines = rows.flat().map((row) => `${JSON.stringify(row)}\n`);
  writeFileSync(join(folder, 'memberships.jsonl'), lines.join(''));
}

/** Kills an import of memberships when it has added a share of them, or later. */
async function killMembershipsAt(share: number, folder: string, count: number): Promise<void> {
  const db = new Database(fileIn(folder), { readonly: true });
  const counting = db.prepare('SELECT count(*) FROM memberships').pluck();
  const before = Number(counting.get());
  const { child, ended } = launch(['import', 'memberships.jsonl', '--kind', 'memberships'], folder);
  const place = before + share * (count - before);
  await until('some members are in', () => Number(counting.get()) >= place || child.exitCode !== null);
  child.kill('SIGKILL');
  await ended;
  db.close();
}

export const describeKilledImports = (killing: Killing) =>
  describe(`An import of ${killing.count} users, killed ${killing.kills} times`, () => {
    const { count, kills, clients } = killing;
    afterEach(discardProcesses);

    it('and repeated, ends with the same directory as an import without kills', async () => {
      const folder = aDataFolder();
      await writeRows(join(folder, 'users.jsonl'), count);
      for (const share of sharesOf(kills)) await killAt(share, folder, killing);
      await finish(folder, count);
      const there = await recoveredUsersIn(folder);
      expect(withoutTraces(there)).to.deep.equal(expected(count));
      expectUndamaged(fileIn(folder), new Map(there.map((user) => [user.id, user])));
    });

    it('of memberships, and repeated, ends with all members, each once', async () => {
      const folder = aDataFolder();
      const groups = Math.ceil(count / membersOf);
      await prepareMemberships(folder, groups);
      for (const share of sharesOf(kills)) await killMembershipsAt(share / 2, folder, groups * membersOf);
      const { code, log } = await run(['import', 'memberships.jsonl', '--kind', 'memberships'], folder);
      const [, created, unchanged] = summary.exec(log[0] ?? '') ?? [];
      expect([code, Number(created) + Number(unchanged)]).to.deep.equal([0, groups * membersOf]);
      const exported = await run(['export', '--format', 'jsonl', '--kind', 'memberships'], folder);
      const given = readFileSync(join(folder, 'memberships.jsonl'), 'utf8').trimEnd().split('\n');
      expect([...exported.log].sort()).to.deep.equal(given.sort());
      const counted = await run(['export', '--format', 'jsonl', '--kind', 'groups'], folder);
      for (const line of counted.log) expect(JSON.parse(line).memberCount).to.equal(membersOf);
    });

    it(`ends with the same directory while ${clients} clients write to the service, and loses none of their writes`, async () => {
      const service = await startProcess();
      const { folder } = service;
      await writeRows(join(folder, 'users.jsonl'), count);
      const send = repeatIfBusy(sender(service.url, await service.token()));
      const ledger: Ledger = new Map();
      let isOver = false;
      const writing = Array.from({ length: clients }, () =>
        write(
          send,
          ledger,
          () => undefined,
          () => isOver,
        ),
      );
      for (const share of sharesOf(kills)) await killAt(share, folder, killing);
      await finish(folder, count);
      isOver = true;
      await Promise.all(writing);
      const there = [...(await allUsers(service)).values()];
      const isImported = ({ userName }: User) => userName.startsWith('imported');
      settle(ledger, new Map(there.filter((user) => !isImported(user)).map((user) => [user.id, user])));
      expect(withoutTraces(there.filter(isImported))).to.deep.equal(expected(count));
      expect(ledger.size).to.be.at.least(clients);
    });
  });
