import { expect } from 'chai';
import fc from 'fast-check';
import { makeListCursor } from '../../../../src/adapters/apis/resources/cursor.ts';
import { cursorScope } from '../../../../src/adapters/apis/resources/list-query.ts';
import { userDefinition } from '../../../support/kinds.ts';
import { runs } from '../../../support/runs.ts';
import { aToken } from '../../../support/service.ts';
import { type Directory, openDirectory } from '../changes/directory.ts';

const departments = ['Sales', 'Marketing', 'R&D, new'];
const managers = ['boss-1', 'Boss-2'];
const someTexts = (texts: readonly string[]) => fc.subarray([...texts]);

interface Person {
  readonly department: string | undefined;
  readonly manager: string | undefined;
  readonly roles: readonly string[];
  readonly emails: readonly string[];
  /** Places of the groups. */
  readonly groups: readonly number[];
}

/** The values by which each filter finds a person, as they are compared. */
const valuesOf: Readonly<Record<string, (person: Person) => readonly string[]>> = {
  department: ({ department }) => (department === undefined ? [] : [department.toLowerCase()]),
  manager: ({ manager }) => (manager === undefined ? [] : [manager.toLowerCase()]),
  role: ({ roles }) => roles,
  email: ({ emails }) => emails,
  group: ({ groups }) => groups.map(String),
};
const pools: Readonly<Record<string, readonly string[]>> = {
  department: ['sales', 'marketing', 'r&d, new', 'none'],
  manager: ['boss-1', 'boss-2', 'none'],
  role: ['a', 'b', 'none'],
  email: ['one@example.org', 'two@example.org'],
  group: ['0', '1', '2'],
};

const people = fc.sample(
  fc.record<Person>({
    department: fc.option(fc.constantFrom(...departments), { nil: undefined }),
    manager: fc.option(fc.constantFrom(...managers), { nil: undefined }),
    roles: someTexts(['a', 'b', 'c']),
    emails: someTexts(['one@example.org', 'two@example.org']),
    groups: fc.subarray([0, 1]),
  }),
  { numRuns: 40, seed: 1 },
);

type Asked = readonly [filter: string, operator: string, values: readonly string[]];

const asked: fc.Arbitrary<Asked> = fc.constantFrom(...Object.keys(pools)).chain((filter) => {
  const value = fc.constantFrom(...(pools[filter] ?? []));
  const one = value.map((text) => [text]);
  return fc.oneof(
    fc.tuple(fc.constant(filter), fc.constantFrom('', '.not'), one),
    fc.tuple(fc.constant(filter), fc.constant('.in'), fc.array(value, { minLength: 1, maxLength: 4 })),
    fc.tuple(fc.constant(filter), fc.constant('.exists'), fc.constantFrom(['true'], ['false'])),
  );
});

const isFound = (person: Person, [filter, operator, values]: Asked): boolean => {
  const own = valuesOf[filter]?.(person) ?? [];
  if (operator === '.exists') return own.length > 0 === (values[0] === 'true');
  return own.some((value) => values.includes(value)) === (operator !== '.not');
};

describe('Filters by several values, by absence and by exclusion', () => {
  let directory: Directory;
  let groups: readonly string[];
  before(async () => {
    directory = await openDirectory();
    const ids = await Promise.all(
      people.map(({ department, manager, emails, roles }, at) =>
        directory.write('POST', '/users', {
          ...{ userName: `person-${at}`, roles, emails: emails.map((value) => ({ value })) },
          enterprise: { department, manager: manager && { value: manager } },
        }),
      ),
    );
    groups = await Promise.all(
      ['one', 'two', 'empty'].map((displayName) => directory.write('POST', '/groups', { displayName })),
    );
    for (const [at, person] of people.entries())
      for (const group of person.groups)
        await directory.write('PUT', `/groups/${groups[group]}/members/${ids[at]}`);
  });
  after(() => directory.close());

  const queryOf = (all: readonly Asked[]): string =>
    all
      .flatMap(([filter, operator, values]) =>
        values.map((value) => {
          const isGroup = filter === 'group' && operator !== '.exists';
          return `${filter}${operator}=${encodeURIComponent(isGroup ? String(groups[Number(value)]) : value)}`;
        }),
      )
      .join('&');

  async function walk(query: string): Promise<{ names: string[]; total: unknown }> {
    const names: string[] = [];
    let total: unknown;
    for (let at: string | undefined = `/users?${query}`; at !== undefined; ) {
      const { status, text, headers } = await directory.send(at);
      expect(status, `${at}: ${text}`).to.equal(200);
      const body = JSON.parse(text);
      total ??= body.total;
      names.push(...body.users.map(({ userName }: { userName: string }) => userName));
      at = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    return { names: names.sort(), total };
  }
  const namesOf = async (path: string): Promise<string[]> => {
    const body = JSON.parse((await directory.send(path)).text);
    return (body.groups ?? body.users).map((one: Record<string, string>) => one.displayName).sort();
  };

  it('find what a plain comparison finds, in any combination, on each page and with the total', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(asked, {
          selector: ([filter, operator]) => filter + operator,
          minLength: 1,
          maxLength: 4,
        }),
        fc.constantFrom('', '&sort=-userName'),
        async (all, order) => {
          const wanted = people.flatMap((person, at) =>
            all.every((one) => isFound(person, one)) ? [`person-${at}`] : [],
          );
          const query = queryOf(all);
          expect(await walk(`${query}${order}&limit=7&total=true`), query).to.deep.equal({
            names: wanted.sort(),
            total: wanted.length,
          });
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('find groups with and without members, or with given members', async () => {
    expect(await namesOf('/groups?member.exists=false')).to.deep.equal(['empty']);
    expect(await namesOf('/groups?member.exists=true')).to.deep.equal(['one', 'two']);
    expect(await namesOf('/groups?displayName.in=ONE&displayName.in=empty')).to.deep.equal(['empty', 'one']);
    expect(await namesOf('/groups?displayName.not=two&externalId.exists=false')).to.deep.equal([
      'empty',
      'one',
    ]);
    const [member] = JSON.parse(
      (await directory.send(`/users?group=${groups[0]}&group.not=${groups[1]}`)).text,
    ).users;
    expect(await namesOf(`/groups?member.not=${member.id}`)).to.deep.equal(['empty', 'two']);
    expect(await namesOf(`/groups?member.in=${groups[0]}&member.in=${member.id}`)).to.deep.equal(['one']);
  });

  it('by group require the scope that shows groups', async () => {
    const authorization = `Bearer ${await aToken(['users:read'])}`;
    for (const query of [
      'group.exists=false',
      'group.exists=true',
      `group.in=${groups[0]}`,
      `group.not=${groups[0]}`,
    ])
      expect(
        (await directory.send(`/users?${query}`, { headers: { authorization } })).status,
        query,
      ).to.equal(403);
  });

  it('make different lists: the cursor of one is refused for another', async () => {
    const afterOf = async (query: string) =>
      /after=([\w-]+)/.exec((await directory.send(`/users?limit=1&${query}`)).headers.get('link') ?? '')?.[1];
    const queries = ['role.in=a', 'role.in=a&role.in=b', 'role.not=c', 'role.exists=true', 'role=a', ''];
    for (const query of queries) {
      const after = await afterOf(query);
      for (const other of queries) {
        const { status } = await directory.send(`/users?limit=1&${other}&after=${after}`);
        expect(status, `${query} for ${other}`).to.equal(query === other ? 200 : 400);
      }
    }
  });

  it('leave cursors of earlier releases valid', async () => {
    const parts = { filters: { role: 'a' }, search: undefined, sort: {} };
    expect(cursorScope(userDefinition.kind, parts).parameters).to.deep.equal(['user', ['role', 'a']]);
    const after = makeListCursor(
      { id: '00000000-0000-4000-8000-000000000000' },
      cursorScope(userDefinition.kind, parts),
    );
    expect((await directory.send(`/users?role=a&limit=1&after=${after}`)).status).to.equal(200);
  });

  it('keep links short enough for clients and proxies; a longer query gets only the first link', async () => {
    const linksOf = async (query: string) =>
      (await directory.send(`/users?limit=1&${query}`)).headers.get('link') ?? '';
    const relationsIn = (link: string) => [...link.matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation);
    const many = Array.from(
      { length: 98 },
      (_, at) => `group.in=00000000-0000-4000-8000-000000000${at + 100}`,
    );
    const query = [...many, `group.in=${groups[0]}`, `group.in=${groups[1]}`].join('&');
    const first = await linksOf(query);
    expect(relationsIn(first)).to.deep.equal(['next']);
    expect(relationsIn(await linksOf(query.slice(-2000).replace(/^[^&]*&/, '')))).to.deep.equal([
      'next',
      'first',
      'last',
    ]);
    const [, after] = /after=([\w-]+)/.exec(first) ?? [];
    expect(first).to.include(`${query}&after=${after}`);
    expect(relationsIn(await linksOf(`${query}&after=${after}`))).to.deep.equal(['next']);
  });
});
