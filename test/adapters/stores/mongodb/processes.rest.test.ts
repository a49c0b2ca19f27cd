import { expect } from 'chai';
import type { Caller, Clock, Ids } from '../../../../src/domain/ports.ts';
import { type Users, users } from '../../../../src/domain/use-cases/users.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';
import { portOf } from '../../../support/stores.ts';
import type { UserStore } from '../../../support/verbs.ts';

const clock: Clock = { now: () => new Date() };
const ids: Ids = { id: () => aUser().id, version: () => aUser().meta.version };
const anybody: Caller = {
  id: 'anybody',
  via: 'test',
  scopes: new Set(['users:read', 'users:write', 'users:delete'] as const),
};
const racers = 64;

describeMongo('Two directories on one MongoDB', () => {
  let database: TestDatabase;
  let stores: UserStore[];
  let directories: Users[];

  before(async () => {
    database = await aDatabase();
    stores = await Promise.all([database.open(), database.open()]);
    directories = stores.map((store) => users(portOf(store), clock, ids));
  });
  after(async () => {
    await Promise.all((stores ?? []).map((store) => store.close()));
    await database?.drop();
  });

  const raced = <T>(run: (directory: Users, racer: number) => Promise<T>) =>
    Promise.all(
      Array.from({ length: racers }, (_, racer) =>
        outcome(run(directories[racer % 2] ?? expect.fail('no directory'), racer)),
      ),
    );
  const count = (results: readonly unknown[], wanted: unknown): number =>
    results.filter((result) => result === wanted).length;

  it('create a userName once', async () => {
    const results = await raced((directory) => directory.create(anybody, { userName: 'Wanted' }));
    expect(count(results, 'user-name-taken')).to.equal(racers - 1);
  });
  it('replace a version once', async () => {
    const [one] = directories;
    const user = (await one?.create(anybody, { userName: 'contended' })) ?? expect.fail('no user');
    const results = await raced((directory, racer) =>
      directory.replace(
        anybody,
        user.id,
        { userName: 'contended', displayName: `racer ${racer}` },
        (current) => current?.meta.version === user.meta.version,
      ),
    );
    expect(count(results, 'precondition-failed')).to.equal(racers - 1);
    const winner = results.find((result) => typeof result !== 'string');
    for (const store of stores) expect((await store.find(user.id))?.text).to.equal(winner?.text ?? 'nobody');
  });
  it('apply every patch of one user when no patch names a version', async () => {
    const [one] = directories;
    const user = (await one?.create(anybody, { userName: 'patched' })) ?? expect.fail('no user');
    const names = Array.from({ length: racers }, (_, racer) => `racer${racer}`);
    await raced((directory, racer) =>
      directory.patch(anybody, user.id, { attributes: { [names[racer] ?? '']: 'was here' } }),
    );
    expect(Object.keys((await one?.read(anybody, user.id))?.value.attributes ?? {})).to.have.members(names);
  });
});
