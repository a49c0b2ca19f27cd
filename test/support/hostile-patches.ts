/**
 * PATCHes (RFC 7644 §3.5.2) of a user with full lists, and Bulks of such: every list and every nesting as large as it may be, one larger,
 * and as large as fits. None of them takes anything from the user, so that each meets the same one.
 */

import { maxBulkBytes, maxBulkOperations as mostInBulk } from '../../src/adapters/apis/scim/bulk/request.ts';
import {
  maxFilterLength,
  maxNesting,
  maxComparisons as mostInFilter,
} from '../../src/adapters/apis/scim/filter/parse.ts';
import { maxPatchComparisons, maxPatchOperations } from '../../src/adapters/apis/scim/patch/read-patch.ts';
import { bulkUrn, patchUrn } from '../../src/adapters/apis/scim/protocol/messages.ts';
import { maxUserBodyBytes } from '../../src/adapters/apis/users/index.ts';
import { maxDepth, maxNodes } from '../../src/adapters/formats/port/format.ts';
import type { HostileRequest } from './watched-service.ts';

export interface HostilePatch {
  readonly name: string;
  readonly request: HostileRequest;
}

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const own = 'urn:user-management:1:User';
/** Greek, whose lower case takes longest. */
const slow = 'ΑΣ'.repeat(18);

/** As large as one may be, nearly: each list is full, and its texts are slow to compare. */
const fullLists = {
  schemas: [core],
  userName: 'hostile',
  name: { familyName: slow, givenName: slow },
  entitlements: Array.from({ length: 100 }, (_, index) => ({ value: `e${index} ${slow}`, type: 't' })),
  roles: Array.from({ length: 100 }, (_, index) => ({ value: `r${index}` })),
  [own]: { attributes: Array.from({ length: 64 }, (_, index) => ({ name: `a${index}`, value: 'v' })) },
};

/** Makes the user who has `fullLists`. */
export const userWithFullLists: HostileRequest = {
  ...{ method: 'POST', path: '/scim/v2/Users', type: 'application/scim+json' },
  body: JSON.stringify(fullLists),
};

type Make = (count: number) => unknown;
/** @param limit of what `make` counts; `far` is how many of them fit into a body */
interface Dimension {
  readonly limit: number;
  readonly far: number;
  readonly make: Make;
}

const list = <T>(count: number, unit: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => unit(at));
const many = (count: number, unit: (index: number) => object): object[] => list(count, unit);
const members = (count: number, unit: (index: number) => [string, unknown]): object =>
  Object.fromEntries(list(count, unit));
const set = (path: string, value: unknown, op = 'replace') => ({ op, path, value });
const comparisons = (count: number, unit = 'value sw "e"'): string => list(count, () => unit).join(' or ');
/** As text: too deep for JSON.stringify. */
const nested = (depth: number): string => `${'[{"value":'.repeat(depth / 2)}"x"${'}]'.repeat(depth / 2)}`;
const inBrackets = (depth: number): string => `${'('.repeat(depth)}value pr${')'.repeat(depth)}`;

/** Operations by what they have many of. */
const dimensions: Readonly<Record<string, Dimension>> = {
  'operations on a text': {
    limit: maxPatchOperations,
    far: 1300,
    make: (count) => many(count, () => set('title', 't')),
  },
  'operations on all items of a list': {
    ...{ limit: maxPatchOperations, far: 1300 },
    make: (count) => many(count, (at) => set('entitlements.display', `${at}`)),
  },
  'operations with a filter that finds all items': {
    ...{ limit: maxPatchOperations, far: 1300 },
    make: (count) => many(count, (at) => set('entitlements[value co "ας"].display', `${at}`)),
  },
  'operations with a filter that finds one item': {
    ...{ limit: maxPatchOperations, far: 1300 },
    make: (count) => many(count, (at) => set(`entitlements[value sw "e${at % 100} "].primary`, true)),
  },
  'operations with a filter on own attributes': {
    ...{ limit: maxPatchOperations, far: 1300 },
    make: (count) => many(count, (at) => set(`${own}:attributes[name eq "a${at % 64}"].value`, slow)),
  },
  'operations that add an item that is there': {
    ...{ limit: maxPatchOperations, far: 800 },
    make: (count) =>
      many(count, (at) => set('entitlements', { value: `e1 ${slow}`, type: 't', display: `${at}` }, 'add')),
  },
  'operations that set roles': {
    ...{ limit: 40, far: 40 },
    make: (count) =>
      many(count, () =>
        set(
          'roles',
          list(100, (at) => `r${at}`),
        ),
      ),
  },
  'attributes in a value without a path, in eight operations': {
    ...{ limit: Math.floor(maxPatchOperations / 8), far: 480 },
    make: (count) =>
      many(8, (at) => ({
        op: 'replace',
        value: members(count, (index) => [`emails[value co "x${at}-${index}" or type pr].value`, 'x']),
      })),
  },
  'attributes in a value without a path': {
    ...{ limit: maxPatchOperations, far: 3900 },
    make: (count) => [
      { op: 'add', value: members(count, (index) => [`entitlements[value ne "x${index}"].display`, 'x']) },
    ],
  },
  'spellings of what is ignored in a value without a path': {
    ...{ limit: 3900, far: 3900 },
    make: (count) => [
      { op: 'add', value: members(count, (index) => [`groups[${index} ${'x'.repeat(40)}`, 'x']) },
    ],
  },
  'names that nothing has': {
    ...{ limit: 3900, far: 3900 },
    make: (count) => [{ op: 'add', value: members(count, (index) => [`x${index}`, 'x']) }],
  },
  'comparisons of all filters, in filters of 50': {
    ...{ limit: maxPatchComparisons / 50, far: 300 },
    make: (count) => many(count, () => set(`entitlements[${comparisons(50)}].display`, 'x')),
  },
  'comparisons of one filter': {
    ...{ limit: mostInFilter, far: 15_000 },
    make: (count) => many(7, () => set(`entitlements[${comparisons(count, 'value ew "ας"')}].display`, 'x')),
  },
  'brackets within each other': {
    ...{ limit: maxNesting - 1, far: 100_000 },
    make: (count) => [set(`entitlements[${inBrackets(count)}].display`, 'x')],
  },
  'values of a removal': {
    ...{ limit: 5, far: 38 },
    make: (count) =>
      many(count, () =>
        set(
          'roles',
          list(100, (at) => `nobody${at}`),
          'remove',
        ),
      ),
  },
  'items in a list that is added': {
    ...{ limit: 100, far: 3900 },
    make: (count) => [
      set(
        'entitlements',
        list(count, (at) => `e${at}`),
        'add',
      ),
    ],
  },
  'items in lists that are added, all of them the same': {
    ...{ limit: 12, far: 12 },
    make: (count) =>
      many(count, () =>
        set(
          'entitlements',
          list(100, () => ({ value: `e1 ${slow}`, type: 't' })),
          'add',
        ),
      ),
  },
  'sub-attributes of an object': {
    ...{ limit: 6, far: 3900 },
    make: (count) => [
      set(
        'name',
        members(count, (at) => [`givenName${at}`, 'x']),
      ),
    ],
  },
  'levels of lists and objects in a value': {
    ...{ limit: maxDepth - 4, far: 40_000 },
    make: (count) => [set('title', `nested ${count}`)],
  },
  'characters of a path': {
    ...{ limit: maxFilterLength, far: 250_000 },
    make: (count) => [set(`entitlements[value eq "${'x'.repeat(count - 30)}"].d`, 'x')],
  },
  'dots of a path': { limit: maxFilterLength, far: 250_000, make: (count) => [set('.'.repeat(count), 'x')] },
  'dots of a name': {
    ...{ limit: maxFilterLength, far: 250_000 },
    make: (count) => [{ op: 'add', value: { ['.'.repeat(count)]: 'x' } }],
  },
  'letters of a name, in two cases': {
    ...{ limit: 5000, far: 125_000 },
    make: (count) => [{ op: 'add', value: { [`${'Aa'.repeat(count)}`]: 'x' } }],
  },
  'letters of a name, the last of them not ASCII': {
    ...{ limit: 5000, far: 125_000 },
    make: (count) => [{ op: 'add', value: { [`${'Aa'.repeat(count)}\u212a`]: 'x' } }],
  },
  'letters of an op': { limit: 7, far: 250_000, make: (count) => [set('title', 'x', 'R'.repeat(count))] },
  'letters of a text': { limit: 256, far: 80_000, make: (count) => [set('title', '\u2167'.repeat(count))] },
  'letters of a userName': {
    limit: 128,
    far: 80_000,
    make: (count) => [set('userName', '\u2167'.repeat(count))],
  },
  'subtags of a locale': {
    ...{ limit: 500, far: 500 },
    make: (count) => many(count, () => set('locale', `en${'-a-aaaaa'.repeat(50)}`)),
  },
};

const json = (operations: unknown): string =>
  JSON.stringify({ schemas: [patchUrn], Operations: operations }).replace(/"nested (\d+)"/, (_, depth) =>
    nested(Number(depth)),
  );

/** One in each size that fits, by its name. */
const bodies: readonly (readonly [name: string, body: string])[] = [
  ...Object.entries(dimensions).flatMap(([what, { limit, far, make }]) =>
    [...new Set([limit, limit + 1, far])].map((count): [string, string] => [
      `${count} ${what}`,
      json(make(count)),
    ]),
  ),
  ...[1, maxNodes - 20].map((count): [string, string] => [
    `${count} schemas`,
    JSON.stringify({
      schemas: [...list(count, (at) => `x${at}`), patchUrn],
      Operations: [set('title', 'x')],
    }),
  ]),
];

const fits = ([, body]: readonly [string, string]): boolean => Buffer.byteLength(body) <= maxUserBodyBytes;

/** @param path of the user who has `fullLists` */
export const hostilePatches = (path: string): readonly HostilePatch[] =>
  bodies.filter(fits).map(([name, body]) => ({
    name: `PATCH: ${name}`,
    request: { method: 'PATCH', path, type: 'application/scim+json', body },
  }));

const bulkOf = (operations: readonly string[], more = ''): string =>
  `{"schemas":["${bulkUrn}"],${more}"Operations":[${operations.join()}]}`;

/** As many as there may be, or as fit. */
function filled(operation: (index: number) => string, most = mostInBulk): string {
  const operations: string[] = [];
  for (let length = 200; operations.length < most; ) {
    const next = operation(operations.length);
    length += Buffer.byteLength(next) + 1;
    if (length > maxBulkBytes) break;
    operations.push(next);
  }
  return bulkOf(operations);
}

const made = (index: number, more = ''): string =>
  `{"method":"POST","path":"/Users","bulkId":"b${index}","data":{"schemas":["${core}"],"userName":"h${index}","locale":"no tag"${more}}}`;
const managed = (by: string): string => `,"manager":{"value":"bulkId:${by}"}`;
const patchOf = (path: string, data: string, more = ''): string =>
  `{"method":"PATCH","path":"${path}",${more}"data":${data}}`;
const title = json([set('title', 'x')]);

/** Of users whom no Bulk can make, so that nothing is left of it. */
const references: Readonly<Record<string, string>> = {
  'users of whom each refers to the one before': filled((at) => made(at, managed(`b${at - 1}`))),
  'users of whom each refers to the last': filled((at) => made(at, managed('b900'))),
  'a user and changes of him': filled((at) => (at === 0 ? made(0) : patchOf('/Users/bulkId:b0', title))),
  'changes in front of the user': filled((at) => (at === 999 ? made(0) : patchOf('/Users/bulkId:b0', title))),
  'references beside each other in one operation': filled((at) =>
    at < 500
      ? made(at)
      : patchOf(
          '/Users/bulkId:b0',
          json([
            set(
              'emails',
              list(2000, (index) => `bulkId:b${index % 500}`),
            ),
          ]),
        ),
  ),
  'names that are long references': filled((at) => made(at, `,"title":"bulkId:${'x'.repeat(700)}"`)),
  'long bulkIds': filled((at) => made(at).replace(`"b${at}"`, `"${'x'.repeat(800)}${at}"`)),
  'one long bulkId': bulkOf([made(0).replace('"b0"', `"${'x'.repeat(maxBulkBytes - 400)}"`)]),
  'a long path': bulkOf([patchOf(`/Users/${'x'.repeat(maxBulkBytes - 400)}`, title)]),
  'a long version': bulkOf([
    patchOf('/Users/x', title, `"version":"${'\\"'.repeat(maxBulkBytes / 2 - 400)}",`),
  ]),
  'more operations than there may be': bulkOf(list(mostInBulk + 1, () => patchOf('/Users/x', title))),
  'far more operations than there may be': filled(() => '{"method":"DELETE","path":"/Users/x"}', 30_000),
};

/** @param path of the user who has `fullLists` */
export const hostilePatchBulks = (path: string): readonly HostilePatch[] => {
  const user = path.replace(/.*(?=\/Users\/)/, '');
  // Those that fit several times: a body of a Bulk is four times as large as another.
  const patches = bodies
    .filter(fits)
    .map(([name, body]): [string, string] => [`PATCHes of ${name}`, filled(() => patchOf(user, body), 20)]);
  return [...patches, ...Object.entries(references)].map(([name, body]) => ({
    name: `Bulk: ${name}`,
    request: { method: 'POST', path: '/scim/v2/Bulk', type: 'application/scim+json', body },
  }));
};
