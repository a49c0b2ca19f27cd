import { expect } from 'chai';
import { inMemory, type Lists, startLists } from './lists.ts';
import { someone } from './people.ts';

/** What each is told; the pattern is of the detail. */
const refusals: Readonly<Record<string, readonly [scimType: string, detail: RegExp]>> = {
  'count=ten': ['invalidCount', /^count must be a whole number/],
  'count=': ['invalidCount', /^count must be a whole number/],
  'count=1.5': ['invalidCount', /^count must be a whole number/],
  'count=1e2': ['invalidCount', /^count must be a whole number/],
  'count=99999999999999999999': ['invalidCount', /^count must be a whole number/],
  'count=1&count=1': ['invalidValue', /^count occurs more than once/],
  'count=1&COUNT=2': ['invalidValue', /^count occurs more than once/],
  'startIndex=first': ['invalidValue', /^startIndex must be a whole number/],
  'startIndex=0x10': ['invalidValue', /^startIndex must be a whole number/],
  'startIndex=99999999999999999999': ['invalidValue', /^startIndex must be a whole number/],
  'startIndex=1&cursor=': ['invalidCursor', /^cursor does not go with startIndex/],
  'sortBy=nickName': ['invalidValue', /^sortBy must be one of id, userName, name\.familyName/],
  'sortBy=emails.value': ['invalidValue', /^sortBy must be one of/],
  'sortBy=shoeSize': ['invalidValue', /^sortBy must be one of/],
  'sortBy=__proto__': ['invalidValue', /^sortBy must be one of/],
  'sortBy=': ['invalidValue', /^sortBy must be one of/],
  'sortBy=userName&sortOrder=down': ['invalidValue', /^sortOrder must be ascending or descending/],
  'filter=%ff': ['invalidValue', /percent-encoding that is not UTF-8/],
};

describe('A SCIM list', () => {
  let lists: Lists;
  before(async () => {
    lists = await startLists(await inMemory(), someone(3));
  });
  after(() => lists.discard());

  for (const [query, [scimType, detail]] of Object.entries(refusals)) {
    it(`is refused for ${query}`, async () => {
      const fault = await lists.refuse(query);
      expect(fault.scimType).to.equal(scimType);
      expect(fault.detail).to.match(detail);
    });
  }

  it('is returned despite unknown parameters', async () => {
    for (const query of ['page=2', 'members=x&__proto__=y&constructor=z', 'limit=1&after=x'])
      expect((await lists.list(query)).itemsPerPage, query).to.equal(3);
  });
});
