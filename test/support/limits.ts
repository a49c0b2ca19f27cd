/** Users at a limit of the schema, and the same just beyond it: a pair for each limit there is. */
import type { TSchema } from 'typebox';
import { kindOf } from '../../src/adapters/formats/xml-shape.ts';
import { User } from '../../src/domain/user.ts';
import { aUser } from './a-user.ts';

export interface AtLimit {
  readonly name: string;
  readonly within: User;
  readonly beyond: User;
}

type Pair = readonly [within: unknown, beyond: unknown];
interface Found {
  readonly name: string;
  readonly pair: Pair;
}

/** So many characters, of which some take two code units and four bytes. */
const characters = (length: number): string => 'x\u{1F600}'.repeat(length).slice(0, Math.ceil(length * 1.5));
const exactly = (length: number): string => [...characters(2 * length)].slice(0, length).join('');

/** Pairs of a text that the pattern allows and one that it does not, by member. */
const patterned: Readonly<Record<string, readonly Pair[]>> = {
  id: [['00000000-0000-7000-8000-000000000000', '00000000-0000-7000-8000-00000000000g']],
  preferredLanguage: [
    ['zh-cmn-Hans-CN-x-a', 'zh_CN'],
    ['i-klingon', 'i-kling0n'],
    ['x-a', 'en-'],
  ],
  locale: [['de-CH-1996', 'e']],
  timezone: [
    ['A'.repeat(64), 'A'.repeat(65)],
    ['Etc/GMT+1', 'Etc//GMT'],
    ['America/Port-au-Prince', '/UTC'],
  ],
  country: [
    ['NL', 'NLD'],
    ['nl', 'N1'],
  ],
  value: [
    [`a@${'b'.repeat(252)}`, `a@${'b'.repeat(253)}`],
    ['a@b', 'a b@c'],
    ['\u00e9\u{1F600}@b', 'a\u00a0@b'],
    ['a@\u4f8b', 'a\u2003@b'],
    ['"a"@b', '@b'],
    ['a.@b', 'a@b@c'],
  ],
};

const keywords = (schema: TSchema) =>
  schema as unknown as Readonly<Record<string, number | string | undefined>>;

function pairsOf(schema: TSchema, name: string): readonly Pair[] {
  const { type, pattern, maxLength } = keywords(schema);
  if (pattern !== undefined) {
    const pairs = patterned[name];
    if (pairs === undefined) throw new Error(`no values for the pattern of ${name}`);
    return pairs;
  }
  if (maxLength !== undefined) return [[exactly(Number(maxLength)), exactly(Number(maxLength) + 1)]];
  return type === 'boolean' ? [[true, 'maybe']] : [];
}

const some: Readonly<Record<string, unknown>> = { value: 'a@b' };
const item = (schema: TSchema, index: number): unknown =>
  kindOf(schema).is === 'value' ? `item ${index}` : { ...some, value: `a${index}@b` };
const items = (schema: TSchema, length: number): unknown[] =>
  Array.from({ length }, (_, index) => item(schema, index));

const pairsIn = (length: number, value: string): [string, string][] =>
  Array.from({ length }, (_, index): [string, string] => [`a${index}`, value]);

function collectPairs(schema: TSchema, name: string, path: string): Found[] {
  const kind = kindOf(schema);
  const { maxItems = 0, maxProperties = 0, uniqueItems } = keywords(schema);
  if (kind.is === 'value')
    return pairsOf(schema, name).map((pair, at) => ({ name: `${path} (${at + 1})`, pair }));
  if (kind.is === 'list') {
    const of = kind.of;
    const most = Number(maxItems);
    const inside = collectPairs(of, name, `${path}[]`).map(({ name: at, pair }) => ({
      name: at,
      pair: [[pair[0]], [pair[1]]] as Pair,
    }));
    const unique: Found[] = uniqueItems
      ? [
          {
            name: `${path}, twice`,
            pair: [
              ['a', 'A'],
              ['a', 'a'],
            ],
          },
        ]
      : [];
    // Addresses have no value.
    const fits =
      kind.item === 'address'
        ? (n: number) => Array.from({ length: n }, () => ({ country: 'NL' }))
        : (n: number) => items(of, n);
    return [...inside, ...unique, { name: `${path}, count`, pair: [fits(most), fits(most + 1)] }];
  }
  if (kind.is === 'map') {
    const most = Number(maxProperties);
    const values = collectPairs(kind.of, name, `${path}{}`).map(({ name: at, pair }) => ({
      name: at,
      pair: [{ a: pair[0] }, { a: pair[1] }] as Pair,
    }));
    const keys: Pair[] = [
      [{ ['a'.repeat(64)]: 'x' }, { ['a'.repeat(65)]: 'x' }],
      [{ 'A-_9': 'x' }, { '9a': 'x' }],
    ];
    const count: Pair = [Object.fromEntries(pairsIn(most, 'x')), Object.fromEntries(pairsIn(most + 1, 'x'))];
    return [...values, ...[...keys, count].map((pair, at) => ({ name: `${path}, names (${at + 1})`, pair }))];
  }
  const required = (schema as { required?: readonly string[] }).required ?? [];
  return [...kind.members].flatMap(([member, of]) =>
    collectPairs(of, member, `${path}.${member}`).map(({ name: at, pair }) => {
      const beside = Object.fromEntries(required.map((need) => [need, some[need]]));
      return { name: at, pair: pair.map((value) => ({ ...beside, [member]: value })) as unknown as Pair };
    }),
  );
}

/** A pair for every limit of every member that a client may set. */
export const limits: readonly AtLimit[] = Object.entries(User.properties)
  .filter(([name]) => name !== 'meta')
  .flatMap(([name, schema]) =>
    collectPairs(schema, name, name).map(({ name: at, pair: [within, beyond] }) => ({
      name: at,
      within: { ...aUser({ userName: 'ada' }), [name]: within } as User,
      beyond: { ...aUser({ userName: 'ada' }), [name]: beyond } as User,
    })),
  );
