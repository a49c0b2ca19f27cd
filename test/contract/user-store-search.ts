import { expect } from 'chai';
import fc from 'fast-check';
import { matching } from '../../src/domain/find/conditions.ts';
import type { Filters } from '../../src/domain/find/filters.ts';
import { matchesTerms, maxSearchLength, supersetTerms } from '../../src/domain/find/search.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser, changed } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import { searchText } from '../support/kinds.ts';
import { anyBeginning, anyOverflowing, beginningOf, cutOffUser } from '../support/overflowing-users.ts';
import { runs } from '../support/runs.ts';
import { typedNames } from '../support/typed-names.ts';
import type { Bench } from './user-store.ts';

/** A value for each searched member, and terms that find users with the value, as queries.md says. */
const searched: readonly [user: Partial<User>, terms: readonly string[]][] = [
  [{ userName: 'u.login7' }, ['u.log', 'LOGIN7']],
  [{ displayName: "Mary O'Brien" }, ["o'b", 'o', 'bri', 'mary', "brien o'brien"]],
  [{ nickName: 'Zoë' }, ['zoe', 'ZOË', 'zo']],
  [{ name: { formatted: 'Dr. Formatted' } }, ['dr.', 'formatted']],
  [{ name: { familyName: 'Händel' } }, ['handel', 'hän']],
  [{ name: { givenName: 'Jean-Luc' } }, ['jean-l', 'luc']],
  [{ name: { middleName: 'van der Berg' } }, ['van', 'berg der']],
  [{ name: { honorificPrefix: 'Professor' } }, ['prof']],
  [{ name: { honorificSuffix: 'III' } }, ['iii']],
  [
    { emails: [{ value: 'x@y' }, { value: 'ada@example.net' }] },
    ['ada@exa', 'example', 'net', 'x@', '@example', '(example)'],
  ],
  [
    { phoneNumbers: [{ value: '1' }, { value: '+44 (0)7 900-1234' }] },
    ['4407', '+44', '0044', '1234', '9001234'],
  ],
  [{ phoneNumbers: [{ value: '0049 170 0012' }] }, ['49170', '+491', '004917', '0012']],
  [{ externalId: 'EXT:2024/99' }, ['ext', '99', 'ext:2024/9']],
  [{ title: 'Chief 山田太郎' }, ['chief', '田太', '郎']],
  [{ title: 'สมชาย' }, ['ชาย', 'สม']],
  [{ ims: [{ value: '7' }, { value: 'xmpp:lovelace.a' }] }, ['xmpp', 'lovelace.a']],
  [{ enterprise: { employeeNumber: 'E-001815' } }, ['e-0018', '001815']],
  [{ enterprise: { organization: 'Analytical & Co' } }, ['analy', 'co']],
  [{ enterprise: { division: 'Engines' } }, ['engines']],
  [{ enterprise: { department: 'Röntgen' } }, ['rontgen']],
];

/** Beginnings of no word, or only of other users' words. */
const unsearched = ["'brien", 'rien', 'ogin7', '@xample', 'da@', '012', '7900', '太田', 'xample'];

/** Each is a word of one user, and has a meaning in some query language. */
const hostileWords = [
  'a%',
  'a_',
  'ast*',
  '"quoted"',
  'a"b',
  "a'b",
  'a\\b',
  'NEAR(a',
  'a)OR(b',
  '$where1',
  '^a.*',
  '.dot',
  'a{1}',
  '[a-z]',
  '-a',
  'a:b',
  'a;--',
  'a\u{1F600}b',
  '\u{1F600}a',
  'null',
  '{"$gt":1}',
];
const hostileStrangers = [
  'b%',
  '%a',
  '_a',
  'bq*',
  'a%c',
  'a_c',
  'a*c',
  'a.c',
  'AND',
  'NOT',
  'bq.*',
  'a\u0000',
  'a\u0000b',
  'a\u0001',
  'o\u001f',
  '\u007fa',
  'a\u{1F601}',
];

export function searchCases({ ui, store, some }: Bench): void {
  const found = async (search: string, filters: Filters = {}): Promise<string[]> => {
    const users = await store().list({ ...asked(search, filters), limit: 100 });
    expect(await store().count(asked(search, filters)), `count of ${search}`).to.equal(users.length);
    return users.map(({ userName }) => userName);
  };
  const insert = async (users: readonly User[]): Promise<void> => {
    await Promise.all(users.map((user) => store().insert(user)));
  };

  ui.describe('asked for words', () => {
    ui.it('finds users by the beginnings of words in each searched member', async () => {
      const users = searched.map(([members], index) => aUser({ userName: `-${index}`, ...members }));
      await insert(users);
      for (const [index, [, searches]] of searched.entries())
        for (const search of searches)
          expect(await found(search), search).to.deep.equal([users[index]?.userName]);
    });
    ui.it('finds names as people type them: with other letters, apostrophes or kana', async () => {
      const names = Object.values(typedNames).flat();
      await insert(names.map(([displayName], index) => aUser({ userName: `-${index}`, displayName })));
      for (const [index, [, ...searches]] of some([...names.entries()]))
        for (const search of searches) expect(await found(search), search).to.deep.equal([`-${index}`]);
    });
    ui.it('finds no user by the middle of a word, or by an attribute that is not searched', async () => {
      await insert(searched.map(([members], index) => aUser({ userName: `-${index}`, ...members })));
      const admin = 'admin';
      await store().insert(
        aUser({
          userName: '-',
          roles: [admin],
          entitlements: [{ value: admin, display: admin }],
          userType: admin,
          profileUrl: `urn:${admin}`,
          enterprise: { costCenter: admin, manager: { value: admin, displayName: admin } },
          attributes: { a: admin },
        }),
      );
      for (const search of [...unsearched, 'admin', 'true', '2026'])
        expect(await found(search), search).to.deep.equal([]);
    });
    ui.it('finds only users that each term finds, in any order of the terms', async () => {
      const names = ['Ada Lovelace', 'Ada Byron', 'Grace Lovelace', 'Ada Ada', 'Lovelaceada'];
      await insert(names.map((displayName, index) => aUser({ userName: `-${index}`, displayName })));
      for (const search of ['ada love', 'love ada', 'love ada lovelace a'])
        expect(await found(search), search).to.have.members(['-0']);
      expect(await found('a')).to.have.members(['-0', '-1', '-3']);
      expect(await found('ada ada')).to.have.members(['-0', '-1', '-3']);
      expect(await found('ada x')).to.deep.equal([]);
      expect(await found('1 2 3 4 a b c d')).to.deep.equal([]);
    });
    ui.it('finds only users that the terms and all filters match', async () => {
      const users = [0, 1, 2, 3, 4, 5].map((index) =>
        aUser({
          userName: `-${index}`,
          displayName: index < 4 ? 'Ada' : 'Grace',
          active: index % 2 === 0,
          roles: [index < 2 ? 'low' : 'high'],
        }),
      );
      await insert(users);
      expect(await found('ada', { active: 'true' })).to.have.members(['-0', '-2']);
      expect(await found('ada', { active: 'true', role: 'high' })).to.have.members(['-2']);
      expect(await found('grace', { role: 'low' })).to.deep.equal([]);
      expect(await found('gr 5', { active: 'false' })).to.have.members(['-5']);
    });
    ui.it('compares a long term to its end, up to the longest allowed one', async () => {
      for (const letter of ['a', '\u{10400}', '山']) {
        const alike = letter.repeat(maxSearchLength - 1);
        for (const last of ['x', 'y'])
          await store().insert(aUser({ userName: `${letter}${last}`, displayName: `-${alike}${last}z` }));
        expect(await found(`${alike}y`)).to.deep.equal([`${letter}y`]);
        expect(await found(alike)).to.have.members([`${letter}x`, `${letter}y`]);
        expect(await found(`${alike}z`)).to.deep.equal([]);
      }
    });
    ui.it('takes a search literally, whatever it means to a query language', async () => {
      const users = hostileWords.map((title, index) => aUser({ userName: `-${index}`, title }));
      await insert([...users, aUser({ userName: 'abc', displayName: "abc O'Brien" })]);
      for (const [index, word] of hostileWords.entries())
        expect(await found(word), word).to.deep.equal([`-${index}`]);
      for (const search of hostileStrangers)
        expect(await found(search), JSON.stringify(search)).to.deep.equal([]);
    });
    ui.it('finds a replaced user by its new words only, and a removed one by none', async () => {
      const user = aUser({
        userName: 'first',
        displayName: 'Ada Shared',
        phoneNumbers: [{ value: '+3120555' }],
      });
      await store().insert(user);
      const next = changed(user, {
        userName: 'second',
        displayName: 'Grace Shared',
        phoneNumbers: [{ value: '+4930777' }],
      });
      expect(await store().replace(next, user.meta.version)).to.equal(true);
      for (const search of ['first', 'ada', '3120', '0555', 'ada shared'])
        expect(await found(search), search).to.deep.equal([]);
      for (const search of ['second', 'grace', '4930', '0777', 'shared'])
        expect(await found(search), search).to.deep.equal(['second']);
      expect(await store().remove(next.id, next.meta.version)).to.equal(true);
      for (const search of ['second', 'grace', 'shared', '4930', 'ada'])
        expect(await found(search), search).to.deep.equal([]);
    });
    ui.it(
      'finds by a superset each user whose text begins so, even if its search text was truncated',
      async () => {
        const names = ['ada', 'grace', 'edsger'];
        await insert([...names.map((userName) => cutOffUser({ userName })), aUser({ userName: 'engineer' })]);
        expect(await found('engi')).to.deep.equal(['engineer']);
        const engines = { where: matching({}, supersetTerms('ENGINE') ?? []) };
        const users = await store().list({
          ...engines,
          sort: { by: 'userName', descending: true },
          limit: 3,
        });
        expect(users.map(({ userName }) => userName)).to.deep.equal(['grace', 'engineer', 'edsger']);
        expect(await store().count(engines)).to.equal(4);
        for (const text of ['Engines', 'engines of', '2', 'nobody']) {
          const query = { where: matching({}, supersetTerms(text) ?? []), limit: 100 };
          const cutOff = (await store().list(query)).map(({ userName }) => userName);
          expect(cutOff, text).to.have.members(names);
        }
      },
    );
    ui.it(
      'finds by a superset the users that its patterns match, and so each user whose text begins so',
      async () => {
        const users = fc
          .sample(anyOverflowing, 40)
          .map((user, index) => ({ ...user, userName: `u${index}` }));
        await insert(users);
        for (const beginning of fc.sample(anyBeginning, runs(40)))
          for (const user of fc.sample(fc.constantFrom(...users), 3)) {
            const typed = beginningOf(user, beginning);
            const terms = supersetTerms(typed ?? '') ?? [];
            if (terms.length === 0) continue;
            const those = users.filter((one) => matchesTerms(searchText(one), terms)).map(({ id }) => id);
            expect(those, typed).to.include(user.id);
            const ids = (await store().list({ where: matching({}, terms), limit: 100 })).map(({ id }) => id);
            expect(ids, typed).to.have.members(those);
          }
      },
    );
    ui.it('finds a user by its old words after a refused write', async () => {
      const [user, other] = [aUser({ displayName: 'Ada' }), aUser({ userName: 'taken' })];
      await insert([user, other]);
      const lost = { displayName: 'Lost' };
      await store().replace(changed(user, lost), 'another version');
      const refusals = [
        store().replace(changed(user, { ...lost, userName: 'taken' }), user.meta.version),
        store().insert(aUser({ ...lost, userName: 'taken' })),
        store().insert(aUser({ ...lost, id: user.id })),
      ];
      const ended = await Promise.allSettled(refusals);
      expect(ended.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
      expect(await found('lost')).to.deep.equal([]);
      expect(await found('ada')).to.deep.equal([user.userName]);
    });
  });
}
