/** What groups may cost (specification, "Cost"): pairs of requests, with the bound of their ratio. */
import { sortNames } from '../test/support/kinds.ts';
import type { GroupClient } from './group-client.ts';
import { pageSize } from './scaled-queries.ts';

export interface Comparison {
  readonly name: string;
  readonly own: () => Promise<unknown>;
  readonly against: string;
  readonly other: () => Promise<unknown>;
  /** How many of the other it stands for; 1 when left out. */
  readonly times?: number;
  /** Of the ratio; none where nothing is promised. */
  readonly most?: number;
  readonly rounds: number;
  /** Done before each request, unmeasured. */
  readonly before?: () => Promise<unknown>;
}

const page = `limit=${pageSize}`;

/** PUTs that are timed for the many that one POST replaces. */
const putsTimed = 200;

export function comparisonsOf(client: GroupClient, users: number): readonly Comparison[] {
  const { large, small, empty, get } = client;
  const scim = (attributes: string) => get(`/scim/v2/Users?count=${pageSize}&attributes=${attributes}`);
  /** Within the bounds of a search that a tenth of all users match (scaled-queries.ts). */
  const listed = (query: string, most: number): Comparison => ({
    name: `${query} of a group`,
    own: () => get(`/users?${page}&group=${large}&${query}`),
    against: 'page of all users',
    other: () => get(`/users?${page}`),
    ...{ most, rounds: 41 },
  });
  /** When nothing of it is remembered; that search itself costs as much as its bound allows. */
  const listedAfterWrite = (query: string, search: string): Comparison => ({
    name: `${query} of a group, after a write`,
    own: () => get(`/users?${page}&group=${large}&${query}`),
    against: 'search of a tenth',
    other: () => get(`/users?${page}&${search}`),
    ...{ most: 1.5, rounds: 21 },
    before: () => client.add(large, client.outsider()),
  });
  const many = Math.min(10_000, users / 10);
  return [
    {
      name: 'PUT of a member of a large group',
      own: () => client.add(large, client.outsider()),
      against: 'of a small group',
      other: () => client.add(small, client.outsider()),
      ...{ most: 1.5, rounds: 101 },
    },
    {
      name: 'SCIM PATCH of a large group',
      own: () => client.patch(large, client.outsider()),
      against: 'of a small group',
      other: () => client.patch(small, client.outsider()),
      ...{ most: 1.5, rounds: 101 },
    },
    {
      name: `POST of ${many.toLocaleString('en')} ids`,
      own: () => client.change(empty, { add: client.outsiders(many) }),
      against: 'PUTs of one caller',
      other: async () => {
        for (let count = 0; count < putsTimed; count += 1) await client.add(empty, client.outsider());
      },
      ...{ times: many / putsTimed, most: 0.2, rounds: 3 },
    },
    {
      name: 'first page of a group',
      own: () => get(`/users?${page}&group=${large}`),
      against: 'of all users',
      other: () => get(`/users?${page}`),
      ...{ most: 2, rounds: 101 },
    },
    ...sortNames.flatMap((by) => [listed(`sort=${by}`, 10), listed(`sort=-${by}`, 10)]),
    listedAfterWrite('sort=userName', 'search=hopp&sort=userName'),
    listed('search=hopp', 3),
    listed('search=ada', 3),
    listedAfterWrite('search=hopp', 'search=hopp'),
    {
      name: 'GET of a user in a hundred groups',
      own: () => get(`/users/${client.joined}`),
      against: 'in none',
      other: () => get(`/users/${client.alone}`),
      ...{ most: 1.1, rounds: 501 },
    },
    {
      name: `SCIM page of ${pageSize} users with groups`,
      own: () => scim('userName,groups'),
      against: 'without',
      other: () => scim('userName'),
      rounds: 41,
    },
  ];
}
