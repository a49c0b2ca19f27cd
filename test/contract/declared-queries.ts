/** Lists by declared attributes over HTTP, compared with a plain filter and sort over all users' values. */

import { expect } from 'chai';
import fc from 'fast-check';
import type { Declarations } from '../../src/domain/kinds/attributes/declaration.ts';
import { type Kinds, kindsOf } from '../../src/domain/kinds.ts';
import type { Store } from '../../src/domain/store.ts';
import { startDeclared } from '../support/declared.ts';
import { isWhole, runs } from '../support/runs.ts';
import type { TestService } from '../support/service.ts';

const declarations = {
  attributes: {
    badge: { type: 'integer', filter: true },
    rate: { type: 'decimal', sort: true, filter: true },
    hired: { type: 'date', filter: true },
    seen: { type: 'dateTime', filter: true },
    level: { type: 'string', filter: true, sort: true, search: true },
    remote: { type: 'boolean', filter: true, sort: true },
    sites: { type: 'string', list: true, filter: true },
    scores: { type: 'integer', list: true, filter: true },
  },
} as const satisfies Declarations;

type Name = keyof typeof declarations.attributes;
type Value = string | number | boolean;
type Values = Partial<Record<Name, Value | readonly Value[]>>;

const words = ['alpha', 'Alpha', 'beta', 'gamma ray', 'delta-4'];
/** Few values of each type, so that many are equal, and some that text order would put wrong. */
const values: Readonly<Record<Name, readonly Value[]>> = {
  badge: [-100, -9, 0, 2, 10, 9_007_199_254_740_991],
  rate: [-1.5, -0.25, 0, 0.000001, 9.5, 10, 123456789.125],
  hired: ['0999-12-31', '1999-12-31', '2000-02-29', '2024-01-01'],
  seen: ['1969-12-31T23:59:59.999Z', '2026-01-02T03:04:05.000Z', '2026-01-02T03:04:05.001Z'],
  level: words,
  remote: [true, false],
  sites: words,
  scores: [-1, 3, 20],
};
const ranged: readonly Name[] = ['badge', 'rate', 'hired', 'seen'];
const sorted: readonly Name[] = [...ranged, 'level', 'remote'];
const names = Object.keys(values) as Name[];
const isList = (name: Name): boolean => name === 'sites' || name === 'scores';

const anyOf = (name: Name) => fc.constantFrom(...values[name]);
const anyValues: fc.Arbitrary<Values> = fc.record(
  Object.fromEntries(
    names.map((name) => [
      name,
      isList(name) ? fc.uniqueArray(anyOf(name), { minLength: 1, maxLength: 3 }) : anyOf(name),
    ]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Values>;

type Asked =
  | { readonly name: Name; readonly is: 'in' | 'not'; readonly these: readonly Value[] }
  | { readonly name: Name; readonly is: 'exists'; readonly truth: boolean }
  | {
      readonly name: Name;
      readonly is: 'range';
      readonly from?: Value | undefined;
      readonly to?: Value | undefined;
    }
  | { readonly name: 'level'; readonly is: 'word'; readonly word: string };

const anyAsked: fc.Arbitrary<Asked> = fc.oneof(
  fc.constantFrom(...names).chain((name) =>
    fc.oneof(
      fc.record({
        name: fc.constant(name),
        is: fc.constant('in' as const),
        these: fc.uniqueArray(anyOf(name), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ name: fc.constant(name), is: fc.constant('not' as const), these: fc.tuple(anyOf(name)) }),
      fc.record({ name: fc.constant(name), is: fc.constant('exists' as const), truth: fc.boolean() }),
    ),
  ),
  fc.constantFrom(...ranged).chain((name) =>
    fc.record({
      name: fc.constant(name),
      is: fc.constant('range' as const),
      from: fc.option(anyOf(name), { nil: undefined }),
      to: fc.option(anyOf(name), { nil: undefined }),
    }),
  ),
  fc
    .constantFrom('alp', 'beta', 'ray', '4')
    .map((word) => ({ name: 'level' as const, is: 'word' as const, word })),
);

/** Of each directory. Twenty thousand in all where all rounds run. */
const queries = isWhole ? 2000 : 15;

const anyQuery = fc.record({
  asked: fc.uniqueArray(anyAsked, { maxLength: 3, selector: ({ name, is }) => `${name} ${is}` }),
  by: fc.option(fc.constantFrom(...sorted), { nil: undefined }),
  descending: fc.boolean(),
  limit: fc.constantFrom(1, 3, 100),
});
type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

const all = (one: Values[Name]): readonly Value[] =>
  one === undefined ? [] : ([one].flat() as readonly Value[]);
const plain = (value: Value): string => String(value).toLowerCase();
const isBelow = (one: Value, other: Value): boolean => one < other;

function isAsked(user: Values, asked: Asked): boolean {
  const own = all(user[asked.name]);
  if (asked.is === 'exists') return own.length > 0 === asked.truth;
  if (asked.is === 'word')
    return own.some((value) => new RegExp(`(^|[^a-z0-9])${asked.word}`, 'i').test(String(value)));
  if (asked.is === 'range') {
    const { name, from, to } = asked;
    if (from === undefined && to === undefined) return true;
    return own.some(
      (value) =>
        (from === undefined || !isBelow(value, from)) &&
        (to === undefined || (name === 'seen' ? isBelow(value, to) : !isBelow(to, value))),
    );
  }
  const found = own.some((value) => asked.these.some((one) => plain(one) === plain(value)));
  return found === (asked.is === 'in');
}

function parametersOf(asked: Asked): readonly (readonly [string, string])[] {
  const name = `attributes.${asked.name}`;
  if (asked.is === 'exists') return [[`${name}.exists`, String(asked.truth)]];
  if (asked.is === 'word') return [['search', asked.word]];
  if (asked.is === 'range')
    return (['from', 'to'] as const).flatMap((end) =>
      asked[end] === undefined ? [] : [[`${name}.${end}`, String(asked[end])] as const],
    );
  const [only] = asked.these;
  if (asked.is === 'in' && asked.these.length > 1)
    return asked.these.map((one) => [`${name}.in`, String(one)]);
  return [[asked.is === 'in' ? name : `${name}.not`, String(only)]];
}

interface Known {
  readonly id: string;
  readonly values: Values;
}

/** In the order of the list: without a value last, equal ones by id. */
function answer(users: readonly Known[], { asked, by, descending }: Query): readonly string[] {
  const found = users.filter((user) => asked.every((one) => isAsked(user.values, one)));
  const way = descending ? -1 : 1;
  const keyOf = ({ values: own }: Known): Value | undefined => {
    const [value] = by === undefined ? [] : all(own[by]);
    return typeof value === 'string' ? value.toLowerCase() : value;
  };
  return found
    .sort((one, other) => {
      const [left, right] = [keyOf(one), keyOf(other)];
      if ((left === undefined) !== (right === undefined)) return left === undefined ? 1 : -1;
      if (left !== undefined && right !== undefined && left !== right)
        return isBelow(left, right) ? -way : way;
      return one.id < other.id ? -way : way;
    })
    .map(({ id }) => id);
}

const isTwisted = ({ from, to }: { from?: Value | undefined; to?: Value | undefined }): boolean =>
  from !== undefined && to !== undefined && isBelow(to, from);

async function expectAnswer(service: TestService, users: readonly Known[], query: Query): Promise<void> {
  const { asked, by, descending, limit } = query;
  // Refused.
  if (asked.some((one) => one.is === 'range' && isTwisted(one))) return;
  const order = `${descending ? '-' : ''}${by === undefined ? 'id' : `attributes.${by}`}`;
  const parameters = new URLSearchParams(asked.flatMap(parametersOf).map((pair) => [...pair]));
  for (const [name, value] of [
    ['userType', asking],
    ['sort', order],
    ['limit', String(limit)],
    ['total', 'true'],
  ] as const)
    parameters.append(name, value);
  const wanted = answer(users, query);
  const seen: string[] = [];
  for (let path: string | undefined = `/users?${parameters}`; path !== undefined; ) {
    const page = await service.send(path);
    expect(page.status, `${path}: ${page.text}`).to.equal(200);
    expect(page.json().total, path).to.equal(wanted.length);
    seen.push(...page.json().users.map(({ id }) => id));
    path = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(seen, parameters.toString()).to.deep.equal(wanted);
}

/** The `userType` of the users that are asked for. */
const asking = 'steady';

const send = (service: TestService, method: string, path: string, user: object) =>
  service.send(path, { method, body: JSON.stringify(user), headers: { 'Content-Type': 'application/json' } });

async function create(service: TestService, user: object): Promise<string> {
  const created = await send(service, 'POST', '/users', user);
  expect(created.status, created.text).to.equal(201);
  return created.json().id;
}

/** Creates, changes and removes users of another type until the end. */
async function writeOthers(service: TestService, isOver: () => boolean): Promise<void> {
  const contents = fc.sample(anyValues, 50);
  for (let at = 0; !isOver(); at += 1) {
    const [one, other] = [contents[at % 50], contents[(at + 1) % 50]];
    const user = { userName: `other${at}`, userType: 'moving' };
    const path = `/users/${await create(service, { ...user, attributes: one })}`;
    const changed = await send(service, 'PUT', path, { ...user, attributes: other });
    expect(changed.status, changed.text).to.equal(200);
    expect((await service.send(path, { method: 'DELETE' })).status).to.equal(204);
  }
}

/** @param open a store without users of these kinds */
export function declaredQueryCases(open: (kinds: Kinds) => Promise<Store>): void {
  it('finds, counts and orders the same users by any declared attributes as a plain filter and sort, while others are written', async () => {
    const service = await startDeclared(declarations, {}, await open(kindsOf(declarations)));
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.array(anyValues, { minLength: 1, maxLength: 20 }),
          fc.array(anyQuery, { minLength: queries, maxLength: queries, size: 'max' }),
          async (contents, asked) => {
            const users: Known[] = [];
            for (const [at, content] of contents.entries()) {
              const user = { userName: `user${at}`, userType: asking, attributes: content };
              users.push({ id: await create(service, user), values: content });
            }
            let isOver = false;
            const writing = writeOthers(service, () => isOver);
            try {
              for (const query of asked) await expectAnswer(service, users, query);
            } finally {
              isOver = true;
              await writing;
              for (const { id } of users) await service.send(`/users/${id}`, { method: 'DELETE' });
            }
          },
        ),
        { numRuns: runs(10) },
      );
    } finally {
      await service.close();
    }
  });
}
