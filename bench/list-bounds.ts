/** What lists and totals on SQLite may cost at a million users (specification, "Search, order and totals"): each query with its bound. */
import { sortNames } from '../test/support/kinds.ts';
import { pageSize, sorted, tolerance } from './scaled-queries.ts';

export interface Bounded {
  readonly name: string;
  /** Of `/users`. */
  readonly query: string;
  /** In CPU milliseconds of all threads, or in first pages. */
  readonly most: { readonly ms: number } | { readonly pages: number };
  /** What is taken off its time: a total is measured without its page. */
  readonly without?: string;
  /** A user is changed before each request. */
  readonly afterWrite?: boolean;
}

const page = `limit=${pageSize}`;

const orders = [undefined, ...sortNames].flatMap((by) => (by ? [`&sort=${by}`, `&sort=-${by}`] : ['']));

const totalOf = (conditions: string) => ({
  query: `?${conditions}limit=1&total=true`,
  without: `?${conditions}limit=1`,
});

const totals = (name: string, conditions: string, ms: number): Bounded[] => [
  { name: `total, ${name}, after a write`, ...totalOf(conditions), most: { ms }, afterWrite: true },
  { name: `total, ${name}, again`, ...totalOf(conditions), most: { ms: Math.min(ms, 2) } },
];

/** Of a million users Germain are ten, Hopper a hundred thousand, spread over every order but that of family names (directory.ts). */
export const boundedQueries = (users: number): readonly Bounded[] => [
  ...sortNames
    .flatMap((by) => [...sorted(by, '', users), ...sorted(by, '-', users)])
    .map(({ name, query }) => ({ name, query, most: { pages: 2 } })),
  ...orders.map((order) => ({
    name: `ten match${order}`,
    query: `?${page}&search=germ${order}`,
    most: { pages: 3 },
  })),
  ...['', '&sort=userName', '&sort=-lastModified'].flatMap((order) => [
    {
      name: `a tenth${order}, after a write`,
      query: `?${page}&search=hopp${order}`,
      most: { ms: 100 },
      afterWrite: true,
    },
    { name: `a tenth${order}, again`, query: `?${page}&search=hopp${order}`, most: { ms: 10 } },
  ]),
  ...orders.map((order) => ({
    name: `everybody${order}`,
    query: `?${page}&search=ada${order}`,
    most: { ms: 10 },
  })),
  { name: 'everybody, and a filter', query: `?${page}&search=ada&role=reader`, most: { ms: 10 } },
  {
    name: 'a tenth at the end of the order',
    query: `?${page}&search=hopp&sort=-familyName`,
    most: { ms: 400 },
    afterWrite: true,
  },
  { name: 'everybody, by absence', query: `?${page}&manager.exists=false`, most: { ms: 10 } },
  { name: 'nobody, by absence', query: `?${page}&email.exists=false`, most: { ms: 800 }, afterWrite: true },
  { name: 'everybody, by negation', query: `?${page}&role.not=writer`, most: { ms: 10 } },
  { name: 'nobody, by negation', query: `?${page}&role.not=reader`, most: { ms: 400 }, afterWrite: true },
  {
    name: 'a tenth, and a negation, after a write',
    query: `?${page}&search=hopp&role.not=writer`,
    most: { ms: 100 },
    afterWrite: true,
  },
  { name: 'a tenth, and a negation, again', query: `?${page}&search=hopp&role.not=writer`, most: { ms: 10 } },
  ...totals('negation of a shared filter', 'role.not=writer&', 1),
  ...totals('absence', 'email.exists=false&', 800),
  ...totals('no condition', '', 1),
  ...totals('one shared filter', 'role=reader&', 1),
  ...totals('a tenth', 'search=hopp&', 100),
  ...totals('everybody', 'search=ada&', 800),
  {
    name: 'total, a tenth and a filter, again',
    ...totalOf('search=hopp&role=reader&'),
    most: { ms: 2 },
  },
];

interface Measured {
  readonly name: string;
  readonly ms: number;
  readonly bound: number;
  readonly isMissed: boolean;
}

/** @param firstPageMs of the list as it is, in CPU milliseconds */
export function compare(
  { name, most }: Bounded,
  ms: number,
  firstPageMs: number,
): Measured & { isFailed: boolean } {
  const bound = 'ms' in most ? most.ms : most.pages * firstPageMs;
  return { name, ms, bound, isMissed: ms > bound, isFailed: ms > tolerance * bound };
}
