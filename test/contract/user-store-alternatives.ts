import { expect } from 'chai';
import { allOf, anyOf, type Condition, matchAll, matchNone } from '../../src/domain/find/conditions.ts';
import type { Sort } from '../../src/domain/find/sorts.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import { positionOf } from '../support/kinds.ts';
import { idOf } from '../support/sortable-users.ts';
import type { Query } from '../support/verbs.ts';
import type { Bench } from './user-store.ts';

const many = 40;
/** In the order of their names, which differs from that of their ids. */
const users: readonly User[] = Array.from({ length: many }, (_, number) =>
  aUser({
    id: idOf((number * 7) % many),
    userName: `-${String(number).padStart(2, '0')}`,
    displayName: number % 4 === 0 ? 'Ada Lovelace' : 'Grace Hopper',
    active: number % 2 === 0,
    roles: [`r${number % 5}`, `s${number % 3}`],
  }),
);

type Is = (user: User, number: number) => boolean;
const role = (key: string): Condition => ({ filter: 'role', key });
const active: Condition = { filter: 'active', key: 'true' };
const words = (search: string): Condition => asked(search).where;
const having =
  (key: string): Is =>
  ({ roles = [] }) =>
    roles.includes(key);
const first = users[0] as User;

/** The users that a condition finds. */
const cases: Readonly<Record<string, readonly [Condition, Is]>> = {
  'one of two keys of a filter': [
    { any: [role('r1'), role('r2')] },
    (user) => having('r1')(user, 0) || having('r2')(user, 0),
  ],
  'keys of one filter that all match': [
    { all: [role('r1'), role('s2')] },
    (user) => having('r1')(user, 0) && having('s2')(user, 0),
  ],
  'a key or a word': [
    { any: [role('r1'), words('love')] },
    (user, number) => having('r1')(user, 0) || number % 4 === 0,
  ],
  'a key or an id': [
    { any: [{ id: first.id }, role('r1')] },
    (user, number) => number === 0 || having('r1')(user, 0),
  ],
  'ids, one of which no user has': [
    { any: [{ id: idOf(3) }, { id: idOf(many + 3) }, { id: first.id }] },
    ({ id }) => id === idOf(3) || id === first.id,
  ],
  'an id that matches the rest': [{ all: [{ id: first.id }, active] }, (_, number) => number === 0],
  'an id that doesn’t': [{ all: [{ id: first.id }, role('r1')] }, () => false],
  'alternatives that must match beside others': [
    { all: [active, { any: [role('r1'), words('ada')] }, { any: [role('s0'), role('s1')] }] },
    (user, number) => number % 2 === 0 && (having('r1')(user, 0) || number % 4 === 0) && number % 3 < 2,
  ],
  'alternatives within alternatives': [
    { any: [{ all: [active, { any: [role('r3'), { all: [words('ada love'), role('r4')] }] }] }, role('s2')] },
    (user, number) =>
      (number % 2 === 0 && (having('r3')(user, 0) || (number % 4 === 0 && having('r4')(user, 0)))) ||
      number % 3 === 2,
  ],
  'the same conditions twice': [
    { any: [role('r1'), { all: [role('r1'), role('r1')] }, { any: [role('r1'), role('r1')] }] },
    having('r1'),
  ],
  'alternatives that have the same users': [
    { any: [active, words('ada'), words('lovelace')] },
    ({ active }) => active,
  ],
  'users without one of two keys': [
    { not: { any: [role('r1'), role('r2')] } },
    (user) => !having('r1')(user, 0) && !having('r2')(user, 0),
  ],
  'a negation beside a key, a word and another negation': [
    { all: [{ not: role('r3') }, active, words('ada'), { not: { id: first.id } }] },
    (user, number) => number > 0 && number % 4 === 0 && !having('r3')(user, 0),
  ],
  'a negation as an alternative': [
    { any: [{ not: active }, role('r0')] },
    (user, number) => number % 2 === 1 || having('r0')(user, 0),
  ],
  'a negation of what all match': [{ not: { all: [] } }, () => false],
  'a negation of what none matches': [{ not: { any: [] } }, () => true],
  'users with any role': [{ exists: 'role' }, () => true],
  'users without an email address, which nobody has': [{ not: { exists: 'email' } }, () => true],
  'users with a manager, which nobody has': [{ exists: 'manager' }, () => false],
  'no alternative at all': [{ any: [] }, () => false],
  'no alternative, beside others': [{ all: [active, { any: [] }] }, () => false],
  'nothing at all': [{ all: [] }, () => true],
  'nothing, as an alternative': [{ any: [{ all: [] }, role('r1')] }, () => true],
  'no words': [{ all: [{ words: [] }, role('r1')] }, having('r1')],
  'no words, beside words, as alternatives': [{ any: [words('ada'), { words: [] }] }, () => true],
  'words, all of which are alternatives': [
    { any: [words('ada'), words('grace hop'), words('nobody'), words(`grace ${'x'.repeat(40)}`)] },
    () => true,
  ],
  'a hundred keys': [
    { any: Array.from({ length: 100 }, (_, at) => ({ filter: 'userName' as const, key: `-${at + 30}` })) },
    (_, number) => number >= 30,
  ],
};

const sorts: readonly Sort[] = [
  {},
  { descending: true },
  { by: 'userName' },
  { by: 'userName', descending: true },
  { by: 'displayName' },
];

export function alternativeCases({ ui, store, asItIs, some }: Bench): void {
  const fill = () => Promise.all(users.map((user) => store().insert(user)));
  const idsOf = async (query: Omit<Query, 'limit'>, limit = 1000) =>
    (await store().list({ ...query, limit })).map(({ id }) => id);

  ui.describe('asked for alternatives', () => {
    ui.it('finds each matching user once, and counts them', async () => {
      await fill();
      for (const [what, [where, is]] of Object.entries(cases)) {
        const wanted = users.filter(is).map(({ id }) => id);
        expect(await idsOf({ where, sort: { by: 'userName' } }), what).to.deep.equal(wanted);
        expect(await idsOf({ where }), what).to.deep.equal(wanted.toSorted());
        expect(await store().count({ where }), what).to.equal(wanted.length);
      }
    });
    ui.it('lists the matches page by page in each order, both ways, and skips a number of them', async () => {
      await fill();
      const ways = sorts.flatMap((sort) => [false, true].map((backward) => ({ sort, backward })));
      for (const [what, [where]] of Object.entries(cases))
        for (const { sort, backward } of some(ways)) {
          const all = await asItIs().list({ where, sort, backward, limit: 1000 });
          const ids = all.map(({ id }) => id);
          const pages: string[] = [];
          for (let last: Stored<User> | undefined, size = -1; size !== 0; ) {
            const after = last && positionOf(last, sort);
            const page = await asItIs().list({ where, sort, backward, after, limit: 7 });
            pages.push(...page.map(({ id }) => id));
            [last, size] = [page.at(-1), page.length];
          }
          expect(pages, what).to.deep.equal(ids);
          expect(await idsOf({ where, sort, backward, skip: 3 }, 5), what).to.deep.equal(ids.slice(3, 8));
          const place = positionOf(Stored.of(first), sort);
          const behind = await asItIs().list({
            where: matchAll,
            sort,
            backward,
            after: place,
            limit: 1000,
          });
          const those = new Set(behind.map(({ id }) => id));
          expect(await idsOf({ where, sort, backward, after: place }), what).to.deep.equal(
            ids.filter((id) => those.has(id)),
          );
        }
    });
    ui.it('counts up to the requested limit: any number beyond it says that there are more', async () => {
      await fill();
      for (const [what, [where, is]] of Object.entries(cases)) {
        const wanted = users.filter(is).length;
        for (const most of [0, 1, wanted - 1, wanted, wanted + 1].filter((one) => one >= 0)) {
          const counted = await store().count({ where, most });
          if (wanted <= most) expect(counted, what).to.equal(wanted);
          else expect(counted, what).to.be.above(most);
        }
        // A count that ended at its limit isn't reused for the next one.
        expect(await store().count({ where }), what).to.equal(wanted);
        expect(await idsOf({ where }), what).to.have.length(wanted);
      }
    });
    ui.it('shows each write at once', async () => {
      await fill();
      const where = anyOf([role('new'), { id: idOf(3) }, words('zuse')]);
      expect(await idsOf({ where })).to.deep.equal([idOf(3)]);
      const [one, two] = [
        aUser({ id: idOf(91), roles: ['new'] }),
        aUser({ id: idOf(92), displayName: 'Zuse' }),
      ];
      await store().insert(one);
      await store().insert(two);
      expect(await idsOf({ where })).to.deep.equal([idOf(3), one.id, two.id]);
      expect(await store().count({ where: allOf([where, active]) })).to.equal(
        2 + Number(users.some(({ id, active }) => id === idOf(3) && active)),
      );
      await store().remove(one.id, one.meta.version);
      expect(await idsOf({ where })).to.deep.equal([idOf(3), two.id]);
      expect(await store().count({ where: matchNone })).to.equal(0);
    });
  });
}
