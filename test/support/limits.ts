/** Users at a limit of the schema, and the same just beyond it: a pair for each limit there is. */

import type { TSchema } from 'typebox';
import { shapeOf } from '../../src/adapters/formats/port/schema-shapes.ts';
import { User } from '../../src/domain/kinds/user/user.ts';
import {
  base64,
  country,
  emailAddress,
  languageTag,
  timeZone,
  uri,
} from '../../src/domain/kinds/user/user-patterns.ts';
import { uuidPattern } from '../../src/domain/validation/plain-values.ts';
import { aUser } from './a-user.ts';

interface AtLimit {
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

/** By pattern: pairs of a text that it allows, or its longest, and one that it does not. The last ones are short. */
const patterned: ReadonlyMap<string, readonly Pair[]> = new Map<string, readonly Pair[]>([
  [uuidPattern, [['00000000-0000-7000-8000-000000000000', '00000000-0000-7000-8000-00000000000g']]],
  [
    languageTag.pattern,
    [
      ['zh-cmn-Hans-CN-x-a', 'zh_CN'],
      ['i-klingon', 'i-kling0n'],
      ['x-a', 'en-'],
      ['de-CH-1996', 'e'],
    ],
  ],
  [
    timeZone.pattern,
    [
      ['A'.repeat(64), 'A'.repeat(65)],
      ['Etc/GMT+1', 'Etc//GMT'],
      ['America/Port-au-Prince', '/UTC'],
    ],
  ],
  [
    country.pattern,
    [
      ['NL', 'NLD'],
      ['nl', 'N1'],
    ],
  ],
  [
    emailAddress.pattern,
    [
      [`a@${'b'.repeat(252)}`, `a@${'b'.repeat(253)}`],
      ['a@b', 'a b@c'],
      ['\u00e9\u{1F600}@b', 'a\u00a0@b'],
      ['a@\u4f8b', 'a\u2003@b'],
      ['"a"@b', '@b'],
      ['a.@b', 'a@b@c'],
    ],
  ],
  [
    uri.pattern,
    [
      [`a:${'b'.repeat(2046)}`, `a:${'b'.repeat(2047)}`],
      [`a:${'%C3'.repeat(682)}`, `a:${'%C3'.repeat(682)}%`],
      ["https://u:p@[::1]:8080/~a;b=c,d/(e)*!$&'+-_.?f[]#g", 'https://example.org/a b'],
      ['urn:a+b', 'urn:a"b'],
      ['H2.+-:%e2', 'h_:a'],
      ['mailto:a@b', '//example.org/a'],
      ['data:image/gif,', 'a'],
      ['a:/', '1a:/'],
      ['a:%20', 'a:%2'],
      ['a:%c3%A9', 'a:\u00e9'],
      ['a:#', 'a:'],
    ],
  ],
  [
    base64.pattern,
    [
      ['A'.repeat(8192), 'A'.repeat(8196)],
      [`${'A'.repeat(8190)}==`, `${'A'.repeat(8191)}==`],
      ['+/+=', '+/+=='],
      ['+/==', '+/='],
      ['+/', '+'],
      ['AAAA09', 'AAAA0'],
      ['azAZ', 'az-_'],
      ['AAAAAAA', 'AAA\nAAAA'],
      ['AAA', 'A==='],
      ['AAAA', '='],
    ],
  ],
]);

const keywords = (schema: TSchema) =>
  schema as unknown as Readonly<Record<string, number | string | undefined>>;

function pairsOf(schema: TSchema): readonly Pair[] {
  const { type, pattern, maxLength } = keywords(schema);
  if (pattern !== undefined) {
    const pairs = patterned.get(String(pattern));
    if (pairs === undefined) throw new Error(`no values for the pattern ${pattern}`);
    return pairs;
  }
  if (maxLength !== undefined) return [[exactly(Number(maxLength)), exactly(Number(maxLength) + 1)]];
  return type === 'boolean' ? [[true, 'maybe']] : [];
}

/** A short text that the schema allows: another for each index where it has no pattern. */
const aText = (schema: TSchema, index = 0): unknown =>
  keywords(schema).pattern === undefined ? `item ${index}` : pairsOf(schema).at(-1)?.[0];

/** The members that it has to have, or any one. */
function item(schema: TSchema, index: number): unknown {
  const kind = shapeOf(schema);
  if (kind.is !== 'object') return aText(schema, index);
  const [any] = kind.members.keys();
  const { required = [any ?? ''] } = schema as { required?: readonly string[] };
  return Object.fromEntries(required.map((name) => [name, aText(kind.members.get(name) ?? {}, index)]));
}
const items = (schema: TSchema, length: number): unknown[] =>
  Array.from({ length }, (_, index) => item(schema, index));

const pairsIn = (length: number, value: string): [string, string][] =>
  Array.from({ length }, (_, index): [string, string] => [`a${index}`, value]);

function collectPairs(schema: TSchema, path: string): Found[] {
  const kind = shapeOf(schema);
  const { maxItems = 0, maxProperties = 0, uniqueItems } = keywords(schema);
  if (kind.is === 'value') return pairsOf(schema).map((pair, at) => ({ name: `${path} (${at + 1})`, pair }));
  if (kind.is === 'list') {
    const of = kind.of;
    const most = Number(maxItems);
    const inside = collectPairs(of, `${path}[]`).map(({ name: at, pair }) => ({
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
    return [...inside, ...unique, { name: `${path}, count`, pair: [items(of, most), items(of, most + 1)] }];
  }
  if (kind.is === 'map') {
    const most = Number(maxProperties);
    const values = collectPairs(kind.of, `${path}{}`).map(({ name: at, pair }) => ({
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
    collectPairs(of, `${path}.${member}`).map(({ name: at, pair }) => {
      const beside = Object.fromEntries(required.map((need) => [need, aText(kind.members.get(need) ?? {})]));
      return { name: at, pair: pair.map((value) => ({ ...beside, [member]: value })) as unknown as Pair };
    }),
  );
}

/** A pair for every limit of every member that a client may set. */
export const limits: readonly AtLimit[] = Object.entries(User.properties)
  .filter(([name]) => name !== 'meta')
  .flatMap(([name, schema]) =>
    collectPairs(schema, name).map(({ name: at, pair: [within, beyond] }) => ({
      name: at,
      within: { ...aUser({ userName: 'ada' }), [name]: within } as User,
      beyond: { ...aUser({ userName: 'ada' }), [name]: beyond } as User,
    })),
  );
