import { expect } from 'chai';
import { aUser } from '../../../support/a-user.ts';
import { findAttribute } from '../../../support/scim-users.ts';
import { idOf } from '../../../support/sortable-users.ts';
import { type Lists, onEachStore, startLists } from './lists.ts';

/** All of one length: sigma in each of its three forms, at the end of a word and elsewhere. */
const words = ['ΟΔΟΣ', 'οδος', 'οδοσ', 'ΣΑΣΣ', 'σασς', 'σασσ', 'σαςς', 'ςασσ'];
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';

const paths = [
  ...['userName', 'externalId', 'displayName', 'nickName', 'title', 'userType'],
  ...['name.familyName', 'name.formatted', 'emails.type', 'emails.display', 'phoneNumbers.value'],
  ...['ims.value', 'addresses.locality', 'roles.value', 'entitlements.value'],
  ...[`${enterprise}:department`, `${enterprise}:manager.displayName`, `${own}:attributes.value`],
];

/** Names of users must differ in more than case. */
const nameOf = (word: string, number: number): string =>
  word === word.toUpperCase() ? `οδο${number}` : word;

const userWith = (word: string, number: number) =>
  aUser({
    id: idOf(number),
    userName: nameOf(word, number),
    ...{ externalId: word, displayName: word, nickName: word, title: word, userType: word },
    name: { familyName: word, formatted: word },
    emails: [{ value: `${word}@example.org`, type: word, display: word }],
    phoneNumbers: [{ value: word }],
    ims: [{ value: word }],
    addresses: [{ locality: word }],
    roles: [word],
    entitlements: [{ value: word }],
    enterprise: { department: word, manager: { value: 'x', displayName: word } },
    attributes: { a: word },
  });

onEachStore('Operators on texts', (open) => {
  let lists: Lists;
  before(async () => {
    lists = await startLists(await open(), words.map(userWith));
  });
  after(() => lists.discard());

  const find = async (path: string, operator: string, value: string): Promise<string[]> => {
    const { Resources } = await lists.list({ filter: `${path} ${operator} "${value}"`, count: 100 });
    return Resources.map(({ id }) => id).sort();
  };

  for (const path of paths)
    it(`agree on whether ${path} is a text: eq, sw, co and ew`, async () => {
      for (const word of words) {
        const equal = await find(path, 'eq', word);
        if (path !== 'userName') expect(equal, word).to.include(idOf(words.indexOf(word)));
        for (const operator of ['sw', 'co', 'ew'])
          expect(await find(path, operator, word), `${operator} ${word}`).to.deep.equal(equal);
      }
    });

  it('agree on whether an address is a text', async () => {
    for (const word of words) {
      const equal = await find('emails', 'eq', `${word}@example.org`);
      for (const operator of ['sw', 'co', 'ew'])
        expect(await find('emails', operator, `${word}@example.org`), word).to.deep.equal(equal);
    }
  });

  it('distinguish the forms of sigma only within a text, and only if case matters', async () => {
    for (const path of paths.filter((one) => one !== 'userName')) {
      const { attribute, sub } = findAttribute(path) ?? {};
      const isExact = (sub ?? attribute)?.caseExact;
      const found = async (operator: string, value: string) =>
        (await find(path, operator, value)).map((id) => words[Number(id.slice(-2))] ?? id).sort();
      const sas = ['ΣΑΣΣ', 'σασς', 'σασσ', 'σαςς', 'ςασσ'];
      expect(await found('sw', 'σας'), path).to.deep.equal(isExact ? ['σαςς'] : sas.sort());
      expect(await found('co', 'ασσ'), path).to.deep.equal(isExact ? ['σασσ', 'ςασσ'].sort() : sas.sort());
      expect(await found('ew', 'ος'), path).to.deep.equal(
        isExact ? ['οδος'] : ['ΟΔΟΣ', 'οδος', 'οδοσ'].sort(),
      );
    }
  });
});
