import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { MongoOptions } from '../../../src/adapters/mongodb/options.ts';
import { openMongoStore } from '../../../src/adapters/mongodb/store.ts';
import { mongoAddress } from '../../../src/adapters/mongodb/uri.ts';
import type { UserStore } from '../../../src/domain/ports.ts';
import type { User } from '../../../src/domain/user.ts';
import { outcome, refused } from '../../contract/refusals.ts';
import { aUser, changed } from '../../support/a-user.ts';
import {
  aDatabase,
  describeMongo,
  describeOwnMongo,
  directlyTo,
  openAt,
  startAlone,
  type TestDatabase,
} from '../../support/mongodb.ts';
import { plain } from '../../support/plain-store.ts';
import { type Fault, FaultyProxy } from './proxy.ts';

/** Short, so that what is silent is given up soon. */
const impatient: Partial<MongoOptions> = {
  serverSelectionTimeout: 500,
  connectTimeout: 300,
  socketTimeout: 300,
  waitQueueTimeout: 500,
  operationTimeout: 200,
  heartbeatFrequency: 500,
  maxPoolSize: 4,
};

/** Asks again until the store can serve. */
async function untilReady(store: UserStore): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await outcome(store.check())) !== 'unavailable') return;
    await pause(20);
  }
  expect.fail('the store did not become ready');
}

describeMongo('The MongoDB store, when the network fails,', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let direct: UserStore;
  let proxy: FaultyProxy;
  let uri: string;
  let opened: UserStore[];

  before(async () => {
    database = await aDatabase();
    direct = await database.open();
  });
  after(async () => {
    await direct?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    opened = [];
    proxy = new FaultyProxy(database.primary);
    await proxy.open();
    uri = directlyTo(`127.0.0.1:${proxy.port}`, database.uri);
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await proxy.shut();
  });

  const throughProxy = async (options: Partial<MongoOptions> = {}): Promise<UserStore> => {
    const store = await openAt(uri, { ...impatient, ...options });
    opened.push(store);
    return store;
  };
  /** Every request that speaks of this user. */
  const disturb = (user: User, fault: Fault, times = Number.POSITIVE_INFINITY): void => {
    let left = times;
    proxy.rule = (request) => {
      if (!request.includes(user.id) || left === 0) return undefined;
      left -= 1;
      return fault;
    };
  };

  it('starts though the server is away, says so once, and is ready when it comes', async () => {
    await proxy.shut();
    const problems: string[] = [];
    const store = await openMongoStore({ uri, ...impatient, onProblem: (line) => problems.push(line) });
    opened.push(store);
    for (const call of [store.find('x'), store.list({ filters: {}, limit: 1 }), store.insert(aUser())]) {
      await refused(call, 'unavailable');
    }
    await refused(store.check(), 'unavailable');
    await proxy.open();
    await untilReady(store);
    await store.insert(aUser());
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(
      /^MongoDB at 127\.0\.0\.1:\d+\/users-test-\S+ is not ready, trying on: .*ECONNREFUSED/,
    );
  });
  it('can be closed while it still looks for the server', async () => {
    await proxy.shut();
    const store = await openMongoStore({
      uri,
      ...impatient,
      serverSelectionTimeout: 50,
      onProblem: () => {},
    });
    await Promise.all([store.close(), store.close()]);
    await refused(store.check(), 'unavailable');
  });
  it('is unavailable while the server is gone, and serves again when it is back', async () => {
    const store = await throughProxy();
    const user = aUser();
    await store.insert(user);
    await proxy.shut();
    const next = changed(user);
    expect(
      await Promise.all([
        outcome(store.check()),
        outcome(store.find(user.id)),
        outcome(store.list({ filters: {}, limit: 1 })),
        outcome(store.insert(aUser())),
        outcome(store.replace(next, user.meta.version)),
        outcome(store.remove(user.id, user.meta.version)),
      ]),
    ).to.deep.equal(Array(6).fill('unavailable'));
    await proxy.open();
    await untilReady(store);
    expect((await store.find(user.id))?.user).to.deep.equal(user);
    expect(await store.replace(next, user.meta.version)).to.equal(true);
  });

  for (const fault of ['lost', 'cut', 'silent'] as const) {
    it(`does a write once that was ${fault} once`, async () => {
      const store = await throughProxy();
      const user = aUser();
      disturb(user, fault, 1);
      expect(await outcome(store.insert(user))).to.equal(undefined);
      const next = changed(user);
      disturb(user, fault, 1);
      expect(await outcome(store.replace(next, user.meta.version))).to.equal(true);
      expect(await direct.find(user.id)).to.deep.equal(next);
      disturb(user, fault, 1);
      expect(await outcome(store.remove(user.id, next.meta.version))).to.equal(true);
      expect(await direct.find(user.id)).to.equal(undefined);
    });
    it(`does not claim to know how a write ended that is ${fault} each time`, async () => {
      const store = await throughProxy();
      const user = aUser();
      disturb(user, fault);
      expect(await outcome(store.insert(user))).to.equal('outcome-unknown');
      const reached = fault !== 'lost';
      expect(await direct.find(user.id)).to.deep.equal(reached ? user : undefined);
      expect(await outcome(store.find(user.id))).to.equal('unavailable');
      proxy.rule = () => undefined;
      await untilReady(store);
      expect(await outcome(store.insert(user))).to.equal(reached ? 'id-taken' : undefined);
    });
  }
  it('does not claim to know of a write that was sent and finds no server for its repetition', async () => {
    const store = await throughProxy();
    const user = aUser();
    proxy.rule = (request) => {
      if (!request.includes(user.id)) return undefined;
      void proxy.shut();
      return 'silent';
    };
    expect(await outcome(store.insert(user))).to.equal('outcome-unknown');
    await proxy.open();
  });
  it('does everything when answers come slowly', async () => {
    const store = await throughProxy({ socketTimeout: 5000, operationTimeout: 5000 });
    proxy.rule = () => 'slow';
    const users = Array.from({ length: 8 }, () => aUser());
    await Promise.all(users.map((user) => store.insert(user)));
    expect(await Promise.all(users.map(({ id }) => plain(store).find(id)))).to.deep.equal(users);
  });
  it('gives up what waits for a connection when all are busy, before it is sent', async () => {
    const store = await throughProxy({ maxPoolSize: 1, waitQueueTimeout: 100, socketTimeout: 1000 });
    const [first, second] = [aUser(), aUser()];
    disturb(first, 'silent');
    const stuck = outcome(store.insert(first));
    expect(await outcome(store.insert(second))).to.equal('unavailable');
    expect(await stuck).to.equal('outcome-unknown');
    expect(await direct.find(second.id)).to.equal(undefined);
  });
  it('loses no answered write and answers nothing wrong while requests meet every fault', async () => {
    const store = await throughProxy();
    const faults: (Fault | undefined)[] = [
      'lost',
      undefined,
      'cut',
      undefined,
      'silent',
      undefined,
      undefined,
    ];
    let requests = 0;
    proxy.rule = (request) => {
      if (!request.includes('users-test') || !/insert|update/.test(request)) return undefined;
      requests += 1;
      return faults[requests % faults.length];
    };
    const answered: User[] = [];
    const seen = new Set<unknown>();
    const writer = async (): Promise<void> => {
      for (let round = 0; round < 12; round += 1) {
        const user = aUser();
        const inserted = await outcome(store.insert(user));
        seen.add(inserted);
        if (inserted !== undefined) continue;
        const next = changed(user);
        const replaced = await outcome(store.replace(next, user.meta.version));
        seen.add(replaced);
        if (replaced === true) answered.push(next);
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    expect([...seen]).to.have.members(
      ['outcome-unknown', 'unavailable', true, undefined].filter((end) => seen.has(end)),
    );
    expect(answered.length).to.be.greaterThan(0);
    for (const user of answered) expect(await direct.find(user.id)).to.deep.equal(user);
  });
});

describeMongo('The MongoDB store, when the server refuses,', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let store: UserStore;

  before(async () => {
    database = await aDatabase();
    store = await database.open();
  });
  after(async () => {
    await store?.close();
    await database?.drop();
  });

  it('says nothing of any user in what it throws', async () => {
    await store.insert(aUser({ userName: 'secret' }));
    const cause = await refused(store.insert(aUser({ userName: 'Secret' })), 'user-name-taken');
    expect(inspect(cause, { depth: null })).not.to.include('ecret');
  });
});

describeOwnMongo('A MongoDB server that belongs to no replica set', function () {
  this.timeout(60_000);

  it('is not used, because no majority can be asked for', async () => {
    const server = await startAlone();
    const problems: string[] = [];
    const store = await openMongoStore({ uri: server.getUri(), onProblem: (line) => problems.push(line) });
    expect(problems.join()).to.include('not a member of a replica set');
    await refused(store.insert(aUser()), 'unavailable');
    await store.close();
    await server.stop();
  });
});

describe('A MongoDB store whose server is away', () => {
  it('tells nobody the credentials', async () => {
    const nobody = new FaultyProxy('127.0.0.1:1');
    await nobody.open();
    await nobody.shut();
    const said: unknown[] = [];
    const store = await openMongoStore({
      uri: `mongodb://someone:hush%21@127.0.0.1:${nobody.port}/users`,
      ...impatient,
      serverSelectionTimeout: 50,
      onProblem: (line) => said.push(line),
    });
    said.push(await refused(store.find('x'), 'unavailable'), await refused(store.check(), 'unavailable'));
    await store.close();
    expect(inspect(said, { depth: null }))
      .to.match(/ECONNREFUSED/)
      .and.not.to.match(/hush|someone/);
  });
});

describe('A connection string of MongoDB', () => {
  const refusal = async (uri: string): Promise<string> => {
    const cause = await openAt(uri).catch((reason: unknown) => reason);
    return inspect(cause, { depth: null });
  };

  for (const [options, told] of [
    ['w=1', /w=1/],
    ['w=0', /w=0/],
    ['w=2&journal=false', /w=2 and journal=false/],
    ['journal=false', /journal=false/],
    ['nonsense=1', /nonsense/],
    ['maxPoolSize=many', /maxPoolSize/],
  ] as const) {
    it(`is refused with ${options}, and not quoted`, async () => {
      const said = await refusal(`mongodb://someone:hush%21@127.0.0.1:1/users?${options}`);
      expect(said).to.match(told);
      expect(said).not.to.match(/hush|someone/);
    });
  }
  for (const uri of [
    'mongodb//someone:hush@host/users',
    'http://someone:hush@host/users',
    'mongodb://someone:hu/sh@host/users',
    'mongodb://someone:hush@host:port/users',
    'mongodb://someone:hu%sh@host/users',
    'mongodb://someone:hush@/users',
  ]) {
    it(`is not quoted when it is malformed: ${uri.replace(/hu.?.?sh/, '…')}`, async () => {
      const said = await refusal(uri);
      expect(said).to.match(/^Error: The MongoDB connection string can't be used: /);
      expect(said).not.to.match(/hu.?.?sh|someone/);
    });
  }
  it('is shown as hosts and database', () => {
    expect(mongoAddress('mongodb://u:p@a:1,b:2/dir?w=majority&x=y')).to.equal('a:1,b:2/dir');
    expect(mongoAddress('mongodb+srv://u:p@cluster.example')).to.equal('cluster.example/users');
    expect(mongoAddress('mongodb://a/?replicaSet=rs')).to.equal('a/users');
    expect(mongoAddress('mongodb://u:p@p@a')).not.to.include('p@');
  });
});
