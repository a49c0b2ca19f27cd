/** Generated users: any that the rules allow to be stored, and the largest. */
import fc from 'fast-check';
import { maxUserBytes, User } from '../../src/domain/kinds/user/user.ts';
import { validator } from '../../src/domain/validation/schema-validator.ts';
import { aUser } from './a-user.ts';
import { anyCharacter } from './any-text.ts';

const validate = validator(User);

/** Members in the schema's order, as every stored user has them. */
function stored(user: object): User {
  const { value, violations } = validate(user);
  if (violations.length > 0) throw new Error(`not a valid user: ${JSON.stringify(violations)}`);
  return value as User;
}

const bytesOf = (user: User): number => Buffer.byteLength(JSON.stringify(user));

/** A character of XML 1.0, those that formats trip over more often than the rest. */
const character = fc.oneof(
  fc.constantFrom('\r', '\n', '\t', ' ', '&', '<', '>', '"', "'", ']', ';', '\u0085', '\u2028', '\uFEFF'),
  fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0x7f, max: 0xd7ff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0xe000, max: 0xfffd }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0x10000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
);

/** Texts that some reader or printer takes for something else. */
const treacherous = [
  '007',
  '0x1F',
  '1.0',
  '+4420',
  '1e3',
  'true',
  'null',
  ' ',
  '\t\n',
  '\r',
  '\r\n',
  '  a  ',
  ']]>',
  '&lt;',
  '&amp;lt;',
  '&#65;',
  '<a/>',
  '<!--a-->',
  '<![CDATA[a]]>',
  '"a"',
  "'a'",
  '{}',
  '\\u0041',
  '__proto__',
  'toString',
  '\u{1F600}',
];

/** Any text of 1 to `maxLength` code points. */
export const text = (maxLength: number): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.string({ unit: character, minLength: 1, maxLength: Math.min(maxLength, 24) }),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...treacherous.filter((value) => [...value].length <= maxLength)),
    },
  );

const word = fc.string({
  unit: character.filter((value) => !/[\s@]/.test(value)),
  minLength: 1,
  maxLength: 20,
});
/** None of the special characters of RFC 5322 §3.2.3. */
const domain = word.filter((value) => !/[,;:()<>[\]"\\.]/.test(value));
const email = fc.tuple(word, domain).map(([local, name]) => `${local}@${name}`);
const languageTag = fc.constantFrom('en', 'en-GB', 'zh-Hant-TW', 'de-CH-1996', 'x-private', 'i-klingon');

/** A character of a part of a URL (RFC 3986 §3.3), one in eleven percent-encoded. `fc.webUrl` keeps a map as `any-text.ts` says. */
const urlCharacter = (marks: string): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 10,
      arbitrary: fc.constantFrom(...`abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789${marks}`),
    },
    { weight: 1, arbitrary: anyCharacter.map(percentEncode) },
  );

function percentEncode(plain: string): string {
  const encoded = encodeURIComponent(plain);
  return plain === encoded ? `%${plain.charCodeAt(0).toString(16)}` : encoded;
}
const marks = "-._~!$&'()*+,;=:@";
const urlTail = fc.option(fc.string({ unit: urlCharacter(`${marks}/?`) }));
export const anyUrl = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.webAuthority(),
    fc.array(fc.string({ unit: urlCharacter(marks), size: 'xsmall' })),
    urlTail,
    urlTail,
  )
  .map(([scheme, authority, segments, query, fragment]) => {
    const path = segments.map((segment) => `/${segment}`).join('');
    return `${scheme}://${authority}${path}${query === null ? '' : `?${query}`}${fragment === null ? '' : `#${fragment}`}`;
  });
const uri = fc.oneof(anyUrl, fc.constantFrom('urn:x:%c3%A9', 'mailto:a@b', "https://[::1]/a'b&c(d)"));
/** With padding and without. */
const base64 = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 90 }), fc.boolean())
  .map(([bytes, padded]) => {
    const text = Buffer.from(bytes).toString('base64');
    return padded ? text : text.replace(/=+$/, '');
  });
export const attributeName = fc.oneof(
  fc.constantFrom('constructor', 'toString', 'hasOwnProperty', 'valueOf', 'name', 'xmlns', 'a-b_c9'),
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,12}$/),
);

/** Some of the members, at least one. */
const some = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(members, { requiredKeys: [] }).filter((value) => Object.keys(value).length > 0);

/** A list of which at most one item is the primary one. */
const typedList = (
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>>,
  maxLength: number,
): fc.Arbitrary<unknown[]> => {
  const more = { ...optional, type: text(32), primary: fc.constant(false) };
  const item = fc
    .tuple(fc.record(required), fc.record(more, { requiredKeys: [] }))
    .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>)
    .filter((value) => Object.keys(value).length > 0);
  return fc
    .tuple(fc.array(item, { minLength: 1, maxLength }), fc.nat(2 * maxLength))
    .map(([items, first]) => items.map((one, index) => (index === first ? { ...one, primary: true } : one)));
};

const date = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((value) => value.toISOString());

const address = {
  formatted: text(512),
  streetAddress: text(256),
  locality: text(128),
  region: text(128),
  postalCode: text(32),
  country: fc.constantFrom('NL', 'de'),
};
const name = {
  formatted: text(128),
  familyName: text(128),
  givenName: text(128),
  middleName: text(128),
  honorificPrefix: text(128),
  honorificSuffix: text(128),
};

const enterprise = {
  employeeNumber: text(256),
  costCenter: text(256),
  organization: text(256),
  division: text(256),
  department: text(256),
  manager: some({ value: text(255), displayName: text(256) }),
};
const display = { display: text(256) };

/** Any valid user as it is stored, with none to all of the optional members. */
export function anyUser(): fc.Arbitrary<User> {
  const members = {
    id: fc.uuid(),
    userName: fc.stringMatching(/^[A-Za-z0-9]{1,20}$/),
    externalId: text(255),
    name: some(name),
    displayName: text(256).filter((value) => value.trim() !== ''),
    nickName: text(256),
    title: text(256),
    userType: text(256),
    preferredLanguage: languageTag,
    locale: languageTag,
    timezone: fc.constantFrom('Europe/Amsterdam', 'UTC', 'Etc/GMT+1'),
    active: fc.boolean(),
    profileUrl: uri,
    emails: typedList({ value: email }, display, 4),
    phoneNumbers: typedList({ value: text(64) }, display, 4),
    ims: typedList({ value: text(256) }, display, 3),
    photos: typedList({ value: uri }, display, 3),
    addresses: typedList({}, address, 3),
    entitlements: typedList({ value: text(256) }, display, 4),
    roles: fc.uniqueArray(text(64), { minLength: 1, maxLength: 6, selector: (role) => role.trim() }),
    x509Certificates: typedList({ value: base64 }, display, 2),
    enterprise: some(enterprise),
    attributes: fc
      .uniqueArray(fc.tuple(attributeName, text(1024)), {
        selector: ([key]) => key,
        minLength: 1,
        maxLength: 8,
      })
      .map((pairs) => Object.fromEntries(pairs)),
    meta: fc.record({ created: date, lastModified: date, version: text(40) }),
  };
  return fc
    .record(members, { requiredKeys: ['id', 'userName', 'active', 'meta'] })
    .map(stored)
    .filter((user) => bytesOf(user) <= maxUserBytes);
}

/** A user of exactly as many bytes as one may have, nearly all of them `&`: what XML makes most of. */
export function largestUser(): User {
  const attributes = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [`a${index}`, '&'.repeat(1024)]),
  );
  const sized = (length: number): User =>
    stored(aUser({ userName: 'largest', attributes: { ...attributes, rest: '&'.repeat(length) } }));
  return sized(1 + maxUserBytes - bytesOf(sized(1)));
}
