/** What a list may cost in a large directory: each query with the most it may take, in first pages of the list as it is. */
import { parseListQuery } from '../src/adapters/apis/users/list-query.ts';
import { sortKeys, sortNames } from '../src/domain/sorts.ts';
import { idOf, userAt } from './directory.ts';

export const pageSize = 100;

export interface ScaledQuery {
  readonly name: string;
  /** Of `/users`. */
  readonly query: string;
  /** What is taken off its time first: so a total is measured without its page. */
  readonly without?: string;
  /** Of the time of a first page; none where nothing was promised. */
  readonly most?: number;
}

const page = `limit=${pageSize}`;

function sorted(by: string, way: '' | '-', users: number): ScaledQuery[] {
  const list = parseListQuery(`${page}&sort=${way}${by}`);
  const middle = Math.floor(users / 2);
  const place = { id: idOf(middle), key: sortKeys(userAt(middle)).get(by) };
  const pages = {
    first: undefined,
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
