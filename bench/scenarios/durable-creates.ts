/** Creates users at the store's port by 32 callers, and compares with a transaction, and so an fsync, for each. */
import { join } from 'node:path';
import { v7 } from 'uuid';
import { openConnection } from '../../src/adapters/stores/sqlite/file/connection.ts';
import { GroupCommit } from '../../src/adapters/stores/sqlite/write/group-commit.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { openSqliteStore } from '../../test/support/stores.ts';
import { creating, fill, tables, userAt } from '../directory.ts';
import { divideEach, median, type Outcome } from '../result.ts';
import type { Stage } from '../stage.ts';

const callers = 32;
const together = 2000;
const singly = 100;

let made = 0;
function makeUsers(count: number): User[] {
  return Array.from({ length: count }, () => {
    made += 1;
    return { ...userAt(made), id: v7() };
  });
}

async function measureRate(users: readonly User[], work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (users.length * 1000) / (performance.now() - start);
}

export async function measureDurableCreates({ folder, rounds }: Stage): Promise<Outcome> {
  const [ours, single] = ['creates', 'single-creates'].map((name) => join(folder, `${name}.db`));
  if (ours === undefined || single === undefined) throw new Error('unreachable');
  const store = await openSqliteStore({
    file: ours,
    onFatal: (cause) => {
      throw cause;
    },
  });
  fill(single, 0, 0);
  const db = openConnection(single, { readonly: false, busyTimeout: 1000 });
  const group = new GroupCommit(db, tables);
  const rates: { store: number[]; single: number[] } = { store: [], single: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const alone = makeUsers(singly);
    const one = await measureRate(alone, () => {
      for (const user of alone) {
        const { results } = group.run([creating(user)]);
        if (results[0] !== 'done') throw new Error(`insert: ${results[0]}`);
      }
    });
    const users = makeUsers(together);
    const queue = users.values();
    const many = await measureRate(users, () =>
      Promise.all(
        Array.from({ length: callers }, async () => {
          for (const user of queue) await store.insert(Stored.of(user));
        }),
      ),
    );
    if (round === 0) continue;
    rates.single.push(one);
    rates.store.push(many);
  }
  db.close();
  await store.close();
  return {
    figures: [
      { name: 'one fsync each', perSecond: rates.single },
      { name: `the store, ${callers} callers`, perSecond: rates.store },
    ],
    ratios: [
      {
        key: 'durable-creates',
        what: `durable creates at the store's port, ${callers} callers`,
        against: 'one fsync for each',
        by: 'throughput',
        rounds: divideEach(rates.store, rates.single),
        atLeast: 10,
        note: `one alone takes ${(1000 / median(rates.single)).toFixed(2)} ms`,
      },
    ],
  };
}
