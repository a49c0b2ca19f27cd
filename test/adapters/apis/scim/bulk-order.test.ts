import { expect } from 'chai';
import fc from 'fast-check';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser as storedUser } from '../../../support/a-user.ts';
import { runs } from '../../../support/runs.ts';
import { startService, type TestService } from '../../../support/service.ts';
import { type Lists, onEachStore, startLists } from './lists.ts';
import {
  type Ask,
  aUser,
  bulk,
  client,
  create,
  expectError,
  type Json,
  type Outcome,
  patchOf,
} from './scim-client.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const statuses = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ status }) => status);
const idOf = ({ location = '' }: Outcome): string => location.replace(/.*\//, '');
const post = (data: Json, bulkId?: string): Json => ({
  ...{ method: 'POST', path: '/Users', data },
  ...(bulkId === undefined ? {} : { bulkId }),
});

onEachStore('A Bulk of operations that depend on one another', (open) => {
  let lists: Lists;
  let ask: Ask;
  before(async () => {
    lists = await startLists(await open(), []);
    ask = client(lists.service);
  });
  after(() => lists.discard());
  const read = async (id: string): Promise<Json> => (await ask(`/Users/${id}`)).json();

  const managedBy = (value: string): Json => ({ [enterprise]: { manager: { value } } });
  const managerOf = async (id: string): Promise<unknown> =>
    ((await read(id))[enterprise] as { manager: { value: string } }).manager.value;

  it('follows them forwards, backwards and in circles', async () => {
    const outcomes = await bulk(ask, [
      post(aUser(managedBy('bulkId:b')), 'a'),
      post(aUser(managedBy('bulkId:c')), 'b'),
      post(aUser(managedBy('bulkId:a')), 'c'),
      post(aUser(managedBy('bulkId:self')), 'self'),
    ]);
    expect(statuses(outcomes)).to.deep.equal(['201', '201', '201', '201']);
    const [a = '', b = '', c = '', self = ''] = outcomes.map(idOf);
    expect(await Promise.all([a, b, c, self].map(managerOf))).to.deep.equal([b, c, a, self]);
  });

  it('works in a path, and anywhere in the data', async () => {
    const outcomes = await bulk(ask, [
      post(aUser(), 'a'),
      post(aUser(), 'b'),
      {
        method: 'PATCH',
        path: '/Users/bulkId:a',
        data: patchOf({ op: 'add', path: `${enterprise}:manager`, value: 'bulkId:b' }),
      },
      {
        method: 'PATCH',
        path: '/Users/bulkId:a',
        data: patchOf({ op: 'add', value: { title: 'second' } }),
      },
      { method: 'PUT', path: '/Users/bulkId:b', data: aUser({ externalId: 'bulkId:a' }) },
    ]);
    expect(statuses(outcomes)).to.deep.equal(['201', '201', '200', '200', '200']);
    const [a = '', b = ''] = outcomes.map(idOf);
    expect(await managerOf(a)).to.equal(b);
    expect(await read(a)).to.include({ title: 'second' });
    expect(await read(b)).to.include({ externalId: a });
    const gone = await bulk(ask, [post(aUser(), 'x'), { method: 'DELETE', path: '/Users/bulkId:x' }]);
    expect(statuses(gone)).to.deep.equal(['201', '204']);
    expectError(await ask(`/Users/${idOf(gone[0] as Outcome)}`), 404);
  });

  it('refuses references to users that no operation creates or that could not be created', async () => {
    const outcomes = await bulk(ask, [
      post(aUser(managedBy('bulkId:nobody'))),
      post(aUser({ locale: 'no tag' }), 'bad'),
      post(aUser(managedBy('bulkId:bad'))),
      { method: 'DELETE', path: '/Users/bulkId:bad' },
      { method: 'DELETE', path: '/Users/bulkId:' },
      { method: 'DELETE', path: '/Users/bulkId:__proto__' },
      post(aUser()),
    ]);
    expect(statuses(outcomes)).to.deep.equal(['400', '400', '400', '400', '400', '400', '201']);
    for (const at of [0, 2, 3, 4, 5]) expect(outcomes[at]?.response?.scimType).to.equal('invalidValue');
    expect(outcomes[0]?.response?.detail).to.include('No operation has the bulkId "nobody"');
  });

  it('refers only to users of the same Bulk', async () => {
    expect(statuses(await bulk(ask, [post(aUser(), 'a')]))).to.deep.equal(['201']);
    expect(statuses(await bulk(ask, [{ method: 'DELETE', path: '/Users/bulkId:a' }]))).to.deep.equal(['400']);
  });

  it('executes the operations on one user in their order', async () => {
    const { id } = await create(ask);
    const steps = Array.from({ length: 100 }, (_, index) => ({
      method: 'PATCH',
      path: `/Users/${id}`,
      data: patchOf({ op: 'replace', path: 'title', value: `t${index}` }),
    }));
    const outcomes = await bulk(ask, [
      ...steps,
      { method: 'DELETE', path: `/Users/${id.toUpperCase()}` },
      ...steps.slice(0, 1),
    ]);
    expect(statuses(outcomes).slice(99)).to.deep.equal(['200', '204', '404']);
    expect(new Set(outcomes.map(({ version }) => version)).size).to.equal(101);
  });

  it('makes a user a member before a later operation deletes the user, and not after an earlier one', async () => {
    const { id: group } = (
      await ask('/Groups', { method: 'POST', body: { displayName: 'Engineering' } })
    ).json();
    const users = [await create(ask), await create(ask)];
    const adding = (value: string) => patchOf({ op: 'add', path: 'members', value: [{ value }] });
    const [add, remove] = [
      ({ id }: { readonly id: string }): Json => ({
        ...{ method: 'PATCH', path: `/Groups/${group}` },
        data: adding(id.toUpperCase()),
      }),
      ({ id }: { readonly id: string }): Json => ({ method: 'DELETE', path: `/Users/${id}` }),
    ];
    const outcomes = await bulk(ask, [
      ...users.slice(0, 1).flatMap((user) => [add(user), remove(user)]),
      ...users.slice(1).flatMap((user) => [remove(user), add(user)]),
    ]);
    expect(statuses(outcomes)).to.deep.equal(['200', '204', '204', '400']);
    const ada = 'bulkId:Ada';
    const toGroup = { method: 'PATCH', path: `/Groups/${group}`, data: adding(ada) };
    const ofNew = await bulk(ask, [post(aUser(), 'Ada'), toGroup, remove({ id: ada }), toGroup]);
    expect(statuses(ofNew)).to.deep.equal(['201', '200', '204', '400']);
  });

  const one = { userName: 'one@example.com' };
  it('gives a released name only to later operations', async () => {
    const { id } = await create(ask, one);
    const path = `/Users/${id}`;
    const other = await create(ask);
    const named = (userName: string) => patchOf({ op: 'replace', value: { userName } });
    expect(
      statuses(await bulk(ask, [post(aUser(one)), { method: 'DELETE', path }, post(aUser(one))])),
    ).to.deep.equal(['409', '204', '201']);
    const { id: now = '' } =
      (
        (await ask('/Users?filter=userName%20eq%20%22one@example.com%22')).json().Resources as readonly {
          id: string;
        }[]
      )[0] ?? {};
    const renamed = await bulk(ask, [
      post(aUser(one)),
      { method: 'PATCH', path: `/Users/${now}`, data: named('two@example.com') },
      post(aUser(one)),
      { method: 'PUT', path: `/Users/${now}`, data: aUser({ userName: 'three@example.com' }) },
      { method: 'PATCH', path: `/Users/${other.id}`, data: named('two@example.com') },
      { method: 'PATCH', path: `/Users/${now}`, data: named('two@example.com') },
    ]);
    expect(statuses(renamed)).to.deep.equal(['409', '200', '201', '200', '200', '409']);
  });

  it('gives a name to the first operation that asks for it, however it is spelled', async () => {
    const names = ['ada@example.com', 'ADA@example.com', '\uFF41\uFF24\uFF41@example.com'];
    for (const first of names) {
      const order = [first, ...names.filter((name) => name !== first)];
      const outcomes = await bulk(
        ask,
        order.map((userName) => post(aUser({ userName }))),
      );
      expect(statuses(outcomes)).to.deep.equal(['201', '409', '409']);
      await bulk(ask, [{ method: 'DELETE', path: `/Users/${idOf(outcomes[0] as Outcome)}` }]);
    }
    const urn = 'urn:ietf:params:scim:schemas:core:2.0:User:USERNAME';
    const { userName: _none, ...nameless } = aUser();
    expect(
      statuses(
        await bulk(ask, [
          post({ ...nameless, [urn]: 'x@example.com' }),
          post(aUser({ userName: 'X@example.com' })),
        ]),
      ),
    ).to.deep.equal(['201', '409']);
  });

  const names = ['a', 'b', 'c'].map((name) => `${name}@example.com`);
  const ids = [1, 2, 3].map((index) => `00000000-0000-7000-8000-00000000000${index}`);
  const name = fc.constantFrom(...names, 'd@example.com', 'A@example.com');
  const path = fc.constantFrom(...ids).map((id) => `/Users/${id}`);
  const operation: fc.Arbitrary<Json> = fc.oneof(
    name.map((userName) => post(aUser({ userName }))),
    path.map((at) => ({ method: 'DELETE', path: at })),
    fc.tuple(path, name).map(([at, userName]) => ({ method: 'PUT', path: at, data: aUser({ userName }) })),
    fc.tuple(path, name).map(([at, value]) => ({
      method: 'PATCH',
      path: at,
      data: patchOf({ op: 'replace', path: 'userName', value }),
    })),
    fc
      .tuple(
        path,
        fc.string({ minLength: 1 }).map((text) => `t${text.length}`),
      )
      .map(([at, value]) => ({
        method: 'PATCH',
        path: at,
        data: patchOf({ op: 'replace', path: 'title', value }),
      })),
  );

  async function begin(one: Ask, { store }: TestService): Promise<void> {
    const { Resources } = (await one('/Users?count=1000')).json() as unknown as {
      Resources: readonly { id: string }[];
    };
    for (const { id } of Resources) await one(`/Users/${id}`, { method: 'DELETE' });
    for (const [index, id] of ids.entries())
      await store.insert(Stored.of(storedUser({ id, userName: names[index] ?? '' })));
  }

  async function usersIn(one: Ask): Promise<readonly unknown[]> {
    const { Resources } = (await one('/Users?sortBy=userName')).json() as unknown as {
      Resources: readonly Json[];
    };
    // Whom a Bulk makes, has an id of its own.
    return Resources.map(({ id, userName, title }) => [
      ids.includes(String(id)) ? id : 'new',
      userName,
      title,
    ]);
  }

  it('has the same result as single requests one after the other', async () => {
    const other = await startService();
    const askOther = client(other);
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 40 }), async (operations) => {
        await begin(ask, lists.service);
        await begin(askOther, other);
        const outcomes = statuses(await bulk(ask, operations));
        const expected: string[] = [];
        for (const { method, path: at, data } of operations) {
          const { status } = await askOther(String(at), {
            method: String(method),
            body: data as Json | undefined,
          });
          expected.push(String(status));
        }
        expect(outcomes).to.deep.equal(expected);
        expect(await usersIn(ask)).to.deep.equal(await usersIn(askOther));
      }),
      { numRuns: runs(40) },
    );
    await other.close();
  });
});
