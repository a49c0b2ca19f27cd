import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../support/runs.ts';
import { startService } from '../../../support/service.ts';
import { type Lists, onEachStore, startLists } from './lists.ts';
import { type Ask, aUser, bulk, client, create, type Json, nobody, patchOf } from './scim-client.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const reference = /^bulkId:(.*)$/;

const managedBy = (value: string): Json => ({ [enterprise]: { manager: { value } } });
const titled = (title: string): Json => patchOf({ op: 'replace', path: 'title', value: title });

interface Operation extends Json {
  readonly method: string;
  readonly path: string;
  readonly bulkId?: string;
  readonly data?: Json;
}

const bulkIds = ['a', 'b', 'c', 'd'];
/** References to users of this request, made before or later, to one that no operation makes, and a plain value. */
const manager = fc.constantFrom(...bulkIds.map((id) => `bulkId:${id}`), 'bulkId:nowhere', 'somebody');
const path = fc.constantFrom(...bulkIds, ...bulkIds, 'nowhere').map((id) => `/Users/bulkId:${id}`);
const name = fc.constantFrom('x', 'y', 'z', 'u', 'v', 'w').map((one) => `${one}@example.com`);
const data = fc
  .record({ userName: name, manager: fc.option(manager), isWrong: fc.nat(9).map((one) => one === 0) })
  .map(({ userName, manager: of, isWrong }) => ({
    ...aUser({ userName, ...(of === null ? {} : managedBy(of)), ...(isWrong ? { locale: 'no tag' } : {}) }),
  }));

const change: fc.Arbitrary<Operation> = fc.oneof(
  path.map((to) => ({ method: 'DELETE', path: to })),
  fc.tuple(path, data).map(([to, body]) => ({ method: 'PUT', path: to, data: body })),
  fc.tuple(path, fc.constantFrom('s', 't')).map(([to, title]) => ({
    ...{ method: 'PATCH', path: to, data: titled(title) },
  })),
  fc.tuple(path, name).map(([to, value]) => ({
    ...{ method: 'PATCH', path: to, data: patchOf({ op: 'replace', path: 'userName', value }) },
  })),
  fc.tuple(path, manager).map(([to, value]) => ({
    ...{ method: 'PATCH', path: to, data: patchOf({ op: 'add', path: `${enterprise}:manager`, value }) },
  })),
);
const creations: fc.Arbitrary<Operation[]> = fc
  .tuple(fc.subarray(bulkIds), fc.array(data, { minLength: 4, maxLength: 4 }))
  .map(([ids, bodies]) =>
    ids.map((bulkId, index) => ({
      ...{ method: 'POST', path: '/Users', bulkId },
      data: bodies[index] as Json,
    })),
  );
const operations: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(creations, fc.array(change, { minLength: 1, maxLength: 12 }))
  .chain(([made, changes]) =>
    fc.shuffledSubarray([...made, ...changes], { minLength: made.length + changes.length }),
  );

const promise = (bulkId: string): string => nobody.replace(/.$/, String(bulkIds.indexOf(bulkId) + 1));

/** One after the other, each a request of its own: what a client would do that has no Bulk. */
class OneByOne {
  readonly statuses: string[] = [];
  readonly ids = new Map<string, string>();
  readonly #failed = new Set<string>();
  readonly #ask: Ask;
  readonly #known: ReadonlySet<string | undefined>;

  constructor(ask: Ask, all: readonly Operation[]) {
    [this.#ask, this.#known] = [ask, new Set(all.map(({ bulkId }) => bulkId))];
  }

  /** @throws where it refers to no operation, or to one that failed. A user who isn't made yet has an id that nobody has. */
  #resolve(value: unknown): unknown {
    if (typeof value === 'string') {
      const id = reference.exec(value)?.[1];
      if (id === undefined) return value;
      if (!this.#known.has(id) || this.#failed.has(id)) throw new Error('refused');
      return this.ids.get(id) ?? promise(id);
    }
    if (Array.isArray(value)) return value.map((one) => this.#resolve(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#resolve(one)]));
  }

  /** The ids that users were referred to by who were made later. */
  promised(): readonly [string, string][] {
    return [...this.ids.keys()].map((id) => [id, promise(id)]);
  }

  async perform({ method, path: to, bulkId, data: body }: Operation): Promise<boolean> {
    const status = await this.#send(method, to, body, bulkId).catch((error: Error) => {
      if (error.message !== 'refused') throw error;
      return 400;
    });
    this.statuses.push(String(status));
    if (status >= 400 && bulkId !== undefined) this.#failed.add(bulkId);
    return status < 400;
  }

  async #send(method: string, to: string, body: unknown, bulkId: string | undefined): Promise<number> {
    const id = this.#resolve(to.replace(/^\/Users\/?/, ''));
    const sent = { method, body: this.#resolve(body) as Json | undefined };
    const answer = await this.#ask(method === 'POST' ? '/Users' : `/Users/${id}`, sent);
    if (answer.status === 201 && bulkId !== undefined) this.ids.set(bulkId, answer.json().id);
    return answer.status;
  }
}

onEachStore('A Bulk that refers to users that it creates', (open) => {
  let lists: Lists;
  let ask: Ask;
  before(async () => {
    lists = await startLists(await open(), []);
    ask = client(lists.service);
  });
  after(() => lists.discard());

  const statusesOf = async (sent: readonly Json[]) => (await bulk(ask, sent)).map(({ status }) => status);

  for (const method of ['PATCH', 'PUT', 'DELETE'])
    it(`changes with ${method} a user that the previous operation creates`, async () => {
      const user = aUser();
      const body = { PATCH: titled('t'), PUT: { ...user, title: 't' }, DELETE: undefined }[method];
      const outcomes = await bulk(ask, [
        { method: 'POST', path: '/Users', bulkId: 'a', data: user },
        { method, path: '/Users/bulkId:a', ...(body === undefined ? {} : { data: body }) },
      ]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal([
        '201',
        method === 'DELETE' ? '204' : '200',
      ]);
      const answer = await ask(`/Users/${outcomes[0]?.location?.replace(/.*\//, '')}`);
      if (method === 'DELETE') expect(answer.status).to.equal(404);
      else expect(answer.json()).to.include({ title: 't' });
    });

  it('finds no user by a path before the operation that creates the user', async () => {
    const sent = [
      { method: 'PATCH', path: '/Users/bulkId:a', data: titled('t') },
      { method: 'POST', path: '/Users', bulkId: 'a', data: aUser() },
    ];
    for (let count = 0; count < 5; count += 1) {
      const again = [sent[0] as Json, { ...sent[1], data: aUser() }];
      expect(await statusesOf(again)).to.deep.equal(['404', '201']);
    }
  });

  it('gives a name below the URN of its schema to the first operation that asks for it', async () => {
    const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
    for (let count = 0; count < 5; count += 1) {
      const { userName } = aUser();
      const outcomes = await statusesOf([
        { method: 'POST', path: '/Users', data: { schemas: [core], [core]: { userName } } },
        { method: 'POST', path: '/Users', data: { schemas: [core], userName } },
      ]);
      expect(outcomes).to.deep.equal(['201', '409']);
    }
  });

  describe('has the location of a failed operation', () => {
    const wrong = patchOf({ op: 'replace', path: 'locale', value: 'no tag' });
    const failing: readonly Operation[] = [
      { method: 'PATCH', path: '/Users/bulkId:a', data: wrong },
      { method: 'DELETE', path: '/Users/bulkId:a', version: '"of-another"' },
    ];

    it('with a path that refers to a user created before', async () => {
      const [made, ...failed] = await bulk(ask, [
        { method: 'POST', path: '/Users', bulkId: 'a', data: aUser() },
        ...failing,
      ]);
      expect(made?.location).to.match(/\/Users\/[0-9a-f-]{36}$/);
      expect(failed.map(({ status }) => status)).to.deep.equal(['400', '412']);
      for (const { location } of failed) expect(location).to.equal(made?.location);
    });

    it('but not when its path refers to an unknown user, or to one that could not be created', async () => {
      const sent = [
        { method: 'POST', path: '/Users', bulkId: 'a', data: aUser({ locale: 'no tag' }) },
        ...failing,
      ];
      for (const operations of [failing, sent])
        for (const outcome of await bulk(ask, operations)) {
          expect(outcome.status).to.equal('400');
          expect(outcome).not.to.have.property('location');
        }
    });
  });

  async function clear(one: Ask): Promise<void> {
    const { Resources } = (await one('/Users?count=1000')).json() as unknown as {
      readonly Resources: readonly { readonly id: string }[];
    };
    for (const { id } of Resources) await one(`/Users/${id}`, { method: 'DELETE' });
  }

  /** With the bulkId in place of each id, since no two services give the same. */
  async function usersIn(one: Ask, ids: Iterable<readonly [string, string]>): Promise<readonly unknown[]> {
    const bulkIdOf = new Map([...ids].map(([bulkId, id]) => [id, bulkId]));
    const { Resources } = (await one('/Users?sortBy=userName')).json() as unknown as {
      readonly Resources: readonly Json[];
    };
    const nameOf = (id: string): string =>
      bulkIdOf.get(id) ?? (/^[0-9a-f-]{36}$/.test(id) ? 'never made' : id);
    return Resources.map(({ id, userName, title, [enterprise]: more }) => [
      ...[nameOf(String(id)), userName, title],
      nameOf(String(Object(Object(more).manager).value)),
    ]);
  }

  it('has the same result as single requests one after the other, and ends after the given number of errors', async () => {
    const other = await startService();
    const askOther = client(other);
    const most = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(operations, most, async (all, failOnErrors) => {
        await clear(ask);
        await clear(askOther);
        const outcomes = await bulk(ask, all, failOnErrors === undefined ? {} : { failOnErrors });
        const oracle = new OneByOne(askOther, all);
        let errors = 0;
        for (const operation of all) {
          if (errors < (failOnErrors ?? all.length + 1)) errors += (await oracle.perform(operation)) ? 0 : 1;
        }
        expect(outcomes.map(({ status }) => status)).to.deep.equal(oracle.statuses);
        const made = outcomes.flatMap(({ bulkId, status, location = '' }): [string, string][] =>
          bulkId !== undefined && status === '201' ? [[bulkId, location.replace(/.*\//, '')]] : [],
        );
        expect(await usersIn(ask, made)).to.deep.equal(
          await usersIn(askOther, [...oracle.ids, ...oracle.promised()]),
        );
      }),
      { numRuns: runs(60) },
    );
    await other.close();
  });

  it('leaves users of other requests alone', async () => {
    const { id } = await create(ask);
    expect(await statusesOf([{ method: 'DELETE', path: '/Users/bulkId:a' }])).to.deep.equal(['400']);
    expect((await ask(`/Users/${id}`)).status).to.equal(200);
  });
});
