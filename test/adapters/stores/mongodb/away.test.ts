import { inspect } from 'node:util';
import { expect } from 'chai';
import type { Db } from 'mongodb';
import { assertReplicaSet } from '../../../../src/adapters/stores/mongodb/layout/layout.ts';
import { matchAll } from '../../../../src/domain/find/conditions.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { refused } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { describeMongo, describeOwnMongo, openAt, startAlone } from '../../../support/mongodb.ts';
import { behindAProxy, forAbsence, untilReady } from './behind-a-proxy.ts';
import { FaultyProxy } from './proxy.ts';

describeMongo('The MongoDB store, when the server is away at the start,', () => {
  const scene = behindAProxy();

  it('opens, reports the absence once, and becomes ready when the server arrives', async () => {
    await scene.proxy.shut();
    const problems: string[] = [];
    const store = await openAt(scene.uri, { ...forAbsence, onProblem: (line) => problems.push(line) });
    scene.opened(store);
    const calls = [
      store.find('x'),
      store.list({ where: matchAll, limit: 1 }),
      store.insert(Stored.of(aUser())),
    ];
    await Promise.all(calls.map((call) => refused(call, 'unavailable')));
    await refused(store.check(), 'unavailable');
    await scene.proxy.open();
    await untilReady(store);
    await store.insert(Stored.of(aUser()));
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(
      /^MongoDB at 127\.0\.0\.1:\d+\/users-test-\S+ is not ready, trying on: .*ECONNREFUSED/,
    );
  });
  it('can be closed while it is still looking for the server', async () => {
    await scene.proxy.shut();
    const store = await openAt(scene.uri, { ...forAbsence, onProblem: () => {} });
    await Promise.all([store.close(), store.close()]);
    await refused(store.check(), 'unavailable');
  });
});

describeOwnMongo('A MongoDB server that belongs to no replica set', () => {
  it('is refused, because no majority can confirm its writes', async () => {
    const server = await startAlone();
    const problems: string[] = [];
    const store = await openAt(server.getUri(), { onProblem: (line) => problems.push(line) });
    expect(problems.join()).to.include('not a member of a replica set');
    await refused(store.insert(Stored.of(aUser())), 'unavailable');
    await store.close();
    await server.stop();
  });
});

describe('A MongoDB server older than 5.0', () => {
  it('is not used', async () => {
    // None of these runs here: only what it says of itself.
    const command = async () => ({ setName: 'users', maxWireVersion: 9 });
    const db = { admin: () => ({ command }) } as unknown as Db;
    const error = await assertReplicaSet(db).catch((reason: unknown) => reason);
    expect(String(error)).to.include('older than MongoDB 5.0');
  });
});

describe('A MongoDB store whose server is away', () => {
  it('reveals no credentials', async () => {
    const nobody = new FaultyProxy('127.0.0.1:1');
    await nobody.open();
    await nobody.shut();
    const said: unknown[] = [];
    const store = await openAt(`mongodb://someone:hush%21@127.0.0.1:${nobody.port}/users`, {
      ...forAbsence,
      onProblem: (line) => said.push(line),
    });
    said.push(await refused(store.find('x'), 'unavailable'), await refused(store.check(), 'unavailable'));
    await store.close();
    expect(inspect(said, { depth: null }))
      .to.match(/ECONNREFUSED/)
      .and.not.to.match(/hush|someone/);
  });
});
