import { expect } from 'chai';
import { makeListCursor } from '../../../../src/adapters/apis/resources/cursor.ts';
import { cursorScope } from '../../../../src/adapters/apis/resources/list-query.ts';
import { aUser } from '../../../support/a-user.ts';
import { clientNames, clients } from '../../../support/clients.ts';
import { sortNames, userDefinition } from '../../../support/kinds.ts';
import { type Directory, startDirectory, storeOf } from './a-directory.ts';

const scope = cursorScope(userDefinition.kind, { filters: {}, search: undefined, sort: {} });
const idAt = (at: number): string => `00000000-0000-7000-8000-00000000000${at}`;
const cursor = makeListCursor({ id: idAt(1) }, scope);
const end = makeListCursor('end', scope);
const someText = 'x'.repeat(129);

/** What is told of it. */
const wrong: Readonly<Record<string, RegExp>> = {
  'search=': /^search must have a letter or a digit/,
  'search=+%09': /^search must have a letter or a digit/,
  [`search=${someText}`]: /^search must have at most 128 characters/,
  'search=a+b+c+d+e+f+g+h+i': /^search must have at most 8 words/,
  'search=...': /^search must have a letter or a digit in each word/,
  'search=a+%22': /^search must have a letter or a digit in each word/,
  'search=a%00': /^search has a character that no user can have/,
  'search=a%1Fb': /^search has a character that no user can have/,
  'search=a&search=b': /^search occurs more than once/,
  'sort=': /^sort must be one of id, userName/,
  'sort=email': new RegExp(`^sort must be one of id, ${sortNames.join(', ')}, with - in front`),
  'sort=--created': /^sort must be one of/,
  'sort=%2Bcreated': /^sort must be one of/,
  'sort=Created': /^sort must be one of/,
  'sort=id&sort=id': /^sort occurs more than once/,
  'total=yes': /^total must be true; leave it out/,
  'total=false': /^total must be true; leave it out/,
  'total=': /^total must be true; leave it out/,
  'total=true&total=true': /^total occurs more than once/,
  [`after=${cursor}`]: /^after goes with limit/,
  [`before=${cursor}`]: /^before goes with limit/,
  [`limit=1&after=${cursor}&before=${cursor}`]: /^before does not go with after/,
  'limit=1&before=': /^before is not a cursor of this list/,
  'limit=1&before=AAAA': /^before is not a cursor of this list/,
  [`limit=1&after=${end}`]: /^after is not a cursor of this list/,
  [`limit=1&after=${cursor}=`]: /^after is not a cursor of this list/,
  [`limit=1&role=r&before=${cursor}`]: /^before is not a cursor of this list/,
  [`limit=1&search=a&before=${cursor}`]: /^before is not a cursor of this list/,
  [`limit=1&sort=-id&after=${cursor}`]: /^after is not a cursor of this list/,
  [`limit=1&sort=created&after=${cursor}`]: /^after is not a cursor of this list/,
  [`limit=1&sort=created&before=${end}`]: /^before is not a cursor of this list/,
  'page=1':
    /^"page" is not a parameter of this request\. The parameters are .*search, sort, limit, after, before, total/,
  'page=1&Limit=1&sort=id&size=5&page=2':
    /^"page" is not a parameter of this request\. "Limit" is not a parameter of this request \(perhaps limit\)\. "size" is not a parameter of this request\. The parameters are /,
  'departement=x': /^"departement" is not a parameter of this request \(perhaps department\)\./,
  'role=a&role=b': /^role occurs more than once; only role\.in takes several values/,
  'role.not=a&role.not=b': /^role\.not occurs more than once; only role\.in takes several values/,
  'role.exists=true&role.exists=true': /^role\.exists occurs more than once/,
  [Array(101).fill('role.in=a').join('&')]: /^role\.in occurs more than 100 times/,
  'role.exists=yes': /^role\.exists must be true or false/,
  'role.exists=': /^role\.exists must be true or false/,
  'active.in=true&active.in=yes': /^active\.in must be true or false/,
  'email.not=ada@example.org+x': /^email\.not must have no spaces; encode a \+ as %2B/,
  'role.in=a&role.in=': /^role\.in has a value that no user can have/,
  'role.not=a%00': /^role\.not has a value that no user can have/,
  'group.in=engineering': /^group\.in must be a group's id: GET \/groups/,
  'role.like=a': /^"role\.like" is not a parameter of this request/,
  'role.in.in=a': /^"role\.in\.in" is not a parameter of this request \(perhaps role\.in\)/,
  'group=engineering': /^group must be a group's id: GET \/groups\?displayName=… has it/,
};

/** By their places in the directory. */
const right: Readonly<Record<string, readonly number[]>> = {
  '': [0, 1, 2, 3],
  'search=LOVE': [1, 2],
  'search=zoe': [2],
  'search=love+zo%C3%8B': [2],
  'search=o%27b': [3],
  'search=bri': [3],
  'search=0301234': [1],
  'search=%2B31301': [1],
  'search=nobody': [],
  'search=love&active=true': [1],
  'role.in=a&role.in=b': [0, 1],
  'role.in=b': [1],
  'role=a&role.in=b': [1],
  'role.in=b&role.in=none&role.not=a': [],
  'role.in=a&role.not=b&active.in=true&active.in=false': [0],
  'role.not=b': [0, 2, 3],
  'role.not=b&role.exists=true': [0],
  'role.exists=false': [2, 3],
  'role.exists=false&search=love&total=true': [2],
  'email.exists=true': [2],
  'active.not=true': [2],
  'department.in=R%26D': [3],
  'department.not=r%26d&sort=-id&limit=2': [2, 1],
  'userName.exists=true': [0, 1, 2, 3],
  'userName.exists=false': [],
  'sort=id': [0, 1, 2, 3],
  'sort=-id': [3, 2, 1, 0],
  'sort=displayName': [1, 3, 2, 0],
  'sort=-displayName': [2, 3, 1, 0],
  'sort=-displayName&search=love&limit=1': [2],
  'search=love&total=true': [1, 2],
  [`limit=1&before=${end}`]: [3],
  [`limit=2&before=${cursor}`]: [0],
  [`limit=1&after=${cursor}&sort=id`]: [2],
};

const people = [
  aUser({ id: idAt(0), userName: 'nameless', roles: ['a'] }),
  aUser({
    id: idAt(1),
    displayName: 'ada Lovelace',
    roles: ['a', 'b'],
    phoneNumbers: [{ value: '+31 (30) 123-4567' }, { value: '0301234' }],
  }),
  aUser({ id: idAt(2), displayName: 'Zoë Loveless', active: false, emails: [{ value: 'zoe@example.org' }] }),
  aUser({ id: idAt(3), displayName: "Conan O'Brien", enterprise: { department: 'R&D' } }),
];

for (const name of clientNames) {
  const { read, problemType, member } = clients[name];
  const format = name.toLowerCase();

  describe(`A parameter of the list, for a client that uses ${name},`, () => {
    let directory: Directory;
    before(async () => {
      directory = await startDirectory();
      directory.use(await storeOf(people));
    });
    after(() => directory.service.close());

    for (const [query, detail] of Object.entries(wrong))
      it(`is refused by its name: ${query.slice(0, 60)}`, async () => {
        const answer = await directory.service.send(`/users?${query}`, { headers: read });
        expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([400, problemType]);
        expect(member(answer.text, 'type')).to.equal('/problems/invalid-parameter');
        expect(member(answer.text, 'detail')).to.match(detail);
        expect(answer.text).not.to.include(someText);
      });

    for (const [query, places] of Object.entries(right))
      it(`takes effect: ${query}`, async () => {
        const { ids } = await directory.page(query, format);
        expect(ids).to.deep.equal(places.map(idAt));
      });
  });
}
