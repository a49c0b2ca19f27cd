/** Requests by chance over all routes, in each format and API. A step becomes a request once it is known what its client sees. */
import fc from 'fast-check';
import {
  freeIds,
  groupIds,
  groupMembers,
  groupNames,
  userIds,
  userMembers,
  userNames,
  word,
} from './directories.ts';
import type { Document, Plural } from './profile-model.ts';
import { toScim, toXml, urns } from './written-forms.ts';

export type Form = 'json' | 'xml' | 'scim';

/** A member that a request names: `members` of groups for memberships. */
export interface Named {
  readonly of: Plural;
  readonly name: string;
}

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly form: Form;
  /** The members that its query names. */
  readonly names: readonly Named[];
  /** The body: members to be set, or operations; a `seen` one is the resource as the client sees it, with these members. */
  readonly body?: Document;
  readonly isSeen?: boolean;
  /** A condition on what is at the path: its present tag, another one, or any. */
  readonly condition?: readonly ['If-Match' | 'If-None-Match', 'current' | 'other' | '*'];
  /** The body as it is sent. */
  readonly raw?: Document;
  /** Sent as the only operation of a Bulk of SCIM. */
  readonly isBulk?: boolean;
  /** Follows the links of the list to its end. */
  readonly isWalked?: boolean;
}

const plurals = ['users', 'groups'] as const;
const anyUserId = fc.constantFrom(...userIds, ...freeIds);
const anyGroupId = fc.constantFrom(...groupIds, ...freeIds);
const idIn = (of: Plural): fc.Arbitrary<string> => (of === 'users' ? anyUserId : anyGroupId);
const plain = fc.constantFrom<Form>('json', 'xml');
const anyForm = fc.constantFrom<Form>('json', 'xml', 'scim');

interface Asked {
  readonly query: readonly (readonly [string, string])[];
  readonly names: readonly Named[];
}
const nothing: Asked = { query: [], names: [] };
const none = fc.constant(nothing);

type Filters = Readonly<Record<string, readonly [name: string, value: fc.Arbitrary<string>]>>;

const dates = fc.constantFrom('2024-01-04T00:00:00Z', '2025-01-03T00:00:00Z');
const filters: Readonly<Record<Plural, Filters>> = {
  users: {
    userName: ['userName', userNames],
    externalId: ['externalId', word],
    email: ['emails', word.map((one) => `${one}@example.org`)],
    active: ['active', fc.constantFrom('true', 'false')],
    role: ['roles', word],
    department: ['enterprise.department', word],
    userType: ['userType', word],
    title: ['title', word],
    costCenter: ['enterprise.costCenter', word],
    city: ['addresses', word],
    employeeNumber: ['enterprise.employeeNumber', word],
    manager: ['enterprise.manager', anyUserId],
    'attributes.system': ['attributes.system', word],
    'attributes.badge': ['attributes.badge', fc.constantFrom('11', '22', '5')],
    'attributes.remote': ['attributes.remote', fc.constantFrom('true', 'false')],
  },
  groups: { displayName: ['displayName', groupNames], externalId: ['externalId', word] },
};
const memberships = { users: ['group', anyGroupId], groups: ['member', anyUserId] } as const;
const sorts: Readonly<Record<Plural, Readonly<Record<string, string>>>> = {
  users: {
    ...{ id: 'id', userName: 'userName', displayName: 'displayName', familyName: 'name.familyName' },
    ...{ title: 'title', department: 'enterprise.department', created: 'meta', lastModified: 'meta' },
  },
  groups: { id: 'id', displayName: 'displayName', created: 'meta' },
};

const asked = (of: Plural, name: string, ...query: readonly (readonly [string, string])[]): Asked => ({
  query,
  names: [{ of, name }],
});

const aFilter = (of: Plural): fc.Arbitrary<Asked> => {
  const [membership, id] = memberships[of];
  const values = [
    ...Object.entries(filters[of]).map(([filter, [name, value]]) => ({ of, filter, name, value })),
    { of: 'groups' as const, filter: membership, name: 'members', value: id },
  ];
  return fc.oneof(
    ...values.map(({ filter, name, value, of: owner }) =>
      fc
        .tuple(fc.constantFrom('', '', '.in', '.not', '.exists'), value, value, fc.boolean())
        .map(([operator, one, other, exists]): Asked => {
          const parameter = filter + operator;
          if (operator === '.exists') return asked(owner, name, [parameter, String(exists)]);
          const more = operator === '.in' && one !== other ? [[parameter, other] as const] : [];
          return asked(owner, name, [parameter, one], ...more);
        }),
    ),
  );
};

const aRange = (of: Plural): fc.Arbitrary<Asked> =>
  fc
    .tuple(fc.constantFrom('created', 'lastModified'), fc.constantFrom('from', 'to'), dates)
    .map(([name, end, date]) => asked(of, 'meta', [`${name}.${end}`, date]));

const aSort = (of: Plural): fc.Arbitrary<Asked> =>
  fc
    .tuple(fc.constantFrom(...Object.entries(sorts[of])), fc.constantFrom('', '-'))
    .map(([[sort, name], sign]) => asked(of, name, ['sort', sign + sort]));

const one = (...query: [string, string][]): Asked => ({ query, names: [] });
const searched = fc.constantFrom('red', 'bl', 'sales', 'ann', 'ann red', 'ann1', '30 11', 'example');
const parameters = (of: Plural): fc.Arbitrary<readonly Asked[]> =>
  fc.tuple(
    fc.oneof(none, aFilter(of)),
    fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: aRange(of) }),
    fc.oneof(none, aSort(of)),
    fc.oneof(
      none,
      searched.map((text) => one(['search', text])),
    ),
    fc.oneof(
      none,
      fc.constantFrom('1', '2', '3', '50').map((limit) => one(['limit', limit])),
    ),
    fc.oneof(none, fc.constant(one(['total', 'true']))),
  );

const join = (all: readonly Asked[]): Asked => ({
  query: all.flatMap(({ query }) => query),
  names: all.flatMap(({ names }) => names),
});
const pathWith = (path: string, query: Asked['query']): string =>
  query.length === 0 ? path : `${path}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`;

const list = fc.constantFrom(...plurals).chain((of) =>
  fc
    .tuple(parameters(of), plain, fc.boolean(), fc.constantFrom('GET', 'GET', 'HEAD'))
    .map(([all, form, isWalked, method]): Step => {
      const { query, names } = join(all);
      return { method, path: pathWith(`/${of}`, query), form, names, isWalked: isWalked && method === 'GET' };
    }),
);

const single = (of: Plural, form: Form, id: string): string =>
  form === 'scim' ? `/scim/v2/${of === 'users' ? 'Users' : 'Groups'}/${id}` : `/${of}/${id}`;

const readCondition = fc.option(
  fc.tuple(
    fc.constantFrom('If-Match' as const, 'If-None-Match' as const),
    fc.constantFrom('current' as const, 'other' as const, '*' as const),
  ),
  { nil: undefined },
);
const writeCondition = fc.option(
  fc.tuple(
    fc.constant('If-Match' as const),
    fc.constantFrom('current' as const, 'current' as const, 'other' as const, '*' as const),
  ),
  { nil: undefined },
);

const read = fc.constantFrom(...plurals).chain((of) =>
  fc.tuple(idIn(of), anyForm, readCondition, fc.constantFrom('GET', 'GET', 'HEAD')).map(
    ([id, form, condition, method]): Step => ({
      ...{ method, path: single(of, form, id), form, names: [] },
      ...(condition && { condition }),
    }),
  ),
);

const readMember = fc.tuple(anyGroupId, anyUserId).map(
  ([group, user]): Step => ({
    ...{ method: 'GET', path: `/groups/${group}/members/${user}`, form: 'json' },
    names: [{ of: 'groups', name: 'members' }],
  }),
);

/** SCIM's attributes with the members that they show, and literals for them. */
const attributes: Readonly<Record<Plural, readonly (readonly [string, string, fc.Arbitrary<string>])[]>> =
  (() => {
    const text = word.map((value) => JSON.stringify(value));
    const truth = fc.constantFrom('true', 'false');
    return {
      users: [
        ['userName', 'userName', userNames.map((value) => JSON.stringify(value))],
        ...['externalId', 'displayName', 'nickName', 'title', 'userType'].map(
          (name) => [name, name, text] as const,
        ),
        ['name.familyName', 'name.familyName', text],
        ['emails.value', 'emails', word.map((value) => `"${value}@example.org"`)],
        ['roles.value', 'roles', text],
        ['addresses.locality', 'addresses', text],
        ['active', 'active', truth],
        ...['department', 'costCenter', 'employeeNumber'].map(
          (name) => [`${urns.enterprise}:${name}`, `enterprise.${name}`, text] as const,
        ),
        [`${urns.enterprise}:manager.value`, 'enterprise.manager', anyUserId.map((id) => JSON.stringify(id))],
        [`${urns.own}:system`, 'attributes.system', text],
        [`${urns.own}:remote`, 'attributes.remote', truth],
        ['id', 'id', anyUserId.map((id) => JSON.stringify(id))],
        ['meta.lastModified', 'meta', dates.map((date) => JSON.stringify(date))],
        ['groups.value', 'members', anyGroupId.map((id) => JSON.stringify(id))],
      ],
      groups: [
        ['displayName', 'displayName', groupNames.map((value) => JSON.stringify(value))],
        ['externalId', 'externalId', text],
        ['id', 'id', anyGroupId.map((id) => JSON.stringify(id))],
        ['members.value', 'members', anyUserId.map((id) => JSON.stringify(id))],
      ],
    };
  })();

const ownerOf = (of: Plural, name: string): Named => ({ of: name === 'members' ? 'groups' : of, name });

const comparison = (of: Plural): fc.Arbitrary<{ text: string; names: readonly Named[] }> =>
  fc.oneof(
    ...attributes[of].map(([path, name, literal]) =>
      fc
        .tuple(literal, fc.constantFrom('eq', 'eq', 'ne', 'sw', 'co', 'pr', 'gt'))
        .filter(
          ([value, operator]) => !/^(?:true|false)$/.test(value) || ['eq', 'ne', 'pr'].includes(operator),
        )
        .map(([value, operator]) => ({
          text: operator === 'pr' ? `${path} pr` : `${path} ${operator} ${value}`,
          names: [ownerOf(of, name)],
        })),
    ),
  );
const scimFilter = (of: Plural) =>
  fc.oneof(
    comparison(of),
    fc
      .tuple(comparison(of), fc.constantFrom('and', 'or'), comparison(of), fc.boolean())
      .map(([left, operator, right, isNegated]) => ({
        text: `${left.text} ${operator} ${isNegated ? `not (${right.text})` : right.text}`,
        names: [...left.names, ...right.names],
      })),
  );

const sortable: readonly string[] = [
  'id',
  'userName',
  'name.familyName',
  'displayName',
  'title',
  'meta.lastModified',
];

const attributeName = (path: string): string => path.replace(/\.value$/, '');
const scimParts = (of: Plural): fc.Arbitrary<readonly Asked[]> =>
  fc.tuple(
    fc.oneof(
      none,
      scimFilter(of).map(({ text, names }): Asked => ({ query: [['filter', text]], names })),
    ),
    fc.oneof(
      none,
      fc.tuple(fc.constantFrom('attributes', 'excludedAttributes'), fc.constantFrom(...attributes[of])).map(
        ([parameter, [path, name]]): Asked => ({
          query: [[parameter, attributeName(path)]],
          names: [ownerOf(of, name)],
        }),
      ),
    ),
    fc.oneof(
      none,
      fc.constantFrom(...attributes[of].filter(([path]) => sortable.includes(path))).map(
        ([path, name]): Asked => ({
          query: [['sortBy', path]],
          names: [ownerOf(of, name)],
        }),
      ),
    ),
    fc.oneof(none, fc.constant(one(['startIndex', '2'], ['count', '2']))),
  );

const scimList = fc.constantFrom(...plurals).chain((of) =>
  fc.tuple(scimParts(of), fc.constantFrom('GET', 'POST')).map(([all, method]): Step => {
    const { query, names } = join(all);
    const path = single(of, 'scim', '').slice(0, -1);
    if (method === 'GET') return { method, path: pathWith(path, query), form: 'scim', names };
    const body = Object.fromEntries(
      query.map(([name, value]) => {
        if (/ttributes$/.test(name)) return [name, [value]];
        return [name, /^\d+$/.test(value) ? Number(value) : value];
      }),
    );
    return {
      method,
      path: `${path}/.search`,
      form: 'scim',
      names,
      body: { schemas: [urns.search], ...body },
    };
  }),
);

export const anyRead: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: list },
  { weight: 4, arbitrary: read },
  { weight: 1, arbitrary: readMember },
  { weight: 4, arbitrary: scimList },
);

const membersOf = (of: Plural): fc.Arbitrary<Document> => {
  const all =
    of === 'users' ? { userName: userNames, ...userMembers } : { displayName: groupNames, ...groupMembers };
  const entries = Object.entries<fc.Arbitrary<unknown>>(all);
  return fc
    .subarray(entries, { minLength: 1, maxLength: 3 })
    .chain((some) => fc.record(Object.fromEntries(some)) as fc.Arbitrary<Document>);
};

const memberIds = fc.uniqueArray(anyUserId, { maxLength: 3 }).map((ids) => ids.map((value) => ({ value })));
/** Of a group in SCIM. */
const someMembers = fc.option(memberIds, { nil: undefined, freq: 1 });
const withMembers = (of: Plural, form: Form, members: readonly Document[] | undefined): Document =>
  of === 'groups' && form === 'scim' && members ? { members } : {};
const isBulk = fc.boolean();

const create = fc.constantFrom(...plurals).chain((of) =>
  fc
    .tuple(
      membersOf(of),
      of === 'users' ? userNames : groupNames,
      fc.option(fc.constantFrom(...userIds, ...freeIds)),
      anyForm,
      someMembers,
      isBulk,
    )
    .map(
      ([values, name, id, form, members, bulk]): Step => ({
        ...{ method: 'POST', path: single(of, form, '').slice(0, -1), form, names: [] },
        body: {
          ...(id && form !== 'scim' && { id }),
          [of === 'users' ? 'userName' : 'displayName']: name,
          ...{ ...values, ...withMembers(of, form, members) },
        },
        isBulk: bulk && form === 'scim',
      }),
    ),
);

const change = fc.constantFrom(...plurals).chain((of) =>
  fc
    .tuple(
      idIn(of),
      membersOf(of),
      anyForm,
      fc.constantFrom('PUT', 'PATCH'),
      fc.boolean(),
      writeCondition,
      someMembers,
      isBulk,
    )
    .map(([id, values, form, method, isSeen, condition, members, bulk]): Step => {
      const asBulk = bulk && form === 'scim';
      return {
        ...{ method, path: single(of, form, id), form, names: [] },
        ...{ body: { ...values, ...withMembers(of, form, members) }, isSeen: isSeen && method === 'PUT' },
        ...(condition && !asBulk && { condition }),
        isBulk: asBulk,
      };
    }),
);

/** A PATCH of SCIM by paths. */
const patch = fc.constantFrom(...plurals).chain((of) =>
  fc
    .tuple(
      idIn(of),
      fc.constantFrom(...attributes[of].filter(([path]) => !/^(?:id|meta|groups)/.test(path))),
      isBulk,
    )
    .chain(([id, [path, name, literal], bulk]) =>
      fc.tuple(literal, fc.constantFrom('add', 'replace', 'remove', 'filtered')).map(([value, op]): Step => {
        const [list, sub] = path.split('.');
        const isList = ['emails', 'roles', 'addresses', 'members'].includes(list ?? '');
        const isFiltered = op === 'filtered' && isList;
        const target = isFiltered ? `${list}[${sub} eq ${value}]` : isList ? list : path;
        const given = isList ? [{ [String(sub)]: JSON.parse(value) }] : JSON.parse(value);
        const operation =
          op === 'remove' || isFiltered
            ? { op: 'remove', path: target }
            : { op: op === 'filtered' ? 'add' : op, path: target, value: given };
        return {
          ...{ method: 'PATCH', path: single(of, 'scim', id), form: 'scim', names: [ownerOf(of, name)] },
          ...{ raw: { schemas: [urns.patch], Operations: [operation] }, isBulk: bulk },
        };
      }),
    ),
);

/** A PATCH that removes. */
const removal = fc.constantFrom(...plurals).chain((of) =>
  fc.tuple(idIn(of), fc.constantFrom(...Object.keys(of === 'users' ? userMembers : groupMembers))).map(
    ([id, name]): Step => ({
      ...{ method: 'PATCH', path: single(of, 'json', id), form: 'json', names: [], body: { [name]: null } },
    }),
  ),
);

const remove = fc.constantFrom(...plurals).chain((of) =>
  fc.tuple(idIn(of), anyForm, writeCondition).map(
    ([id, form, condition]): Step => ({
      ...{ method: 'DELETE', path: single(of, form, id), form, names: [] },
      ...(condition && { condition }),
    }),
  ),
);

const membersNamed: readonly Named[] = [{ of: 'groups', name: 'members' }];
const changeMembers = fc.oneof(
  fc.tuple(anyGroupId, anyUserId, fc.constantFrom('PUT', 'DELETE')).map(
    ([group, user, method]): Step => ({
      ...{ method, path: `/groups/${group}/members/${user}`, form: 'json', names: membersNamed },
    }),
  ),
  fc.tuple(anyGroupId, fc.uniqueArray(anyUserId, { minLength: 1, maxLength: 4 }), fc.nat(4), plain).map(
    ([group, ids, at, form]): Step => ({
      ...{ method: 'POST', path: `/groups/${group}/members`, form, names: membersNamed },
      body: { add: ids.slice(0, at), remove: ids.slice(at) },
    }),
  ),
);

export const anyRestoration = fc
  .oneof(
    anyUserId.map((id) => `/users/${id}`),
    anyGroupId.map((id) => `/groups/${id}`),
  )
  .map((path): Step => ({ method: 'POST', path: `${path}/restore`, form: 'json', names: [] }));

export const anyWrite: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: create },
  { weight: 6, arbitrary: change },
  { weight: 2, arbitrary: patch },
  { weight: 2, arbitrary: removal },
  { weight: 1, arbitrary: remove },
  { weight: 2, arbitrary: changeMembers },
);

const typeOf = ({ form, method }: Step): string => {
  if (form === 'scim') return 'application/scim+json';
  return method === 'PATCH' ? 'application/merge-patch+json' : `application/${form}`;
};

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Seen {
  readonly tag: string;
  /** In JSON; undefined if the client sees nothing there. */
  readonly document?: Document;
}

const pluralIn = (path: string): Plural => (/^\/(?:scim\/v2\/)?users/i.test(path) ? 'users' : 'groups');

function printBody(step: Step, body: Document): string {
  const { form, path, method } = step;
  if (path.endsWith('.search')) return JSON.stringify(body);
  if (form === 'scim') return JSON.stringify(toScim(pluralIn(path), body, method === 'PATCH'));
  if (form === 'json' || method === 'PATCH') return JSON.stringify(body);
  return toXml(path.endsWith('/members') ? 'members' : pluralIn(path).slice(0, -1), body);
}

/** The members that the body of a step sets. */
export function bodyOf({ body, isSeen }: Step, { document }: Pick<Seen, 'document'>): Document | undefined {
  if (!isSeen || body === undefined) return body;
  const { meta: _, memberCount: __, ...seen } = document ?? {};
  return { ...seen, ...body };
}

function asBulk(step: Step, body: Document | undefined): Sent {
  const { method, path } = step;
  const data = step.raw ?? (body && JSON.parse(printBody(step, body)));
  const operation = { method, path: path.replace('/scim/v2', ''), bulkId: 'one', ...(data && { data }) };
  return {
    ...{ method: 'POST', path: '/scim/v2/Bulk' },
    headers: { Accept: 'application/scim+json', 'Content-Type': 'application/scim+json' },
    body: JSON.stringify({ schemas: [urns.bulk], Operations: [operation] }),
  };
}

export function toRequest(step: Step, seen: Seen, body = bodyOf(step, seen)): Sent {
  const { method, path, form, condition, raw } = step;
  if (step.isBulk) return asBulk(step, body);
  const [field, value] = condition ?? [];
  const tags = { current: seen.tag, other: '"other"', '*': '*' };
  const text = raw ? JSON.stringify(raw) : body && printBody(step, body);
  return {
    ...{ method, path },
    headers: {
      Accept: form === 'scim' ? 'application/scim+json' : `application/${form}`,
      ...(text && { 'Content-Type': typeOf(step) }),
      ...(field && value && tags[value] !== '' && { [field]: tags[value] }),
    },
    ...(text && { body: text }),
  };
}
