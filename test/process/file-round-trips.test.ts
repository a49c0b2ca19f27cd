import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import type { User } from '../../src/domain/user/user.ts';
import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { anyUser } from '../support/users.ts';
import { fill, insertAll, listAll, usersIn, withoutVersions } from './directories.ts';

/** Few enough for a table, which has a column for each name of an attribute. */
const count = 80;

/** Users of any kind who can be in one directory: no two have one userName. */
const aDirectory = (): User[] =>
  fc.sample(anyUser(), count).map((user, at) => ({ ...user, userName: `${user.userName}-${at}` }));

describe('A directory in a file', function () {
  this.timeout(60_000);
  afterEach(discardProcesses);

  for (const { name, hasColumns } of fileFormats)
    for (const options of hasColumns ? [[], ['--spreadsheet']] : [[]])
      it(`of ${[name, ...options].join(' ')} is the same directory once it is imported into an empty one, but for the versions`, async () => {
        const [from, to] = [aDataFolder(), aDataFolder()];
        const users = aDirectory();
        await fill(from, users);
        const file = join(from, `users.${name}`);
        expect((await run(['export', file, ...options], from)).code).to.equal(0);
        const { code, log, told } = await run(['import', file, '--keep-meta', ...options], to);
        expect([code, log[0], told.slice(1)]).to.deep.equal([
          0,
          `${count} created, 0 changed, 0 unchanged, 0 refused`,
          [],
        ]);
        const there = withoutVersions(await usersIn(to));
        expect(there).to.deep.equal(withoutVersions(users));
        // Into its own directory: everybody is there.
        const again = await run(['import', file, ...options], from);
        expect(again.log[0]).to.equal(`0 created, 0 changed, ${count} unchanged, 0 refused`);
      });
});

describeMongo('A directory in MongoDB', function () {
  this.timeout(60_000);
  afterEach(discardProcesses);

  it('goes into a file and comes out of it the same, but for the versions', async () => {
    await inADatabase((one) =>
      inADatabase(async (other) => {
        const folder = aDataFolder();
        const users = aDirectory();
        await insertAll(await one.open(), users);
        const at = (uri: string) => ({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri });
        expect((await run(['export', 'users.jsonl.gz'], folder, at(one.uri))).code).to.equal(0);
        const wanted = ['import', 'users.jsonl.gz', '--keep-meta'];
        const created = await run(wanted, folder, at(other.uri));
        expect(created.log).to.deep.equal([`${count} created, 0 changed, 0 unchanged, 0 refused`]);
        const there = withoutVersions(await listAll(await other.open()));
        expect(there).to.deep.equal(withoutVersions(users));
        const again = await run(wanted, folder, at(other.uri));
        expect(again.log).to.deep.equal([`0 created, 0 changed, ${count} unchanged, 0 refused`]);
      }),
    );
  });
});
