import { inspect } from 'node:util';
import { expect } from 'chai';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { describeMongo } from '../../../support/mongodb.ts';
import { plain } from '../../../support/plain-store.ts';
import type { WriteOutcome } from '../../../support/verbs.ts';
import { behindAProxy, forAbsence, untilReady } from './behind-a-proxy.ts';

const codesOf = (outcomes: readonly WriteOutcome[]): string[] =>
  outcomes.map((one) => (one instanceof DomainError ? one.code : one));

const newUsers = (): User[] => Array.from({ length: 20 }, () => aUser());
const asNew = (users: readonly User[]) => users.map((user) => ({ user }));

describeMongo('A batch of the MongoDB store, when the network fails,', () => {
  const scene = behindAProxy();

  for (const fault of ['lost', 'cut', 'silent'] as const) {
    it(`is done once when it was ${fault} once`, async () => {
      const store = plain(await scene.open());
      const users = newUsers();
      const [first = aUser()] = users;
      scene.disturb(first, fault, 1);
      expect(codesOf(await store.writeAll(asNew(users)))).to.deep.equal(users.map(() => 'done'));
      const nexts = users.map((user) => changed(user));
      scene.disturb(first, fault, 1);
      const outcomes = await store.writeAll(
        nexts.map((user, at) => ({ user, version: users[at]?.meta.version })),
      );
      expect(codesOf(outcomes)).to.deep.equal(users.map(() => 'done'));
      expect([...(await scene.direct.findAll(users.map(({ id }) => id))).values()]).to.have.deep.members(
        nexts,
      );
    });
    it(`is done once when its commit was ${fault} once`, async () => {
      const store = plain(await scene.open());
      const users = newUsers();
      scene.disturbCommits(fault, 1);
      expect(codesOf(await store.writeAll(asNew(users)))).to.deep.equal(users.map(() => 'done'));
      expect((await scene.direct.findAll(users.map(({ id }) => id))).size).to.equal(20);
    });
    it(`is not done when every attempt is ${fault}`, async () => {
      const store = await scene.open();
      const users = newUsers();
      scene.disturb(users[0] ?? aUser(), fault);
      expect(codesOf(await plain(store).writeAll(asNew(users)))).to.deep.equal(
        users.map(() => 'unavailable'),
      );
      expect((await scene.direct.findAll(users.map(({ id }) => id))).size).to.equal(0);
    });
    it(`is outcome-unknown when every attempt to commit is ${fault}`, async () => {
      const store = await scene.open();
      const users = newUsers();
      scene.disturbCommits(fault);
      expect(codesOf(await plain(store).writeAll(asNew(users)))).to.deep.equal(
        users.map(() => 'outcome-unknown'),
      );
      const reached = fault !== 'lost';
      expect((await scene.direct.findAll(users.map(({ id }) => id))).size).to.equal(reached ? 20 : 0);
      // As from another process: it ends the transaction that is left.
      expect(codesOf(await scene.direct.writeAll(asNew(users)))).to.deep.equal(
        users.map(() => (reached ? 'id-taken' : 'done')),
      );
    });
  }

  it('is unavailable while the server is gone, with an error that names no user', async () => {
    const store = await scene.open(forAbsence);
    await scene.proxy.shut();
    // Whoever comes first may still write to a connection that has just broken.
    expect(await outcome(store.check())).to.equal('unavailable');
    const user = aUser({ userName: 'secret' });
    const outcomes = await plain(store).writeAll([{ user }, { user, version: 'any' }]);
    expect(codesOf(outcomes)).to.deep.equal(['unavailable', 'unavailable']);
    expect(inspect(outcomes, { depth: null })).not.to.include('secret');
    expect(await outcome(store.findAll([user.id]))).to.equal('unavailable');
    expect(await outcome(store.findAllBy('userName', ['secret'], 1))).to.equal('unavailable');
    await scene.proxy.open();
    await untilReady(store);
    expect(codesOf(await plain(store).writeAll([{ user }]))).to.deep.equal(['done']);
    const [conflict] = await plain(store).writeAll([{ user: aUser({ userName: 'SECRET' }) }]);
    expect(inspect(conflict, { depth: null })).not.to.match(/secret/i);
  });
});
