import { expect } from 'chai';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { aDatabase, describeMongo } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { portOf } from '../support/stores.ts';
import { insertAll } from './directories.ts';
import { contentsOf, fillDirectory } from './moved-directories.ts';
import { historiesOf, openFile } from './moving.ts';

describeMongo('Copying a directory from one store to another', () => {
  afterEach(discardProcesses);

  it('copies users, groups, memberships and changes to an empty store', async () => {
    const folder = aDataFolder();
    const source = await openFile(folder, 'source.db');
    await fillDirectory(portOf(source), 20, 3);
    const elsewhere = await aDatabase();
    const env = { USERS_SQLITE_FILE: 'source.db', USERS_MONGODB_URI: elsewhere.uri };
    const { code, log, told } = await run(['copy', '--from', 'sqlite', '--to', 'mongodb'], folder, env);
    expect([code, log.length, told]).to.deep.equal([0, 4, []]);
    expect(log[0]).to.equal('20 users are in mongodb as in sqlite');
    const target = await elsewhere.open();
    expect(await contentsOf(portOf(target))).to.deep.equal(await contentsOf(portOf(source)));
    expect(await historiesOf(portOf(target))).to.deep.equal(await historiesOf(portOf(source)));
    await source.close();
    await elsewhere.drop();
  });

  it('adds members that the target lacks, keeps members that only the target has, and names members that it could not copy', async () => {
    const folder = aDataFolder();
    const source = await openFile(folder, 'source.db');
    const elsewhere = await aDatabase();
    const target = await elsewhere.open();
    const group = aGroup();
    const [both, added, kept] = [aUser(), aUser(), aUser()];
    const [left, holder] = [aUser({ userName: 'one' }), aUser({ userName: 'ONE' })];
    await insertAll(source, [both, added, kept, left]);
    await insertAll(target, [both, added, kept, holder]);
    const ids = (...users: readonly User[]) => users.map(({ id }) => id);
    await source.groups.insert(group, ids(both, added, left));
    await target.groups.insert(group, ids(both, kept));
    const env = { USERS_SQLITE_FILE: 'source.db', USERS_MONGODB_URI: elsewhere.uri };
    const wanted = ['copy', '--from', 'sqlite', '--to', 'mongodb', '--again'];
    const { code, log, told } = await run(wanted, folder, env);
    expect([code, log.at(-1)]).to.deep.equal([2, '2 memberships are in mongodb as in sqlite']);
    expect(told).to.include.members([
      `Left as it was: membership ${group.id}/${left.id}: no user has this id`,
      '1 membership is in mongodb only, and stays',
    ]);
    const members = await target.list({ where: { filter: 'group', key: group.id }, limit: 9 });
    expect(members.map(({ id }) => id).sort()).to.deep.equal(ids(both, added, kept).sort());
    await source.close();
    await elsewhere.drop();
  });
});
