/**
 * `npm run bench -- mongodb [--quick]`: compares the store with two bare drivers that do the same on the same server, with 32
 * callers, in rounds with turns. One driver has its defaults, which wait forever; the other has the store's time-outs. The
 * server is the one at MONGODB_URI, or one that mongodb-memory-server starts.
 */

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Db, MongoClient } from 'mongodb';
import { clientDefaults } from '../src/adapters/stores/mongodb/connection/client.ts';
import type { User } from '../src/domain/kinds/user/user.ts';
import { Stored } from '../src/domain/resource/stored.ts';
import { aUser } from '../test/support/a-user.ts';
import { openMongoStore } from '../test/support/stores.ts';
import { withMongo } from './mongodb-server.ts';

const callers = 32;
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rounds = values.quick ? 15 : 75;
/** Of each contestant in a round. Few, so that other work of the machine affects all alike. */
const reads = 1_000;
const writes = 300;

/** The members of the bare drivers' documents that are indexed, so that writing costs as much as in the store. */
interface Bare {
  readonly _id: string;
  readonly name?: string;
  readonly keys?: readonly string[];
}

type Operation = (user: User) => Promise<unknown>;

/** Operations a second, with `callers` at a time. */
async function measureRate(users: readonly User[], operation: Operation): Promise<number> {
  const start = performance.now();
  let next = 0;
  const caller = async () => {
    for (let user = users[next++]; user !== undefined; user = users[next++]) await operation(user);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (users.length * 1000) / (performance.now() - start);
}

const makeUsers = (count: number): User[] =>
  Array.from({ length: count }, () =>
    aUser({ displayName: 'Ada Lovelace', roles: ['analyst', 'reader'], attributes: { costCenter: '42' } }),
  );

interface Contestants {
  readonly bare: Operation;
  readonly bareWithTimeouts: Operation;
  readonly store: Operation;
}

/** In each round all do the same number, in turns, and each goes first equally often. */
async function compare(name: string, contestants: Contestants, users: () => User[]): Promise<void> {
  const ratios = { bare: [] as number[], bareWithTimeouts: [] as number[] };
  const order = Object.entries(contestants);
  // Round 0 is the warm-up and isn't counted.
  for (let round = 0; round <= rounds; round += 1) {
    const rates: Record<string, number> = {};
    for (const [contestant, operation] of order) rates[contestant] = await measureRate(users(), operation);
    order.push(...order.splice(0, 1));
    if (round === 0) continue;
    const { bare = Number.NaN, bareWithTimeouts = Number.NaN, store = Number.NaN } = rates;
    ratios.bare.push(store / bare);
    ratios.bareWithTimeouts.push(store / bareWithTimeouts);
  }
  console.log(`${name}: ${formatRatios(ratios.bare)} of the bare driver's throughput`);
  console.log(
    `${name}: ${formatRatios(ratios.bareWithTimeouts)} of the bare driver's with the same time-outs`,
  );
}

/** The median and the quartiles. */
function formatRatios(ratios: number[]): string {
  ratios.sort((a, b) => a - b);
  const at = (part: number): string => (ratios[Math.floor(ratios.length * part)] ?? Number.NaN).toFixed(2);
  return `${at(0.5)} (${at(0.25)}–${at(0.75)})`;
}

/** For a bare driver: inserts copies of one stored user's document, with the same indexes and the same durability. */
async function prepareBareInsert(database: Db, known: User): Promise<(bare: MongoClient) => Operation> {
  const users = database.collection<Bare>('users');
  const copy = database.collection<Bare>('bare');
  for (const { key, unique } of await users.indexes()) await copy.createIndex(key, unique ? { unique } : {});
  const sample = await users.findOne({ _id: known.id });
  const like = ({ id, userName }: User): Bare => ({
    ...sample,
    _id: id,
    name: userName,
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
  const { wtimeoutMS: _, ...timeouts } = clientDefaults(options);
  const limited = await MongoClient.connect(uri, { ...timeouts, ...ours });
  const store = await openMongoStore(options);
  try {
    const known = makeUsers(1000);
    await measureRate(known, (user) => store.insert(Stored.of(user)));
    const any = () => Array.from({ length: reads }, (_, at) => known[at % known.length] as User);
    const readBare = (bare: MongoClient): Operation => {
      const users = bare.db(name).collection<Bare>('users');
      return (user) => users.findOne({ _id: user.id });
    };
    const find: Operation = (user) => store.find(user.id);
    await compare('read', { bare: readBare(client), bareWithTimeouts: readBare(limited), store: find }, any);
    const writing = await prepareBareInsert(client.db(name), known[0] as User);
    const insert: Operation = (user) => store.insert(Stored.of(user));
    const writers = { bare: writing(client), bareWithTimeouts: writing(limited), store: insert };
    await compare('create', writers, () => makeUsers(writes));
  } finally {
    await store.close();
    await client.db(name).dropDatabase();
    await Promise.all([client.close(), limited.close()]);
  }
}

await withMongo(main);
