import { expect } from 'chai';
import { aUser } from '../../../support/a-user.ts';
import { idOf } from '../../../support/sortable-users.ts';
import { idsOf, inMemory, type Lists, onEachStore, startLists } from './lists.ts';
import { found, meanings, someone } from './people.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';

const odd = [
  aUser({
    id: idOf(1),
    userName: 'ada+lovelace@example.org',
    displayName: 'Ada "Countess" Lovelace',
    externalId: 'a+b c&d=e%20f',
  }),
  aUser({
    id: idOf(2),
    userName: 'zoë',
    displayName: 'back\\slash',
    enterprise: { department: 'R&D', manager: { value: 'x#1' } },
  }),
  aUser({
    id: idOf(3),
    userName: 'bob',
    displayName: 'a/b?c#d',
    attributes: { costCenter: '100 %', shift: "o'clock" },
  }),
  aUser({
    id: idOf(4),
    userName: 'eve',
    displayName: '漢字 \u{1F600}',
    emails: [{ value: 'Eve@Example.org', type: 'other' }],
    validUntil: '2100-01-01T00:00:00.000Z',
  }),
];

/** Queries as they stand in the address, and the numbers of those whom they find. */
const addresses: Readonly<Record<string, readonly number[]>> = {
  'filter=userName%20eq%20%22ada%2Blovelace%40example.org%22': [1],
  'filter=userName+eq+%22ada%2Blovelace@example.org%22': [1],
  'filter=userName+eq+"ada%2Blovelace@example.org"': [1],
  // A plus sign beside others is a space or a plus.
  'filter=userName+eq+"ada+lovelace@example.org"': [1],
  'filter=validUntil+eq+"2100-01-01T01:00:00+01:00"': [4],
  'filter=validUntil%20eq%20"2100-01-01T01:00:00+01:00"': [4],
  'filter=validUntil+gt+"2100-01-01T01:00:00+02:00"+and+userName+eq+"eve"': [4],
  'filter=userName+eq+%22ZO%C3%8B%22': [2],
  'filter=userName+eq+%22zoe%CC%88%22': [2],
  'filter=userName+eq+%22zo\\u00eb%22': [2],
  'filter=displayName+eq+%22ada+\\%22countess\\%22+lovelace%22': [1],
  'filter=displayName%20co%20%22%5C%22%22': [1],
  'filter=displayName+eq+%22back%5C%5Cslash%22': [2],
  'filter=displayName+eq+%22a\\/b?c%23d%22': [3],
  'filter=displayName+eq+%22a/b?c%23d%22': [3],
  'filter=displayName+sw+%22%E6%BC%A2%22': [4],
  'filter=displayName+ew+%22\\ud83d\\ude00%22': [4],
  'filter=externalId+eq+%22a%2Bb%20c%26d%3De%2520f%22': [1],
  [`filter=${core}:userName+eq+%22bob%22`]: [3],
  [`filter=${encodeURIComponent(`${core.toUpperCase()}:USERNAME EQ "BOB"`)}`]: [3],
  [`filter=${encodeURIComponent(`${enterprise}:department eq "r&d"`)}`]: [2],
  [`filter=${encodeURIComponent(`${enterprise}:manager.value eq "x#1"`)}`]: [2],
  [`filter=${encodeURIComponent(`${own}:attributes[name eq "costCenter" and value eq "100 %"]`)}`]: [3],
  [`filter=${encodeURIComponent(`${own}:attributes.value eq "o'clock"`)}`]: [3],
  'filter=emails[type+eq+%22other%22+and+value+co+%22@EXAMPLE%22]': [4],
  'filter=emails%5Btype+eq+%22other%22%5D.value+eq+%22eve@example.org%22': [4],
  'filter=(userName+eq+%22bob%22)or(userName+eq+%22eve%22)': [3, 4],
  'filter=%0AuserName%09eq%0D%0A%22bob%22%20': [3],
  'Filter=userName+eq+%22bob%22': [3],
};

/** What is refused, and the column and words that it is told. */
const refusals: Readonly<Record<string, readonly [column: number, detail: RegExp]>> = {
  '': [1, /an attribute is expected/],
  ' ': [2, /an attribute is expected/],
  userName: [9, /pr is expected/],
  'userName eq': [12, /a value is expected/],
  'userName eq bob': [13, /a text in quotes is expected/],
  'userName eq "bob': [13, /this text has no end/],
  'userName eq "bob\\"': [13, /this text has no end/],
  "userName eq 'bob'": [13, /unexpected character; texts need double quotes/],
  'userName eq "a" userName eq "b"': [17, /and, or, or the end is expected/],
  'userName eq "a" and': [20, /an attribute is expected/],
  'userName is "bob"': [10, /eq, ne, co, sw, ew, gt, ge, lt, le or pr is expected/],
  'shoeSize eq "42"': [1, /there is no attribute "/],
  'name.shoeSize eq "42"': [1, /there is no attribute "/],
  'userName eq "a" or shoeSize pr': [20, /there is no attribute "/],
  'emails[shoeSize eq "42"]': [8, /there is no attribute "/],
  'password eq "x"': [1, /there is no attribute "/],
  'groups.value pr': [14, /groups can be compared only by value, with eq/],
  '__proto__ pr': [1, /there is no attribute "/],
  'constructor.name eq "x"': [1, /there is no attribute "/],
  'urn:example:User:userName eq "x"': [1, /there is no attribute "/],
  'active gt true': [8, /compared by eq, ne and pr only/],
  'active eq "maybe"': [11, /true or false is expected/],
  'meta.created gt "yesterday"': [17, /a date with a time is expected/],
  'name eq "Ada"': [6, /one of its sub-attributes has to be named/],
  'userName[a eq "b"]': [9, /only a list of complex values/],
  '(userName eq "a"': [17, /and, or, or a closing bracket is expected/],
  'userName eq "a")': [16, /and, or, or the end is expected/],
  'not userName eq "a"': [5, /behind not a bracket is expected/],
  'userName eq "\u0000"': [13, /control character/],
  'userName eq "\\ud800"': [13, /half of a surrogate pair/],
  'userName eq "\\x"': [13, /an escape that JSON does not know/],
  'userName\u00a0eq "x"': [9, /./],
};

describe('A filter in a URL', () => {
  let lists: Lists;
  before(async () => {
    lists = await startLists(await inMemory(), odd);
  });
  after(() => lists.discard());

  for (const [query, numbers] of Object.entries(addresses)) {
    it(`finds ${numbers.length === 0 ? 'no user' : numbers} by ${query}`, async () => {
      const list = await lists.list(query);
      expect(idsOf(list)).to.deep.equal(numbers.map(idOf));
      expect(list.totalResults).to.equal(numbers.length);
    });
  }

  for (const [filter, [column, detail]] of Object.entries(refusals)) {
    it(`is refused with its position: ${JSON.stringify(filter)}`, async () => {
      const fault = await lists.refuse({ filter });
      expect(fault.scimType).to.equal('invalidFilter');
      expect(fault.detail)
        .to.match(detail)
        .and.match(new RegExp(`^filter: At character ${column}: `));
    });
  }
});

onEachStore('The question whether a user exists', (open) => {
  let lists: Lists;
  const people = someone(40);
  before(async () => {
    lists = await startLists(await open(), people);
  });
  after(() => lists.discard());

  it('is answered with 200 and an empty list for an unknown user, as identity providers require', async () => {
    for (const filter of [
      'userName eq "nobody@example.org"',
      'externalId eq "nobody"',
      'emails[type eq "work"].value eq "nobody@example.org"',
      'id eq "nobody"',
      'id eq "00000000-0000-7000-8000-ffffffffffff"',
      'active eq true and userName eq "nobody"',
      'title eq "nobody"',
      'userName eq ""',
    ])
      for (const more of [{}, { startIndex: 1, count: 100 }, { count: 0 }, { sortBy: 'userName' }]) {
        const { schemas: _schemas, ...list } = await lists.list({ filter, ...more });
        expect(list, filter).to.deep.equal({
          totalResults: 0,
          startIndex: 1,
          itemsPerPage: 0,
          Resources: [],
        });
      }
  });

  it('is answered with exactly this user', async () => {
    for (const { id, userName, externalId, emails = [] } of people.slice(7, 9))
      for (const filter of [
        `userName eq "${userName.toUpperCase()}"`,
        `externalId eq "${externalId}"`,
        `emails[type eq "work"].value eq "${emails[0]?.value}"`,
        `id eq "${id}"`,
        `active pr and id eq "${id}"`,
      ]) {
        const list = await lists.list({ filter, startIndex: 1, count: 100 });
        expect([list.totalResults, idsOf(list)], filter).to.deep.equal([1, [id]]);
      }
  });

  it('finds users with each kind of filter, inactive users included', async () => {
    for (const filter of Object.keys(meanings).filter(Boolean))
      expect(idsOf(await lists.list({ filter })), filter).to.deep.equal(found(people, filter));
  });
});
