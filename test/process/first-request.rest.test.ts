import { expect } from 'chai';
import { aDatabase, describeMongo } from '../support/mongodb.ts';
import { startProcess } from '../support/process.ts';
import { allSteps, bash, needPrograms } from './first-requests.ts';

describe('The first requests, by curl and xmllint', () => {
  needPrograms();

  describeMongo('on MongoDB', () => {
    it('have the same results', async () => {
      const database = await aDatabase();
      await allSteps({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: database.uri });
      await database.drop();
    });
  });

  it('stop at the first unexpected response', async () => {
    const service = await startProcess();
    const { code, out } = await bash(service.url, await service.token(['users:read']));
    expect(code).to.equal(1);
    expect(out).to.contain('403 instead of 201');
  });
});
