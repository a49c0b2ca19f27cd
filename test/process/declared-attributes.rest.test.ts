import { expect } from 'chai';
import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { aDataFolder, run, startProcess } from '../support/process.ts';
import { create, declared, itKeepsThePromises } from './changed-declarations.ts';

describe('Declared attributes, whose file changes between two starts on SQLite,', () => {
  itKeepsThePromises(() => ({}));
});

describeMongo('Declared attributes, whose file changes between two starts on MongoDB,', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.drop());
  itKeepsThePromises(() => ({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: database.uri }));

  it('are remembered by a store that `copy` fills, which also takes values that break stricter rules', async () => {
    const folder = aDataFolder();
    const badge = { type: 'integer' } as const;
    const first = await startProcess({ folder, env: declared(folder, { badge }) });
    const id = await create(first, 'ada', { badge: 5 });
    await first.stop();
    const stricter = declared(folder, { badge: { ...badge, minimum: 100 } });
    await (await startProcess({ folder, env: stricter })).stop();

    const env = { ...stricter, USERS_MONGODB_URI: database.uri };
    const copied = await run(['copy', '--from', 'sqlite', '--to', 'mongodb'], folder, env);
    expect(copied.code, copied.told.join('\n')).to.equal(0);
    const inMongo = { ...env, USERS_STORE: 'mongodb' };
    await (await startProcess({ folder, env: inMongo })).stop();
    const without = await run([], folder, { ...inMongo, ...declared(folder, {}) });
    expect(without.told.join('\n')).to.include(`but 1 user has a value: ${id}`);
  });
});
