/** Generated filters, and users of whom they find some: both have their texts from the same few. */
import fc from 'fast-check';
import type { Attribute } from '../../../../../src/adapters/apis/scim/resource/attributes.ts';
import type { User } from '../../../../../src/domain/kinds/user/user.ts';
import { aUser } from '../../../../support/a-user.ts';
import { schemas } from '../../../../support/scim-users.ts';

/** In the order of code points the first of them is the last. */
const utf16 = ['\u{1F600}', '\u{1F600}a', '\uFFFD', '\uFFFDa'];

/** Words that some code may take for others, beside plain ones. */
const texts = [
  'ada',
  'Ada',
  'ADA LOVELACE',
  'ada lovelace, countess',
  'Zoë',
  "O'Brien",
  'obrien-smith',
  'ß',
  'SS',
  'ΣΊΣΥΦΟΣ',
  'Σίσυφος',
  '漢字かな',
  '+31 20 123-4567',
  '0201234567',
  'a',
  'b',
  '-',
  '.',
  '"quoted"',
  'back\\slash',
  ...utf16,
  '__proto__',
  '  two  spaces ',
];
const names = ['ada', 'Ada', 'bob', 'BOB.b', 'a', 'zoë', 'Zoë.a', 'o-brien'];
const emails = ['ada@example.org', 'ADA@Example.org', 'bob@b.example', 'zoë@z', '\u00e9@b'];
const types = ['work', 'Work', 'home'];
const keys = ['Key-1', 'key-1', '1', '漢'];
const roles = ['Admin', 'admin', 'auditor'];
const dates = [
  '1999-12-31T23:59:59.999Z',
  '2026-01-02T03:04:05.678Z',
  '2026-01-02T03:04:05.679Z',
  '2026-01-02T04:04:05.678+01:00',
  '2026-01-02T03:04:05Z',
];
const urls = ['https://example.org/Ada', 'https://example.org/ada', 'urn:a'];
const certificates = ['AAAA', 'aaaa', 'AA=='];
const ids = ['0', '1', '2', '3'].map((digit) => `00000000-0000-7000-8000-00000000000${digit}`);

/** What an attribute may be compared with; left out, any text. */
const pools: Readonly<Record<string, readonly string[]>> = {
  id: ids,
  userName: names,
  externalId: keys,
  'emails.value': emails,
  'roles.value': roles,
  profileUrl: urls,
  'photos.value': urls,
  'x509Certificates.value': certificates,
  type: types,
};

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });
const text = fc.constantFrom(...texts);

/** Without members that are undefined; undefined when nothing is left. */
function compact<T extends object>(value: T): T | undefined {
  const kept = Object.entries(value).filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as T);
}

const list = (of: fc.Arbitrary<object>, more: boolean): fc.Arbitrary<object[] | undefined> =>
  fc
    .array(
      fc
        .tuple(
          of,
          fc.record({ type: optional(fc.constantFrom(...types)), primary: optional(fc.constant(false)) }),
        )
        .map(([own, typed]) => compact(more ? { ...own, ...typed } : own)),
      { maxLength: 3 },
    )
    .map((items) => items.filter((item) => item !== undefined))
    .chain((items) =>
      fc
        .nat(6)
        .map((first) => items.map((item, at) => (at === first && more ? { ...item, primary: true } : item))),
    )
    .map((items) => (items.length === 0 ? undefined : items));

const stored = fc.constantFrom(...dates.filter((date) => /\.\d+Z$/.test(date)));

/** Valid, but for its name: others may have it as well. */
export const filterableUser: fc.Arbitrary<User> = fc
  .record({
    userName: fc.constantFrom(...names),
    externalId: optional(fc.constantFrom(...keys)),
    name: fc
      .record({ familyName: optional(text), givenName: optional(text), formatted: optional(text) })
      .map(compact),
    displayName: optional(text),
    nickName: optional(text),
    title: optional(text),
    userType: optional(text),
    profileUrl: optional(fc.constantFrom(...urls)),
    active: fc.boolean(),
    emails: list(fc.record({ value: fc.constantFrom(...emails) }), true),
    phoneNumbers: list(fc.record({ value: text, display: optional(text) }), true),
    ims: list(fc.record({ value: text }), true),
    photos: list(fc.record({ value: fc.constantFrom(...urls) }), true),
    x509Certificates: list(fc.record({ value: fc.constantFrom(...certificates) }), true),
    enterprise: fc
      .record({
        department: optional(text),
        employeeNumber: optional(text),
        manager: optional(fc.record({ value: optional(text), displayName: optional(text) }).map(compact)),
      })
      .map(compact),
    addresses: list(fc.record({ formatted: optional(text), locality: optional(text) }), true),
    roles: optional(fc.uniqueArray(fc.constantFrom(...roles), { minLength: 1 })),
    attributes: optional(
      fc.dictionary(fc.constantFrom('a', 'costCenter', 'constructor'), text, { minKeys: 1 }),
    ),
    meta: fc.record({ created: stored, lastModified: stored, version: fc.constantFrom('v1', 'v2') }),
    id: fc.constantFrom(...ids),
  })
  .map((members) => aUser(compact(members) as Partial<User>));

const operators: Readonly<Record<Attribute['type'], readonly string[]>> = {
  string: ['eq', 'eq', 'ne', 'co', 'sw', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'],
  reference: ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'],
  dateTime: ['eq', 'ne', 'gt', 'ge', 'lt', 'le'],
  integer: ['eq', 'ne', 'gt', 'ge', 'lt', 'le'],
  decimal: ['eq', 'ne', 'gt', 'ge', 'lt', 'le'],
  boolean: ['eq', 'ne'],
  binary: ['eq', 'ne'],
  complex: [],
};

/** A name in any case of letters. */
const inAnyCase = (name: string): fc.Arbitrary<string> =>
  fc.constantFrom(name, name, name.toLowerCase(), name.toUpperCase());

/** All of a text, or some of it. */
const part = (of: string): fc.Arbitrary<string> => {
  const characters = [...of];
  return fc
    .tuple(fc.nat(characters.length), fc.nat(characters.length))
    .map(([one, other]) => characters.slice(Math.min(one, other), Math.max(one, other)).join(''));
};
const variant = (of: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(of) },
    { weight: 1, arbitrary: fc.constant(of.toUpperCase()) },
    { weight: 2, arbitrary: part(of) },
  );

function valueFor({ type, name }: Attribute, path: string): fc.Arbitrary<string> {
  if (type === 'boolean') return fc.constantFrom('true', 'false', '"True"', '"false"', 'TRUE');
  if (type === 'dateTime') return fc.constantFrom(...dates).map((date) => JSON.stringify(date));
  const pool = pools[path] ?? pools[name] ?? texts;
  return fc
    .constantFrom(...pool)
    .chain(variant)
    .map((value) => JSON.stringify(value));
}

/** @param path as it is written @param of the attribute that it leads to */
const comparison = (path: string, of: Attribute, known: string): fc.Arbitrary<string> => {
  const present = inAnyCase('pr').map((pr) => `${path} ${pr}`);
  const none = fc.constantFrom('eq', 'ne').map((operator) => `${path} ${operator} null`);
  const some = fc
    .tuple(fc.constantFrom('eq', ...operators[of.type]).chain(inAnyCase), valueFor(of, known))
    .map(([operator, value]) => `${path} ${operator} ${value}`);
  if (operators[of.type].length === 0) return fc.oneof(present, none);
  return fc.oneof(
    { weight: 8, arbitrary: some },
    { weight: 1, arbitrary: present },
    { weight: 1, arbitrary: none },
  );
};

/** `and`, `or`, `not` and brackets, in any spelling. */
function combined(leaf: fc.Arbitrary<string>, depth: number): fc.Arbitrary<string> {
  if (depth === 0) return leaf;
  const inner = combined(leaf, depth - 1);
  const chain = fc
    .tuple(inner, fc.array(fc.tuple(fc.constantFrom('and', 'or').chain(inAnyCase), inner), { maxLength: 3 }))
    .map(([first, rest]) => [first, ...rest.map(([operator, one]) => `${operator} ${one}`)].join(' '));
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: chain },
    { weight: 1, arbitrary: chain.map((one) => `(${one})`) },
    { weight: 1, arbitrary: fc.tuple(inAnyCase('not'), chain).map(([not, one]) => `${not} (${one})`) },
  );
}

const managerPath = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager';
const core = 'urn:ietf:params:scim:schemas:core:2.0:User';

interface Named {
  /** As it is written. */
  readonly path: string;
  readonly attribute: Attribute;
}

const named: readonly Named[] = [
  ...schemas.flatMap(({ id, attributes }) =>
    // Memberships take one comparison only: groups.test.ts.
    attributes
      .filter(({ isRelation }) => !isRelation)
      .map((attribute) => ({
        path: id === core ? attribute.name : `${id}:${attribute.name}`,
        attribute,
      })),
  ),
];
/** Those that the generated users have are asked for most. */
const frequent = named.filter(({ path }) =>
  /^(userName|externalId|name|displayName|title|active|emails|phoneNumbers|roles)$|attributes$|:department$|:manager$/.test(
    path,
  ),
);

function aboutAttribute({ path, attribute }: Named): fc.Arbitrary<string> {
  const prefix = attribute.name === path ? fc.constantFrom('', '', '', `${core}:`) : fc.constant('');
  const written = fc.tuple(prefix, inAnyCase(path)).map((parts) => parts.join(''));
  const { subAttributes, multiValued } = attribute;
  if (subAttributes.length === 0) return written.chain((as) => comparison(as, attribute, path));
  const value = subAttributes.find(({ name }) => name === 'value');
  const whole =
    value === undefined
      ? written.map((as) => `${as} pr`)
      : written.chain((as) => comparison(as, value, `${path}.value`));
  const sub = fc
    .tuple(written, fc.constantFrom(...subAttributes))
    .chain(([as, of]) =>
      inAnyCase(of.name).chain((name) => comparison(`${as}.${name}`, of, `${path}.${of.name}`)),
    );
  const within = fc
    .constantFrom(...subAttributes)
    .chain((of) => inAnyCase(of.name).chain((name) => comparison(name, of, `${path}.${of.name}`)));
  const items = fc.tuple(written, combined(within, 1)).map(([as, filter]) => `${as}[${filter}]`);
  return multiValued ? fc.oneof(whole, sub, items) : sub;
}

const aboutOthers: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('id', 'ID').chain((path) => fc.constantFrom(...ids).map((id) => `${path} eq "${id}"`)),
  fc
    .constantFrom('meta.created', 'meta.lastModified')
    .chain((path) => comparison(path, { type: 'dateTime', name: '' } as Attribute, path)),
  fc.constantFrom(`schemas eq "${core}"`, 'schemas co "enterprise"', 'meta pr', 'schemas pr'),
);

const ofUtf16 = fc
  .tuple(
    fc.constantFrom('displayName', 'title', 'nickName'),
    fc.constantFrom('gt', 'lt'),
    fc.constantFrom(...utf16),
  )
  .map(([path, operator, value]) => `${path} ${operator} "${value}"`);

const leaf = fc.oneof(
  { weight: 1, arbitrary: ofUtf16 },
  { weight: 6, arbitrary: fc.constantFrom(...frequent).chain(aboutAttribute) },
  { weight: 2, arbitrary: fc.constantFrom(...named).chain(aboutAttribute) },
  { weight: 2, arbitrary: aboutOthers },
);

/** Of every attribute, operator and form there is. Never too long for the limits. */
export const anyFilter: fc.Arbitrary<string> = combined(leaf, 2);

const oneOf = (path: string, values: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...values).map((value) => `${path} eq ${JSON.stringify(value)}`);

/** Of comparisons that an index tells, so that the same user is found by several of them. */
export const indexedFilter: fc.Arbitrary<string> = combined(
  fc.oneof(
    oneOf('userName', names),
    oneOf('externalId', keys),
    oneOf('emails', emails),
    oneOf('roles', roles),
    oneOf('active', ['true', 'false']),
    oneOf('id', ids),
    oneOf('displayName', texts),
    oneOf('displayName', texts).map((text) => text.replace(' eq ', ' sw ')),
    oneOf('userName', names).map((text) => text.replace(' eq ', ' ne ')),
    oneOf('externalId', keys).map((text) => text.replace(' eq ', ' ne ')),
    oneOf('employeeNumber', texts),
    oneOf('employeeNumber', texts).map((text) => text.replace(' eq ', ' ne ')),
    oneOf('roles', roles).map((text) => text.replace(' eq ', ' ne ')),
    fc.constantFrom('emails pr', 'roles pr', 'externalId pr', 'externalId eq null', 'emails ne null'),
    fc.constantFrom(`${managerPath} pr`, `${managerPath}.value pr`, `${managerPath}.value eq null`),
    oneOf(`${managerPath}.value`, texts).map((text) => text.replace(' eq ', ' ne ')),
    fc.constantFrom('emails[not (value eq "ada@example.org")]', 'roles[value ne "admin" or value pr]'),
    fc.constant('emails[type eq "work" and value eq "ada@example.org"]'),
  ),
  1,
);
