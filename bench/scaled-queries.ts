/** What a list may cost in a large directory: each query with the most it may take, in first pages of the list as it is. */
import { parseListQuery, sortKeys, sortNames } from '../test/support/kinds.ts';
import { idOf, userAt } from './directory.ts';
import { formatTable } from './report.ts';

export const pageSize = 100;

interface ScaledQuery {
  readonly name: string;
  /** Of `/users`. */
  readonly query: string;
  /** What is taken off its time first: so a total is measured without its page. */
  readonly without?: string;
  /** Of the time of a first page; none where nothing was promised. */
  readonly most?: number;
}

const page = `limit=${pageSize}`;

/** What the others are measured against. */
export const firstPage = `?${page}`;

/** Plain pages in an order: the first, two in the middle and the last. */
export function sorted(by: string, way: '' | '-', users: number): ScaledQuery[] {
  const list = parseListQuery(`${page}&sort=${way}${by}`);
  const middle = Math.floor(users / 2);
  const place = { id: idOf(middle), key: sortKeys(userAt(middle)).get(by) };
  const pages = {
    first: {},
    middle: { after: place },
    'middle, before': { before: place },
    last: { before: 'end' },
  } as const;
  return Object.entries(pages).map(([which, start]) => ({
    name: `sort=${way}${by}, ${which} page`,
    query: `?${list.queryOf(start)}`,
    most: 2,
  }));
}

/** A total of these conditions, by itself. */
const totalOf = (name: string, conditions: string, most: number): ScaledQuery => ({
  name,
  query: `?${conditions}limit=1&total=true`,
  without: `?${conditions}limit=1`,
  most,
});

/** The names' frequencies are those of directory.ts: of a million users Germain are ten, Noether a thousand, Hopper a hundred thousand. */
export const scaledQueries = (users: number): readonly ScaledQuery[] => [
  { name: 'search, rare', query: `?${page}&search=germ`, most: 1 },
  { name: 'search, one', query: `?${page}&search=personnel-${users - 7}`, most: 1 },
  { name: 'search, frequent', query: `?${page}&search=hopp`, most: 3 },
  { name: 'search, everybody', query: `?${page}&search=ada`, most: 3 },
  { name: 'search and filter', query: `?${page}&search=hopp&role=reader`, most: 3 },
  { name: 'search, two words', query: `?${page}&search=ada+hopp`, most: 3 },
  ...sortNames.flatMap((by) => [...sorted(by, '', users), ...sorted(by, '-', users)]),
  ...sortNames.flatMap((by) => [
    { name: `search, a thousand, sort=${by}`, query: `?${page}&search=noether&sort=${by}`, most: 5 },
    {
      name: `search, a hundred thousand, sort=-${by}`,
      query: `?${page}&search=hopper&sort=-${by}`,
      most: 10,
    },
  ]),
  totalOf('total', '', 0.2),
  totalOf('total of a filter', 'role=reader&', 50),
  totalOf('total of a frequent search', 'search=hopp&', 50),
  totalOf('total of a search for everybody', 'search=ada&', 50),
  totalOf('total of a search and a filter', 'search=hopp&role=reader&', 50),
];

/** All that have to be measured, each once. */
export const queriesOf = (queries: readonly ScaledQuery[]): readonly string[] => [
  ...new Set([firstPage, ...queries.flatMap(({ query, without = query }) => [query, without])]),
];

/** Beyond what was promised: more than a busy machine is to blame. */
export const tolerance = 1.5;

interface Report {
  readonly users: number;
  /** Of the times. */
  readonly unit: string;
  readonly markdown?: boolean;
}

/** Prints a table; returns the names of those that cost half as much again as they may. */
export function reportRatios(
  queries: readonly ScaledQuery[],
  time: (query: string) => number,
  { users, unit, markdown = false }: Report,
): string[] {
  const first = time(firstPage);
  const rows = queries.map(({ name, query, without, most = Number.POSITIVE_INFINITY }) => {
    const own = Math.max(0, time(query) - (without === undefined ? 0 : time(without)));
    return { name, own, ratio: own / first, most };
  });
  const cells = rows.map(({ name, own, ratio, most }) => [
    name,
    own.toPrecision(3),
    ratio.toFixed(2),
    String(most),
    ratio > most ? 'MISSED' : 'met',
  ]);
  const head = `${users.toLocaleString('en')} users, against the first page as it is (${first.toPrecision(3)} ${unit})`;
  console.log(`\n${head}:\n\n${formatTable([['query', unit, 'ratio', 'at most', ''], ...cells], markdown)}`);
  return rows.filter(({ ratio, most }) => ratio > most * tolerance).map(({ name }) => name);
}
