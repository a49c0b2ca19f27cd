import { allSteps, needPrograms } from './first-requests.ts';

describe('The first requests, by curl and xmllint', () => {
  needPrograms();

  it('create, read, change and delete a user, in JSON and XML', () => allSteps({}));
});
