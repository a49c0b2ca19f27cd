/**
 * `npm run bench:mongodb [-- --quick]`: the store against a bare driver doing the same commands on the same server, with 32
 * callers, in rounds that take turns. The server is the one at MONGODB_URI, or one that mongodb-memory-server starts.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { openMongoStore } from '../src/adapters/mongodb/store.ts';
import type { User } from '../src/domain/user.ts';
import { aUser } from '../test/support/a-user.ts';

const callers = 32;
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rounds = values.quick ? 5 : 15;
/** Of each contestant in a round. */
const reads = values.quick ? 2_000 : 5_000;
const writes = values.quick ? 500 : 1_500;

/** What the bare contestant knows of a document: enough to keep its indexes as busy as the store's. */
interface Bare {
  readonly _id: string;
  readonly userNameKey?: string;
  readonly keys?: readonly string[];
}

type Operation = (user: User) => Promise<unknown>;

/** Operations a second, with `callers` at a time. */
async function rate(users: readonly User[], operation: Operation): Promise<number> {
  const start = performance.now();
  let next = 0;
  const caller = async () => {
    for (let user = users[next++]; user !== undefined; user = users[next++]) await operation(user);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (users.length * 1000) / (performance.now() - start);
}

const someUsers = (count: number): User[] =>
  Array.from({ length: count }, () =>
    aUser({ displayName: 'Ada Lovelace', roles: ['analyst', 'reader'], attributes: { costCenter: '42' } }),
  );

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;

/** Each round both do the same number, in turns, and each goes first as often. */
async function compare(name: string, bare: Operation, ours: Operation, users: () => User[]): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bareFirst = round % 2 === 0;
    const first = await rate(users(), bareFirst ? bare : ours);
    const second = await rate(users(), bareFirst ? ours : bare);
    ratios.push(bareFirst ? second / first : first / second);
  }
  ratios.sort((a, b) => a - b);
  const [low, middle, high] = [ratios[0], median(ratios), ratios.at(-1)].map((ratio) => ratio?.toFixed(2));
  console.log(`${name.padEnd(10)} ${middle} (${low}–${high}) of the bare driver's throughput`);
}

async function main(uri: string): Promise<void> {
  const client = await MongoClient.connect(uri, { readConcernLevel: 'majority', maxPoolSize: 100 });
  const name = `users-bench-${randomUUID()}`;
  const url = new URL(uri);
  url.pathname = `/${name}`;
  const store = await openMongoStore({ uri: url.href, onProblem: console.error });
  const db = client.db(name);
  try {
    // The bare collection has the store's own documents and indexes: a copy of what the store made of one user.
    const known = someUsers(1000);
    for (const user of known) await store.insert(user);
    const users = db.collection<Bare>('users');
    const copy = db.collection<Bare>('bare');
    for (const { key, unique } of await users.indexes())
      await copy.createIndex(key, unique ? { unique } : {});
    const sample = await users.findOne({ _id: known[0]?.id ?? '' });
    const durable = { writeConcern: { w: 'majority' as const, j: true } };
    const like = ({ id, userName }: User): Bare => ({
      ...sample,
      _id: id,
      userNameKey: userName,
      keys: sample?.keys?.map((key) => `${key}${userName}`) ?? [],
    });
    const any = () => Array.from({ length: reads }, (_, at) => known[at % known.length] as User);
    await compare(
      'read',
      (user) => users.findOne({ _id: user.id }),
      (user) => store.find(user.id),
      any,
    );
    await compare(
      'create',
      (user) => copy.insertOne(like(user), durable),
      (user) => store.insert(user),
      () => someUsers(writes),
    );
  } finally {
    await store.close();
    await db.dropDatabase();
    await client.close();
  }
}

const given = process.env.MONGODB_URI;
const started =
  given === undefined
    ? await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
    : undefined;
try {
  await main(given ?? started?.getUri() ?? '');
} finally {
  await started?.stop();
}
