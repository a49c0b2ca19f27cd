/** Bulks (RFC 7644 §3.7) as large as one may be, full of what takes the service longest for what it is. */
import { maxBulkBytes, maxBulkOperations, maxBulkValues } from '../../src/adapters/apis/scim/bulk/request.ts';
import { maxNodes } from '../../src/adapters/formats/port/format.ts';

interface HostileBulk {
  readonly name: string;
  readonly body: string | Buffer;
  /** Of the answer: the whole is refused, or each operation is by itself. */
  readonly status: 200 | 400 | 413;
}

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const begin = '{"schemas":["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],"Operations":[';
const end = ']}';

/** All in ASCII, so that lengths are bytes. */
const fill = (before: string, unit: string, after: string): string =>
  before + unit.repeat(Math.floor((maxBulkBytes - before.length - after.length) / unit.length)) + after;

const list = (count: number, unit: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => unit(index)).join();

const create = (index: number, user: string): string =>
  `{"method":"POST","path":"/Users","bulkId":"b${index}","data":{"schemas":["${core}"],${user}}}`;

/** Of a user who isn't there, which is told after the patch was read. */
const patch = (index: number, operations: string): string =>
  `{"method":"PATCH","path":"/Users/00000000-0000-7000-8000-${String(index).padStart(12, '0')}","data":{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[${operations}]}}`;

/** As many operations as there may be, or as fit. */
function many(operation: (index: number) => string): string {
  const operations: string[] = [];
  for (let length = begin.length + end.length; operations.length < maxBulkOperations; ) {
    const next = operation(operations.length);
    length += next.length + 1;
    if (length > maxBulkBytes) break;
    operations.push(next);
  }
  return begin + operations.join() + end;
}

/** One operation with a text that fills the body. */
const long = (member: string, unit: string): string =>
  fill(`${begin}${create(0, `"userName":"u","${member}":"`).slice(0, -2)}`, unit, `"}}${end}`);

/** Nearly as many values as there may be, in operations with nearly as many as one may have. @param size of the value, in values */
const values = (size: number, value: (index: number) => string): string =>
  begin +
  list(maxBulkValues / maxNodes, (index) => {
    const count = Math.floor((maxNodes - 100) / size);
    return create(
      index,
      `"userName":"u${index}","emails":[${list(count, (at) => value(index * count + at))}]`,
    );
  }) +
  end;

const unreadable: Readonly<Record<string, string | Buffer>> = {
  'opening brackets': fill('', '[', ''),
  'opening braces': fill('', '{"":', ''),
  'brackets beside each other': fill(begin, '[],', `0${end}`),
  'tiny values in one operation': fill(`${begin}{"data":[`, '0,', `0]}${end}`),
  'empty objects in one operation': fill(`${begin}{"data":[`, '{},', `0]}${end}`),
  'one name, time and again': fill(`${begin}{`, '"a":0,', `"a":0}${end}`),
  'one name twice in each operation': fill(begin, '{"aaaaaaaaaa":0,"aaaaaaaaaa":1},', `0${end}`),
  'a name twice in the last operation': `${values(1, () => '"a"').slice(0, -end.length)},{"a":0,"a":1}${end}`,
  'spaces, and a name twice': fill(`${begin}{"a":0,"a":0`, ' ', `}${end}`),
  'spaces, and an end that is missing': fill(begin, ' ', ''),
  'line ends, and a byte that is not UTF-8': Buffer.from(fill(begin, '\n', `\xff${end}`), 'latin1'),
  'quotes that do not end': fill(`${begin}"`, '\\"', ''),
  'digits, and a letter': fill(begin, '1', `x${end}`),
  'operations, and an end that is missing': fill(begin, '{"method":"DELETE"},', ''),
  'empty operations': many(() => '{}'),
};

const performed: Readonly<Record<string, string>> = {
  'objects with names of their own': values(2, (at) => `{"n${at}":0}`),
  'objects with nothing in them': values(1, () => '{}'),
  'texts in the place of objects': values(1, () => '"x"'),
  'users who break many rules': many((at) =>
    create(at, `"userName":"u${at}","emails":[${list(20, () => '{"value":"x"}')}]`),
  ),
  'users with an unknown member': many((at) => create(at, `"userName":"u${at}","x":"${'x'.repeat(800)}"`)),
  'names in other scripts': many((at) => create(at, `"userName":"${'\\u2167'.repeat(100)}${at}"`)),
  'usual users': many((at) =>
    create(
      at,
      `"userName":"u${at}","name":{"familyName":"F${at}"},"emails":[{"value":"u${at}@example.com","type":"work","primary":true}]`,
    ),
  ),
  'users with many texts': many((at) =>
    create(at, `"userName":"u${at}","entitlements":[${list(60, (item) => `{"value":"e${item}"}`)}]`),
  ),
  'the largest users':
    begin +
    list(60, (at) =>
      create(
        at,
        `"userName":"u${at}","x509Certificates":[{"value":"${'A'.repeat(8000)}"},{"value":"${'B'.repeat(7000)}"}]`,
      ),
    ) +
    end,
  'one long title': long('title', '\\u0041'),
  'one long name in another script': long('username', '\\u2167'),
  'references to no user': many((at) => create(at, `"userName":"bulkId:${at}x"`)),
  'users of whom each refers to the next': many((at) =>
    create(
      at,
      `"userName":"u${at}","urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"manager":{"value":"bulkId:b${at + 1}"}}`,
    ),
  ),
  'patches of many operations': many((at) =>
    patch(
      at,
      list(900, () => '{"op":"add","path":"title","value":"t"}'),
    ),
  ),
  'patches with long filters': many((at) =>
    patch(at, `{"op":"remove","path":"emails[${Array(40).fill('value co \\"x\\"').join(' or ')}]"}`),
  ),
  'patches with paths that are nothing': many((at) =>
    patch(at, `{"op":"remove","path":"${'('.repeat(800)}"}`),
  ),
};

const tooMany = fill(begin, '{"method":"DELETE","path":"/Users/x"},', `{}${end}`);

const allOf = (bodies: typeof unreadable, status: HostileBulk['status']): readonly HostileBulk[] =>
  Object.entries(bodies).map(([name, body]) => ({ name, body, status }));

export const hostileBulks: readonly HostileBulk[] = [
  ...allOf(unreadable, 400),
  ...allOf(performed, 200),
  { name: 'more operations than there may be', body: tooMany, status: 413 },
];
