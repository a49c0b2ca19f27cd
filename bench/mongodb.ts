/**
 * `npm run bench:mongodb [-- --quick]`: the store against two bare drivers doing the same on the same server, with 32
 * callers, in rounds that take turns. One has the driver's defaults, which wait forever; the other the store's
 * time-outs. The server is the one at MONGODB_URI, or one that mongodb-memory-server starts.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Db, MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { defaultsFor } from '../src/adapters/stores/mongodb/options.ts';
import { openMongoStore } from '../src/adapters/stores/mongodb/store.ts';
import { StoredUser } from '../src/domain/stored-user.ts';
import type { User } from '../src/domain/user.ts';
import { aUser } from '../test/support/a-user.ts';

const callers = 32;
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rounds = values.quick ? 15 : 75;
/** Of each contestant in a round: few, so that what the machine does meanwhile strikes both alike. */
const reads = 1_000;
const writes = 300;

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

interface Contestants {
  readonly bare: Operation;
  readonly bareWithTimeouts: Operation;
  readonly store: Operation;
}

/** Each round all do the same number, in turns, and each goes first as often. */
async function compare(name: string, contestants: Contestants, users: () => User[]): Promise<void> {
  const ratios = { bare: [] as number[], bareWithTimeouts: [] as number[] };
  const order = Object.entries(contestants);
  // One to warm up, which isn't counted.
  for (let round = 0; round <= rounds; round += 1) {
    const rates: Record<string, number> = {};
    for (const [contestant, operation] of order) rates[contestant] = await rate(users(), operation);
    order.push(...order.splice(0, 1));
    if (round === 0) continue;
    const { bare = Number.NaN, bareWithTimeouts = Number.NaN, store = Number.NaN } = rates;
    ratios.bare.push(store / bare);
    ratios.bareWithTimeouts.push(store / bareWithTimeouts);
  }
  console.log(`${name}: ${told(ratios.bare)} of the bare driver's throughput`);
  console.log(`${name}: ${told(ratios.bareWithTimeouts)} of the bare driver's with the same time-outs`);
}

/** The median, and between what half of all are. */
function told(ratios: number[]): string {
  ratios.sort((a, b) => a - b);
  const at = (part: number): string => (ratios[Math.floor(ratios.length * part)] ?? Number.NaN).toFixed(2);
  return `${at(0.5)} (${at(0.25)}–${at(0.75)})`;
}

/** The writes of a bare driver: a copy of what the store made of one user, under the same indexes, as durable. */
async function bareCopy(database: Db, known: User): Promise<(bare: MongoClient) => Operation> {
  const users = database.collection<Bare>('users');
  const copy = database.collection<Bare>('bare');
  for (const { key, unique } of await users.indexes()) await copy.createIndex(key, unique ? { unique } : {});
  const sample = await users.findOne({ _id: known.id });
  const like = ({ id, userName }: User): Bare => ({
    ...sample,
    _id: id,
    userNameKey: userName,
    keys: sample?.keys?.map((key) => `${key}${userName}`) ?? [],
  });
  return (bare) => {
    const collection = bare.db(database.databaseName).collection<Bare>('bare');
    const durable = { writeConcern: { w: 'majority' as const, j: true } };
    return (user) => collection.insertOne(like(user), durable);
  };
}

async function main(uri: string): Promise<void> {
  const ours = { readConcernLevel: 'majority', maxPoolSize: 100 } as const;
  const client = await MongoClient.connect(uri, ours);
  const name = `users-bench-${randomUUID()}`;
  const url = new URL(uri);
  url.pathname = `/${name}`;
  const options = { uri: url.href, onProblem: console.error };
  const { wtimeoutMS: _, ...timeouts } = defaultsFor(options);
  const limited = await MongoClient.connect(uri, { ...timeouts, ...ours });
  const store = await openMongoStore(options);
  try {
    const known = someUsers(1000);
    await rate(known, (user) => store.insert(StoredUser.of(user)));
    const any = () => Array.from({ length: reads }, (_, at) => known[at % known.length] as User);
    const reading = (bare: MongoClient): Operation => {
      const users = bare.db(name).collection<Bare>('users');
      return (user) => users.findOne({ _id: user.id });
    };
    const find: Operation = (user) => store.find(user.id);
    await compare('read', { bare: reading(client), bareWithTimeouts: reading(limited), store: find }, any);
    const writing = await bareCopy(client.db(name), known[0] as User);
    const insert: Operation = (user) => store.insert(StoredUser.of(user));
    const writers = { bare: writing(client), bareWithTimeouts: writing(limited), store: insert };
    await compare('create', writers, () => someUsers(writes));
  } finally {
    await store.close();
    await client.db(name).dropDatabase();
    await Promise.all([client.close(), limited.close()]);
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
