/**
 * The user: the one schema from which type, validation, both formats and the published contracts are derived.
 * Attribute names are those of the SCIM core schema (RFC 7643 §4.1) and its enterprise extension (§4.3). Lengths count code points.
 * annotations.ts explains our own keywords. Descriptions are for the published contracts.
 */
import * as Type from 'typebox';
import { called, instant, list, type ScimAnnotation, text, words } from '../../resource/annotations.ts';
import { idType, Meta } from '../../resource/resource.ts';
import { textAttributes } from '../attributes/schema.ts';
import { userHeadings } from './user-headings.ts';
import {
  Address,
  anyUri,
  Certificate,
  Email,
  Enterprise,
  Entitlement,
  Im,
  Name,
  onePrimary,
  PhoneNumber,
  Photo,
  tag,
} from './user-parts.ts';
import { timeZone } from './user-patterns.ts';

/** Limits the name as typed and as mapped. In code points. */
export const maxUserNameLength = 128;

/** Members that a client may set. */
const writable = {
  userName: text(
    maxUserNameLength,
    'The name for signing in. Unique regardless of case and width (RFC 8265, UsernameCaseMapped); without spaces.',
    {
      ...{ ...words, sort: 'userName', scim: { uniqueness: 'server' } },
      ...called('User name, Login, Login name', 'Benutzername, Anmeldename, Nutzername'),
    },
  ),
  externalId: Type.Optional(
    text(255, "The client's own key; need not be unique.", { ...words, scim: { caseExact: true } }),
  ),
  name: Type.Optional(Name),
  displayName: Type.Optional(
    text(256, 'The name to show; not of spaces only.', {
      ...words,
      sort: 'displayName',
      ...called('Display name', 'Anzeigename'),
    }),
  ),
  nickName: Type.Optional(
    text(256, 'The name that friends use.', { ...words, ...called('Nickname', 'Spitzname, Rufname') }),
  ),
  profileUrl: Type.Optional(anyUri('The URI of a page about the user; its scheme must not run scripts.')),
  title: Type.Optional(
    text(256, 'Job title.', {
      ...words,
      sort: 'title',
      ...called('Job title', 'Berufsbezeichnung, Stellenbezeichnung'),
    }),
  ),
  userType: Type.Optional(
    text(
      256,
      'The relationship to the organization, such as employee or contractor.',
      called('User type', 'Benutzertyp'),
    ),
  ),
  preferredLanguage: tag(
    'The language that the user prefers',
    called('Language, Preferred language', 'Sprache, Bevorzugte Sprache'),
  ),
  locale: tag('The region for dates and numbers'),
  timezone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      ...timeZone,
      description: 'An IANA time zone. Only its form is checked.',
      scim: { canonicalValues: ['Etc/UTC', 'Europe/Amsterdam', 'America/New_York'] } satisfies ScimAnnotation,
      ...called('Time zone', 'Zeitzone'),
    }),
  ),
  active: Type.Boolean({
    description: 'Whether the user may sign in. Default: true in a POST, the stored value in a PUT.',
    ...called('Active', 'Aktiv'),
  }),
  emails: list('email', 20, Email, onePrimary),
  phoneNumbers: list('phoneNumber', 20, PhoneNumber, onePrimary),
  ims: list('im', 20, Im, { ...onePrimary, description: 'Addresses for instant messages.' }),
  photos: list('photo', 10, Photo, { ...onePrimary, description: 'Pictures of the user.' }),
  addresses: list('address', 10, Address, onePrimary),
  entitlements: list('entitlement', 100, Entitlement, { ...onePrimary, description: 'Rights of the user.' }),
  roles: list('role', 100, text(64), {
    uniqueItems: true,
    description: 'Roles of the user. No role occurs twice, also with other spaces at its ends.',
    // In the form that `uniqueItems` and the filter by role compare.
    scim: { caseExact: true } satisfies ScimAnnotation,
    ...called('Roles, Role', 'Rollen, Rolle'),
  }),
  x509Certificates: list('x509Certificate', 10, Certificate, {
    ...onePrimary,
    description: 'Certificates issued to the user.',
  }),
  enterprise: Type.Optional(Enterprise),
  attributes: textAttributes(),
  validFrom: Type.Optional(
    instant('When the user may first sign in: `active` becomes true then. Before, it is false.', {
      ...{ since: '1.13', sort: 'validFrom', day: { end: 'start', zone: 'timezone' }, scim: { isOwn: true } },
      ...called('Valid from', 'Gültig ab'),
    }),
  ),
  validUntil: Type.Optional(
    instant('When the user may no longer sign in: `active` becomes false then, and stays false.', {
      ...{ since: '1.13', sort: 'validUntil', day: { end: 'end', zone: 'timezone' }, scim: { isOwn: true } },
      ...called('Valid until', 'Gültig bis'),
    }),
  ),
};

const id = idType("A UUID: the service's, or the client's own in a POST. It never changes.");

/** A user as it is stored and shown: members in the order in which every format prints them. */
export const User = Type.Object(
  { id, ...writable, meta: Meta },
  { additionalProperties: false, description: 'A user, as the service shows it.', headings: userHeadings },
);
export type User = Type.Static<typeof User>;

/** The body of a POST or PUT, and the result of a PATCH: no `meta`; `id` and `active` may be left out. */
export const UserInput = Type.Object(
  { id: Type.Optional(id), ...writable, active: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type UserInput = Type.Static<typeof UserInput>;

/** In bytes: the limit of a whole user as canonical JSON in UTF-8, `id` and `meta` included. */
export const maxUserBytes = 16 * 1024;
