/**
 * The user: the one schema that type, validation, both formats and the published contracts follow from.
 * Attribute names are those of the SCIM core schema (RFC 7643 §4.1). Lengths count code points.
 *
 * Beside JSON Schema's own keywords a schema here may carry five of ours:
 * - `item`: what one entry of a list is called where a format names it (XML's element);
 * - `entry`: the same for one pair of a map;
 * - `must`: how to finish "must …" for a client whose value fails the pattern;
 * - `search`: how the user is found by it, as `words` or as a `phone` number (search.ts);
 * - `sort`: the name by which a list is put in its order (sorts.ts).
 * Descriptions are for the published contracts.
 */
import Type from 'typebox';
import { uuidPattern } from './uuid.ts';

interface Marks {
  readonly search?: 'words' | 'phone';
  readonly sort?: string;
}

const text = (maxLength: number, description?: string, marks: Marks = {}) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }), ...marks });
const words: Marks = { search: 'words' };
const list = <T extends Type.TSchema>(item: string, maxItems: number, of: T, more: object = {}) =>
  Type.Optional(Type.Array(of, { item, minItems: 1, maxItems, ...more }));
const closed = <T extends Type.TProperties>(description: string, properties: T) =>
  Type.Object(properties, { additionalProperties: false, minProperties: 1, description });

/** RFC 5646 §2.1 as ABNF, regular and irregular grandfathered tags included: well-formed, not necessarily registered. */
const languageTag = (() => {
  const alnum = '[A-Za-z0-9]';
  const language = '(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})';
  const script = '(?:-[A-Za-z]{4})?';
  const region = '(?:-(?:[A-Za-z]{2}|[0-9]{3}))?';
  const variants = `(?:-(?:${alnum}{5,8}|[0-9]${alnum}{3}))*`;
  const extensions = `(?:-[0-9A-WY-Za-wy-z](?:-${alnum}{2,8})+)*`;
  const privateUse = `[xX](?:-${alnum}{1,8})+`;
  const irregular =
    'en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE)';
  const regular = 'art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang)';
  const anyCase = `${irregular}|${regular}`.replace(
    /[A-Za-z]/g,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
  return `^(?:${language}${script}${region}${variants}${extensions}(?:-${privateUse})?|${privateUse}|${anyCase})$`;
})();

const tag = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      pattern: languageTag,
      must: 'be a BCP 47 language tag, such as en-GB',
      description: `${description}: a BCP 47 language tag, well-formed.`,
    }),
  );

const typed = {
  type: Type.Optional(text(32, 'What it is used for, such as work or home.')),
  primary: Type.Optional(
    Type.Boolean({ description: 'Whether it is the one to use first; at most one of a list is.' }),
  ),
};
const onePrimary = {
  contains: Type.Object({ primary: Type.Literal(true) }),
  minContains: 0,
  maxContains: 1,
};

const Email = closed('An email address.', {
  value: Type.String({
    minLength: 3,
    maxLength: 254,
    pattern: '^[^\\s@]+@[^\\s@]+$',
    must: 'be an address, local@domain',
    description: 'An address, local@domain.',
    ...words,
  }),
  ...typed,
});

const PhoneNumber = closed('A phone number.', {
  value: text(64, 'As dialled or as RFC 3966 writes it; any text.', { search: 'phone' }),
  ...typed,
});

const Address = closed('A postal address.', {
  formatted: Type.Optional(text(512, 'The whole address, as on an envelope.')),
  streetAddress: Type.Optional(text(256, 'Street and number.')),
  locality: Type.Optional(text(128, 'City or town.')),
  region: Type.Optional(text(128, 'State or province.')),
  postalCode: Type.Optional(text(32, 'Postal code.')),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      must: 'be two letters (ISO 3166-1), such as NL',
      description: 'Two letters (ISO 3166-1).',
    }),
  ),
  ...typed,
});

const Name = closed('The parts of a name.', {
  formatted: Type.Optional(text(128, 'The whole name, as it is to be shown.', words)),
  familyName: Type.Optional(text(128, 'Family name, or last name.', { ...words, sort: 'familyName' })),
  givenName: Type.Optional(text(128, 'Given name, or first name.', words)),
  middleName: Type.Optional(text(128, 'Middle names.', words)),
  honorificPrefix: Type.Optional(text(128, 'Title in front of the name, such as Dr.', words)),
  honorificSuffix: Type.Optional(text(128, 'Suffix behind the name, such as III.', words)),
});

/** Holds for the name as typed and as mapped. In code points. */
export const maxUserNameLength = 128;

/** Members that a client may set. */
const writable = {
  userName: text(
    maxUserNameLength,
    'What the user signs in with. Unique whatever the case and width (RFC 8265, UsernameCaseMapped); without spaces.',
    { ...words, sort: 'userName' },
  ),
  externalId: Type.Optional(text(255, "The client's own key; need not be unique.", words)),
  name: Type.Optional(Name),
  displayName: Type.Optional(text(256, 'The name to show.', { ...words, sort: 'displayName' })),
  nickName: Type.Optional(text(256, 'What friends say.', words)),
  title: Type.Optional(text(256, 'Job title.', words)),
  userType: Type.Optional(text(256, 'How the user belongs here, such as employee or contractor.')),
  preferredLanguage: tag('The language that the user prefers'),
  locale: tag('Where the user is, for dates and numbers'),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$',
      must: 'be shaped like an IANA time zone, such as Europe/Amsterdam',
      description: 'An IANA time zone, by shape.',
    }),
  ),
  active: Type.Boolean({
    description: 'Whether the user may be let in. Left out: true in a POST, as it was in a PUT.',
  }),
  emails: list('email', 20, Email, onePrimary),
  phoneNumbers: list('phoneNumber', 20, PhoneNumber, onePrimary),
  addresses: list('address', 10, Address, onePrimary),
  roles: list('role', 100, text(64), { uniqueItems: true, description: 'What the user is; no role twice.' }),
  attributes: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }), text(1024), {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 64,
      entry: 'attribute',
      description: 'What the installation adds: texts by name.',
      must: 'have names of up to 64 letters, digits, _ and -, that begin with a letter',
    }),
  ),
};

const id = Type.String({
  pattern: uuidPattern,
  must: 'be a UUID (RFC 9562)',
  description: "A UUID: the service's, or the client's own in a POST. It never changes.",
});

const Meta = Type.Object(
  {
    created: Type.String({ format: 'date-time', description: 'When it was made.', sort: 'created' }),
    lastModified: Type.String({
      format: 'date-time',
      description: 'When it was last changed.',
      sort: 'lastModified',
    }),
    version: Type.String({ minLength: 1, description: 'Another one after every change; opaque.' }),
  },
  {
    additionalProperties: false,
    readOnly: true,
    description: 'What the service knows of the user. Read-only: ignored in what a client sends.',
  },
);

/** A user as it is stored and shown: members in the order in which every format prints them. */
export const User = Type.Object(
  { id, ...writable, meta: Meta },
  { additionalProperties: false, description: 'A user, as the service shows it.' },
);
export type User = Type.Static<typeof User>;

/** The body of a POST or PUT, and the result of a PATCH: no `meta`; `id` and `active` may be left out. */
export const UserInput = Type.Object(
  { id: Type.Optional(id), ...writable, active: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type UserInput = Type.Static<typeof UserInput>;

/** The most a whole user takes as canonical JSON in UTF-8, `id` and `meta` included, in bytes. */
export const maxUserBytes = 16 * 1024;
