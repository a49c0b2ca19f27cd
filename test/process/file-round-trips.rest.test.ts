import { expect } from 'chai';
import { fileFormats } from '../../src/adapters/formats/file-formats.ts';
import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { insertAll, listAll, withoutVersions } from './directories.ts';
import { aDirectory, count, itGoesRound } from './round-trips.ts';

describe('A directory in a file of any format', () => {
  afterEach(discardProcesses);

  for (const { name, hasColumns } of fileFormats)
    for (const options of hasColumns ? [[], ['--spreadsheet']] : [[]]) itGoesRound(name, options);
});

describeMongo('A directory in MongoDB', () => {
  afterEach(discardProcesses);

  it('is the same after an export and an import, except for the versions', async () => {
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
