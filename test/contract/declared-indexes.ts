/** Lists by attributes that are declared and taken back while users are stored. A store in memory, which has no indexes, is the model. */

import { expect } from 'chai';
import fc from 'fast-check';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { type Condition, matchAll, noneOf } from '../../src/domain/find/conditions.ts';
import { parseSearch } from '../../src/domain/find/search.ts';
import type { Declarations, Declared } from '../../src/domain/kinds/attributes/declaration.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser, changed } from '../support/a-user.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { runs } from '../support/runs.ts';
import { asVerbs } from '../support/stores.ts';
import type { Query, UserStore } from '../support/verbs.ts';
import { outcome, refused } from './refusals.ts';

export type Attributes = Readonly<Record<string, Declared>>;

/** The number of steps in which the store may build indexes. */
export class Steps {
  readonly left = new Int32Array(new SharedArrayBuffer(4));

  constructor(count: number) {
    this.give(count);
  }

  give(count: number): void {
    Atomics.add(this.left, 0, count);
  }

  async untilTaken(): Promise<void> {
    await until('all steps are taken', () => Atomics.load(this.left, 0) === 0);
  }
}

/** Users that one place keeps. */
export interface BuildingPlace {
  open(declarations: Declarations, steps?: Steps): Promise<UserStore>;
  /** In one step. */
  readonly rows: number;
  discard(): Promise<void>;
}

const any = 1_000_000;

const sequences = runs(40);

const variants: Readonly<Record<string, readonly (Declared | undefined)[]>> = {
  hired: [undefined, { type: 'date', filter: true, sort: true }, { type: 'date', sort: true }],
  costCentre: [
    undefined,
    { type: 'string', filter: true },
    { type: 'string', search: true },
    { type: 'string', filter: true, search: true },
  ],
  level: [undefined, { type: 'string', filter: true }],
  badge: [undefined, { type: 'integer', sort: true }],
};

const hired: Attributes = { hired: { type: 'date', filter: true, sort: true } };
const searched: Attributes = { costCentre: { type: 'string', filter: true, search: true } };
const badged: Attributes = { badge: { type: 'integer', sort: true } };

const days = ['2019-04-01', '2020-05-02', '2024-01-31'];
const levels = ['junior', 'senior'];

function attributesAt(at: number): Record<string, string> {
  return {
    ...(at % 4 > 0 && { hired: days[at % 3] as string }),
    ...(at % 5 > 0 && { costCentre: `CC${at % 7}` }),
    ...(at % 3 > 0 && { level: levels[at % 2] as string }),
    ...(at % 2 > 0 && { badge: String((at * 37) % 100) }),
  };
}

const usersOf = (count: number): User[] =>
  Array.from({ length: count }, (_, at) =>
    aUser({ userName: `u${at}`, title: `Title ${at % 3}`, attributes: attributesAt(at) } as Partial<User>),
  );

type Ask = (store: UserStore) => Promise<unknown>;

const listed =
  (query: Omit<Query, 'limit'>): Ask =>
  async (store) =>
    (await store.list({ ...query, limit: any })).map(({ id }) => id);
const counted =
  (where: Condition): Ask =>
  (store) =>
    store.count({ where });

const wordsOf = (text: string): Condition => {
  const words = parseSearch(text);
  return typeof words === 'string' ? expect.fail(words) : { words };
};

/** Lists that need nothing declared. */
const plainQueries: Readonly<Record<string, Ask>> = {
  all: listed({ where: matchAll, sort: { by: 'userName', descending: true } }),
  'a filter': listed({ where: { filter: 'title', key: 'title 1' } }),
  'a total': counted(matchAll),
};

const filterQueries = (name: string, key: string): Record<string, Ask> => ({
  [`${name} is`]: listed({ where: { filter: name, key } }),
  [`${name} is, counted`]: counted({ filter: name, key }),
  [`${name} exists`]: listed({ where: { exists: name } }),
  [`${name} is not there`]: listed({ where: noneOf({ exists: name }), sort: { by: 'userName' } }),
  [`${name} is not`]: counted(noneOf({ filter: name, key })),
  [`${name}, found by keys`]: async (store) =>
    [...(await store.findAllBy(name, [key], any))].map(([found, all]) => [
      found,
      all.map(({ id }) => id).sort(),
    ]),
});

const sortQueries = (name: string): Record<string, Ask> => ({
  [`by ${name}`]: listed({ where: matchAll, sort: { by: name } }),
  [`by ${name}, descending`]: listed({ where: matchAll, sort: { by: name, descending: true } }),
  [`by ${name}, with words`]: listed({ where: { filter: 'title', key: 'title 1' }, sort: { by: name } }),
  [`${name} in a range`]: listed({ where: { sort: name, from: '2' } }),
});

/** All that can be asked for with the attributes. */
function queriesOf(attributes: Attributes): Record<string, Ask> {
  const keys: Readonly<Record<string, string>> = { hired: '2020-05-02', costCentre: 'cc3', level: 'senior' };
  const kind = kindsOf({ attributes }).of('user');
  const isSearched = Object.values(attributes).some(({ search }) => search);
  return Object.assign(
    isSearched ? { 'words of an attribute': listed({ where: wordsOf('cc3') }) } : {},
    ...kind.filterNames
      .filter((name) => name.startsWith('attributes.'))
      .map((name) => filterQueries(name, keys[name.slice('attributes.'.length)] ?? '')),
    ...kind.sortNames.filter((name) => name.startsWith('attributes.')).map(sortQueries),
  );
}

async function modelOf(attributes: Attributes, users: Iterable<User>): Promise<UserStore> {
  const store = asVerbs(memoryStore(kindsOf({ attributes })));
  for (const user of users) await store.insert(Stored.of(user));
  return store;
}

/** The names of the queries that the store refuses as `unavailable`; all others have the answer of the model. */
async function refusedOf(
  store: UserStore,
  queries: Readonly<Record<string, Ask>>,
  attributes: Attributes,
  users: Iterable<User>,
): Promise<string[]> {
  const model = await modelOf(attributes, users);
  const refusals: string[] = [];
  for (const [name, ask] of Object.entries(queries)) {
    const answer = await outcome(ask(store));
    if (answer === 'unavailable') refusals.push(name);
    else expect(answer, name).to.deep.equal(await ask(model));
  }
  return refusals;
}

/** A write, and what it makes of the users. */
interface Change {
  readonly op: 'insert' | 'replace' | 'remove';
  readonly at: number;
  readonly as: number;
}

async function apply(store: UserStore, users: Map<string, User>, { op, at, as }: Change): Promise<void> {
  const old = [...users.values()][at % users.size] as User;
  const attributes = attributesAt(as);
  const next =
    op === 'insert' ? aUser({ attributes } as Partial<User>) : changed(old, { attributes } as Partial<User>);
  if (op === 'insert') await store.insert(Stored.of(next));
  else if (op === 'replace') expect(await store.replace(Stored.of(next), old.meta.version)).to.equal(true);
  else expect(await store.remove(old.id, old.meta.version)).to.equal(true);
  if (op === 'remove') users.delete(old.id);
  else users.set(next.id, next);
}

async function insertAll(store: UserStore, users: Iterable<User>): Promise<void> {
  for (const result of await store.writeAll([...users].map((user) => ({ user: Stored.of(user) }))))
    expect(result).to.equal('done');
}

const byId = (users: readonly User[]): Map<string, User> => new Map(users.map((user) => [user.id, user]));

/** @param name of the store */
export function declaredIndexesContract(name: string, setUp: () => Promise<BuildingPlace>): void {
  describe(`Attributes that are declared while ${name} has users`, () => {
    let place: BuildingPlace;
    let users: Map<string, User>;
    beforeEach(async () => {
      place = await setUp();
      users = byId(usersOf(2 * place.rows + place.rows / 2));
    });
    afterEach(() => place.discard());

    async function opened<T>(
      attributes: Attributes,
      act: (store: UserStore) => Promise<T>,
      steps?: Steps,
    ): Promise<T> {
      const store = await place.open({ attributes }, steps);
      try {
        await until('the store is ready', async () => (await outcome(store.check())) === undefined);
        return await act(store);
      } finally {
        await store.close();
      }
    }
    const fill = () => opened({}, (store) => insertAll(store, users.values()));
    const untilBuilt = (store: UserStore, attributes: Attributes): Promise<void> =>
      until('all indexes are whole', async () => {
        const queries = queriesOf(attributes);
        return (await refusedOf(store, queries, attributes, users.values())).length === 0;
      });
    const expectAnswers = async (
      store: UserStore,
      attributes: Attributes,
      refusals: readonly string[] = [],
    ) => {
      const queries = { ...plainQueries, ...queriesOf(attributes) };
      expect(await refusedOf(store, queries, attributes, users.values())).to.deep.equal(refusals);
    };

    it('are refused until their index is whole, and found then, while other lists are answered', async () => {
      await fill();
      const steps = new Steps(0);
      const attributes = { ...hired, ...searched };
      await opened(
        attributes,
        async (store) => {
          const all = Object.keys(queriesOf(attributes));
          expect(all).to.have.length.above(10);
          await expectAnswers(store, attributes, all);
          steps.give(1);
          await steps.untilTaken();
          await expectAnswers(store, attributes, all);
          steps.give(any);
          await untilBuilt(store, attributes);
          await expectAnswers(store, attributes);
        },
        steps,
      );
      await opened(attributes, (store) => expectAnswers(store, attributes), new Steps(0));
    });

    it('are refused with the name of the attribute and the progress', async () => {
      await fill();
      const steps = new Steps(1);
      await opened(
        { ...hired, ...searched },
        async (store) => {
          await steps.untilTaken();
          const by = { by: 'attributes.hired' };
          const asked = () => store.list({ where: matchAll, sort: by, limit: 1 });
          await until('the step has ended', async () =>
            /: [1-9]/.test((await refused(asked(), 'unavailable')).message),
          );
          expect((await refused(asked(), 'unavailable')).message).to.equal(
            `The index of attributes.hired is being built: ${place.rows} of ${users.size} done.`,
          );
        },
        steps,
      );
    });

    it('have the keys of writes that are made meanwhile', async () => {
      await fill();
      const steps = new Steps(0);
      await opened(
        hired,
        async (store) => {
          const write = async (from: number) => {
            for (const [at, op] of (['insert', 'replace', 'remove'] as const).entries())
              for (const end of [0, users.size - 1])
                await apply(store, users, { op, at: end, as: from + at });
          };
          await write(1);
          steps.give(1);
          await steps.untilTaken();
          await write(5);
          steps.give(any);
          await untilBuilt(store, hired);
          await write(9);
          await expectAnswers(store, hired);
        },
        steps,
      );
    });

    it('are built again after they were taken back, since writes in between made no keys', async () => {
      await opened(hired, (store) => insertAll(store, users.values()));
      await opened(
        {},
        async (store) => {
          for (const op of ['insert', 'replace', 'remove'] as const)
            await apply(store, users, { op, at: 7, as: 11 });
          await expectAnswers(store, {});
        },
        new Steps(0),
      );
      const steps = new Steps(0);
      await opened(
        hired,
        async (store) => {
          await expectAnswers(store, hired, Object.keys(queriesOf(hired)));
          steps.give(any);
          await untilBuilt(store, hired);
          await expectAnswers(store, hired);
        },
        steps,
      );
    });

    it('leave the order and the index of other attributes complete', async () => {
      await opened(hired, (store) => insertAll(store, users.values()));
      const both = { ...badged, ...hired };
      await opened(both, (store) => expectAnswers(store, both, Object.keys(queriesOf(badged))), new Steps(0));
      await opened(hired, (store) => expectAnswers(store, hired), new Steps(0));
    });

    it('are no longer found by words once they have been taken back', async () => {
      await opened(searched, (store) => insertAll(store, users.values()));
      const words = { 'words of an attribute': listed({ where: wordsOf('cc3') }) };
      await opened({}, (store) =>
        until('the words are gone', async () => {
          const found = (await words['words of an attribute'](store)) as readonly string[];
          return found.length === 0;
        }),
      );
    });

    it('are counted after they have been unique, and unique again', async () => {
      const unique: Attributes = { badge: { type: 'string', unique: true } };
      const shared: Attributes = { badge: { type: 'string', filter: true } };
      const [one, two, three] = ['a', 'a', 'b'].map((badge) =>
        aUser({ attributes: { badge } } as Partial<User>),
      ) as [User, User, User];
      const expectCounts = async (store: UserStore, counts: readonly number[]) => {
        for (const [at, key] of ['a', 'b'].entries())
          expect(await store.count({ where: { filter: 'attributes.badge', key } })).to.equal(counts[at]);
      };
      await opened(unique, (store) => store.insert(Stored.of(one)));
      await opened(shared, async (store) => {
        await expectCounts(store, [1, 0]);
        await store.insert(Stored.of(two));
        await expectCounts(store, [2, 0]);
        await store.remove(one.id, one.meta.version);
      });
      await opened(unique, (store) => store.insert(Stored.of(three)));
      await opened(shared, (store) => expectCounts(store, [1, 1]));
    });

    it('are built by two stores together, and then found by both', async () => {
      await fill();
      const [one, other] = [await place.open({ attributes: hired }), await place.open({ attributes: hired })];
      try {
        await Promise.all([untilBuilt(one, hired), untilBuilt(other, hired)]);
        await apply(one, users, { op: 'replace', at: 3, as: 1 });
        await apply(other, users, { op: 'insert', at: 3, as: 2 });
        for (const store of [one, other]) await expectAnswers(store, hired);
      } finally {
        await Promise.all([one.close(), other.close()]);
      }
    });

    const round = fc.record({
      attributes: fc.record(
        Object.fromEntries(
          Object.entries(variants).map(([attribute, all]) => [attribute, fc.constantFrom(...all)]),
        ),
      ),
      steps: fc.nat({ max: 4 }),
      changes: fc.array(
        fc.record({
          op: fc.constantFrom('insert' as const, 'replace' as const, 'remove' as const),
          at: fc.nat({ max: any }),
          as: fc.nat({ max: 100 }),
        }),
        { maxLength: 6 },
      ),
    });

    it('are never answered wrongly, whatever is declared, taken back and written, and wherever building stops', async () => {
      const property = fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
        const own = await setUp();
        const stored = byId(usersOf(1.5 * own.rows));
        try {
          const first = await own.open({ attributes: {} });
          await insertAll(first, stored.values());
          await first.close();
          for (const [at, { changes, attributes, ...given }] of rounds.entries()) {
            const declared = Object.fromEntries(
              Object.entries(attributes).flatMap(([attribute, value]) => (value ? [[attribute, value]] : [])),
            );
            const steps = new Steps(given.steps);
            const store = await own.open({ attributes: declared }, steps);
            try {
              for (const change of changes) await apply(store, stored, change);
              const ask = (queries: Readonly<Record<string, Ask>>) =>
                refusedOf(store, queries, declared, stored.values());
              expect(await ask(plainQueries)).to.deep.equal([]);
              await ask(queriesOf(declared));
              if (at < rounds.length - 1) continue;
              steps.give(any);
              await until('all indexes are whole', async () => (await ask(queriesOf(declared))).length === 0);
            } finally {
              await store.close();
            }
          }
        } finally {
          await own.discard();
        }
      });
      await fc.assert(property, { numRuns: sequences });
    }).timeout(caseDeadline * Math.max(1, sequences / 10));
  });
}
