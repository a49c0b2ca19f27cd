import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseFilter } from '../../../../src/adapters/apis/scim/filter/parse.ts';
import { planFilter } from '../../../../src/adapters/apis/scim/filter/plan.ts';
import { defineScimUsers } from '../../../../src/adapters/apis/scim/types/user.ts';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { declarations, startDeclared } from '../../../support/declared.ts';
import { runs } from '../../../support/runs.ts';
import type { TestService } from '../../../support/service.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { aFolder, openAt } from '../../stores/sqlite/a-file.ts';
import { aGroup, groupIn } from './groups/group-client.ts';
import { idsOf, listIn, type ScimList } from './lists.ts';
import { client, expectError } from './scim-client.ts';

const own = 'urn:user-management:1:User';
/** With and without filters and sorts. */
const declared = {
  attributes: {
    ...declarations.attributes,
    badge: {
      ...declarations.attributes.badge,
      unique: false,
      filter: true,
      scim: 'urn:acme:Person:badgeNumber',
    },
    born: { type: 'date' },
    scores: { type: 'integer', list: true, filter: true },
    stamps: { type: 'dateTime', list: true, filter: true },
  },
} as const;
const kinds = kindsOf(declared);
const type = defineScimUsers(kinds);

const tenth = (text: string, more = 0): number => Date.parse(text) * 10 + more;
/** Instants as clients write them, by their number of tenths of milliseconds. */
const instants: Readonly<Record<string, number>> = {
  '2026-01-02T03:04:05.678Z': tenth('2026-01-02T03:04:05.678Z'),
  '2026-01-02T04:04:05.678+01:00': tenth('2026-01-02T03:04:05.678Z'),
  '2026-01-02T03:04:05.6780Z': tenth('2026-01-02T03:04:05.678Z'),
  '2026-01-02T03:04:05.6789Z': tenth('2026-01-02T03:04:05.678Z', 9),
  '2026-01-02T03:04:05.679Z': tenth('2026-01-02T03:04:05.679Z'),
  '2026-01-02T03:04:05': tenth('2026-01-02T03:04:05.000Z'),
  '2026-01-01T24:00:00Z': tenth('2026-01-02T00:00:00.000Z'),
  '2026-01-02T00:00:00Z': tenth('2026-01-02T00:00:00.000Z'),
};
const storedInstants = Object.keys(instants).filter(
  (text) => /^[^.]*(?:\.\d{3})?Z$/.test(text) && !text.includes('T24'),
);

type Value = string | number | boolean;
interface Field {
  readonly name: string;
  readonly path: string;
  readonly stored: readonly Value[];
  /** Of filters, besides. */
  readonly asked?: readonly Value[];
  readonly isList?: boolean;
  readonly operators: readonly string[];
  /** By which values are compared. */
  readonly key: (value: Value) => Value;
}

const equality = ['eq', 'ne'];
const ordered = [...equality, 'gt', 'ge', 'lt', 'le'];
const ofTexts = [...ordered, 'co', 'sw', 'ew'];
const lower = (value: Value) => String(value).toLowerCase();
const dates = ['2024-02-29', '2024-03-01', '1999-12-31', '2024-02-28'];
const ofInstants = {
  stored: storedInstants,
  asked: Object.keys(instants),
  operators: ordered,
  key: (text: Value) => instants[String(text)] ?? Number.NaN,
};
const fields: readonly Field[] = [
  {
    name: 'badge',
    path: 'badgeNumber',
    stored: [1, 9, 10, 42, 9007199254740991],
    asked: [5.5, -1, 1e3],
    operators: ordered,
    key: Number,
  },
  {
    name: 'rate',
    path: `${own}:rate`,
    stored: [0, 0.1, 0.25, 1.5, 100],
    asked: [-0.5, 1e21],
    operators: ordered,
    key: Number,
  },
  { name: 'scores', path: 'scores', stored: [-3, 0, 2, 10], isList: true, operators: ordered, key: Number },
  {
    name: 'hired',
    path: `${own}:hired`,
    stored: dates,
    asked: ['2024', '2024-02-30'],
    operators: ofTexts,
    key: lower,
  },
  { name: 'born', path: 'born', stored: dates, operators: ofTexts, key: lower },
  {
    name: 'level',
    path: 'LEVEL',
    stored: ['junior', 'senior'],
    asked: ['Senior', 'sen'],
    operators: ofTexts,
    key: lower,
  },
  {
    name: 'sites',
    path: 'sites.value',
    stored: ['Oslo', 'oslo city', 'Bergen'],
    asked: ['OSLO'],
    isList: true,
    operators: ofTexts,
    key: lower,
  },
  { name: 'remote', path: 'remote', stored: [true, false], operators: equality, key: String },
  { name: 'seen', path: 'seen', ...ofInstants },
  { name: 'stamps', path: 'stamps', isList: true, ...ofInstants },
  { name: 'validUntil', path: 'validUntil', ...ofInstants },
];

type Person = Readonly<Record<string, readonly Value[]>>;

const anyPerson: fc.Arbitrary<Person> = fc
  .tuple(
    ...fields.map(({ stored, isList }) =>
      fc.uniqueArray(fc.constantFrom(...stored), { maxLength: isList ? 3 : 1 }),
    ),
  )
  .map((values) => Object.fromEntries(fields.map(({ name }, at) => [name, values[at] ?? []])));

function bodyOf(person: Person, userName: string): object {
  const values = fields.flatMap(({ name, isList }) => {
    const all = person[name] ?? [];
    return all.length === 0 ? [] : [[name, isList ? all : all[0]] as const];
  });
  const [attributes, others] = [
    values.filter(([name]) => name !== 'validUntil'),
    values.filter(([name]) => name === 'validUntil'),
  ];
  return {
    userName,
    active: false,
    ...Object.fromEntries(others),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
  };
}

const tests: Readonly<Record<string, (one: Value, other: Value) => boolean>> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
  co: (one, other) => String(one).includes(String(other)),
  sw: (one, other) => String(one).startsWith(String(other)),
  ew: (one, other) => String(one).endsWith(String(other)),
};

interface Filter {
  readonly text: string;
  readonly finds: (person: Person) => boolean;
}

const leaf: fc.Arbitrary<Filter> = fc
  .constantFrom(...fields)
  .chain(({ name, path, stored, asked = [], operators, key }) => {
    const written = fc
      .constantFrom(...stored, ...asked)
      .chain((value) =>
        fc
          .constantFrom(JSON.stringify(value), JSON.stringify(String(value)))
          .map((text) => ({ value, text })),
      );
    const compared = fc
      .tuple(fc.constantFrom(...operators), written)
      .map(([operator, { value, text }]): Filter => {
        const test = tests[operator] ?? (() => false);
        return {
          text: `${path} ${operator} ${text}`,
          finds: ({ [name]: values = [] }) =>
            values.length === 0 ? operator === 'ne' : values.some((one) => test(key(one), key(value))),
        };
      });
    const present = fc.constant<Filter>({
      text: `${path} pr`,
      finds: ({ [name]: values = [] }) => values.length > 0,
    });
    return fc.oneof({ weight: 9, arbitrary: compared }, { weight: 1, arbitrary: present });
  });
const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  leaf,
  leaf.map(({ text, finds }): Filter => ({ text: `not (${text})`, finds: (person) => !finds(person) })),
  fc.tuple(leaf, leaf).map(
    ([one, other]): Filter => ({
      text: `${one.text} and ${other.text}`,
      finds: (person) => one.finds(person) && other.finds(person),
    }),
  ),
  fc.tuple(leaf, leaf).map(
    ([one, other]): Filter => ({
      text: `${one.text} or ${other.text}`,
      finds: (person) => one.finds(person) || other.finds(person),
    }),
  ),
);

const stores: Readonly<Record<string, () => Promise<{ store: UserStore | Store; remove: () => void }>>> = {
  memory: async () => ({ store: memoryStore(kinds), remove: () => {} }),
  async SQLite() {
    const folder = aFolder();
    return { store: await openAt(join(folder.path, 'users.db'), { kinds }), remove: () => folder.remove() };
  },
};

for (const [name, open] of Object.entries(stores))
  describe(`A SCIM filter by declared attributes, with users in ${name},`, () => {
    let service: TestService;
    let remove: () => void;
    const people = new Map<string, Person>();
    before(async () => {
      const opened = await open();
      remove = opened.remove;
      service = await startDeclared(declared, {}, opened.store);
      for (const [at, person] of fc.sample(anyPerson, 40).entries()) {
        const answer = await service.send('/users', {
          method: 'POST',
          body: JSON.stringify(bodyOf(person, `user${at}`)),
          headers: { 'Content-Type': 'application/json' },
        });
        expect(answer.status, answer.text).to.equal(201);
        people.set(answer.json().id, person);
      }
    });
    after(async () => {
      await service.close();
      remove();
    });

    const list = async (query: Readonly<Record<string, string>>): Promise<ScimList> =>
      // A plus for a space would also stand for itself.
      listIn(await service.send(`/scim/v2/Users?${new URLSearchParams(query)}`.replaceAll('+', '%20')));

    it('finds by index what it finds by looking at each user', async () => {
      await fc.assert(
        fc.asyncProperty(anyFilter, async ({ text, finds }) => {
          const wanted = [...people].filter(([, person]) => finds(person)).map(([id]) => id);
          expect(idsOf(await list({ filter: text })).sort(), text).to.deep.equal(wanted.sort());
          // No index tells a part of a name.
          const looked = await list({ filter: `(${text}) and userName co "user"` });
          expect(idsOf(looked).sort(), text).to.deep.equal(wanted);
        }),
        { numRuns: runs(1000) },
      );
    });

    it('can be sorted in the order of their type', async () => {
      for (const [sortBy, field] of [
        ['badgeNumber', 'badge'],
        [`${own}:hired`, 'hired'],
        ['rate', 'rate'],
      ] as const) {
        const { Resources } = await list({ sortBy, sortOrder: 'descending' });
        const values = Resources.flatMap(({ id }) => people.get(id)?.[field] ?? []);
        const order = (one: Value, other: Value) => (one < other ? 1 : Number(one > other) * -1);
        expect(values).to.deep.equal(values.toSorted(order));
        expect(Resources).to.have.length(people.size);
      }
      const refused = expectError(await client(service)('/Users?sortBy=born'), 400, 'invalidValue');
      expect(refused).to.include('department, badgeNumber, hired, rate, seen, validFrom');
    });
  });

describe('The plan of a filter by declared attributes', () => {
  const planOf = (text: string) => planFilter(parseFilter(type, text));
  for (const text of [
    ...[
      'badgeNumber eq 42',
      'badgeNumber ne "42"',
      'badgeNumber pr',
      'badgeNumber gt 42',
      'not (badgeNumber le 42)',
    ],
    ...[
      'rate eq 1.5',
      'rate lt 1.5',
      'hired ge "2024-01-01"',
      'hired gt "2024"',
      'level eq "SENIOR"',
      'remote eq true',
    ],
    ...[
      'seen eq "2026-01-02T03:04:05Z"',
      'seen le "2026-01-02T03:04:05.0001Z"',
      'sites eq "oslo"',
      'scores[value eq 3]',
    ],
    ...['stamps eq "2026-01-02T03:04:05Z"', 'meta.created ge "2026-01-02T03:04:05Z" and badgeNumber lt 5'],
  ])
    it(`covers all of ${text}`, () => {
      expect(planOf(text).isExact).to.equal(true);
    });
  for (const text of [
    'born gt "2024-01-01"',
    'born eq "2024-01-01"',
    'scores gt 3',
    'level gt "a"',
    'hired sw "2024"',
    'scores ne 3',
  ])
    it(`leaves ${text} to a comparison of each user`, () => {
      expect(planOf(text).isExact).to.equal(false);
    });

  it('is refused for values of another type, with the place', () => {
    for (const [text, fault] of [
      ['badgeNumber eq "x"', 'At character 16: a number is expected.'],
      ['badgeNumber eq true', 'At character 16: a number is expected.'],
      ['rate gt 1e999', 'At character 9: a number is expected.'],
      [
        'badgeNumber sw 4',
        'At character 13: this attribute is compared by eq, ne, gt, ge, lt, le and pr only.',
      ],
      ['hired eq 2024', 'At character 10: a text in quotes is expected.'],
      [
        'seen gt "2026-01-02"',
        'At character 9: a date with a time is expected, such as "2026-01-31T23:59:59Z".',
      ],
    ] as const)
      expect(() => planOf(text), text).to.throw(fault);
  });
});

describe('A filter by the names and values of undeclared attributes', () => {
  it('finds them where a declared attribute is called name or value', async () => {
    const group = 'urn:user-management:1:Group';
    const service = await startDeclared({
      groups: {
        name: { type: 'string', filter: true, sort: true },
        value: { type: 'integer', filter: true },
      },
    });
    const ask = client(service);
    const create = async (own: object) =>
      groupIn(await ask('/Groups', { method: 'POST', body: aGroup({ [group]: own }) })).id;
    const listed = await create({ name: 'red', attributes: [{ name: 'floor', value: '2' }] });
    const named = await create({ name: 'floor', value: 2 });
    for (const [filter, found] of [
      ['attributes[name eq "floor"]', listed],
      ['attributes.name eq "floor"', listed],
      ['attributes.value eq "2"', listed],
      ['attributes.name gt "e"', listed],
      ['attributes pr', listed],
      ['name eq "floor"', named],
      ['value gt 1', named],
    ] as const)
      expect(
        idsOf(listIn(await ask(`/Groups?${new URLSearchParams({ filter })}`.replaceAll('+', '%20')))),
        filter,
      ).to.deep.equal([found]);
    expectError(await ask('/Groups?sortBy=attributes.name'), 400, 'invalidValue');
    await service.close();
  });
});
