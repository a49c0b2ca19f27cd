/** The parts of a user: texts with rules of their own, and objects. user.ts combines them. */
import * as Type from 'typebox';
import {
  type Annotations,
  called,
  objectOf,
  type ScimAnnotation,
  text,
  words,
} from '../../resource/annotations.ts';
import { base64, country, emailAddress, languageTag, uri } from './user-patterns.ts';

export const tag = (description: string, annotations: Annotations = {}) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      ...languageTag,
      description: `${description}: a BCP 47 language tag, well-formed.`,
      scim: { canonicalValues: ['en', 'en-GB', 'nl-NL'], isLanguage: true } satisfies ScimAnnotation,
      ...annotations,
    }),
  );

export const anyUri = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    ...uri,
    description,
    scim: { type: 'reference', referenceTypes: ['external'], caseExact: true } satisfies ScimAnnotation,
  });

const primary = {
  primary: Type.Optional(
    Type.Boolean({ description: 'Whether to use this item first; at most one item of a list is primary.' }),
  ),
};
/** @param usual types, in SCIM's words (RFC 7643 §8.7.1) */
const typed = (usual: readonly string[]) => ({
  type: Type.Optional(
    text(64, `Its use, such as ${usual.slice(0, 2).join(' or ')}.`, { scim: { canonicalValues: usual } }),
  ),
  ...primary,
});
/** Without usual types SCIM has no canonical values. */
const typedValue = <T extends Type.TSchema>(value: T, usual?: readonly string[]) => ({
  value,
  display: Type.Optional(text(256, 'The text for display.')),
  ...(usual === undefined
    ? { type: Type.Optional(text(64, 'The kind of the value.')), ...primary }
    : typed(usual)),
});
const places = ['work', 'home', 'other'];
const phones = ['work', 'home', 'mobile', 'fax', 'pager', 'other'];
const messengers = ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo'];

export const onePrimary = {
  contains: Type.Object({ primary: Type.Literal(true) }),
  minContains: 0,
  maxContains: 1,
};

export const Email = objectOf(
  'An email address.',
  typedValue(
    Type.String({
      minLength: 3,
      maxLength: 254,
      ...emailAddress,
      description:
        'An address, local@domain. A domain has no commas, colons, brackets or quotes, and no empty parts.',
      ...words,
      ...called('Email, Email address', 'E-Mail, E-Mail-Adresse, Mailadresse'),
    }),
    places,
  ),
);

export const PhoneNumber = objectOf(
  'A phone number.',
  typedValue(
    text(64, 'As dialled or as RFC 3966 writes it; any text.', {
      search: 'phone',
      ...called('Phone, Phone number, Telephone', 'Telefon, Telefonnummer'),
    }),
    phones,
  ),
);

export const Im = objectOf(
  'An address for instant messages.',
  typedValue(text(256, 'As the messenger writes it; any text.', words), messengers),
);

export const Photo = objectOf(
  'A picture of the user.',
  typedValue(
    anyUri('The URI of the picture itself, not of a page about it; its scheme must not run scripts.'),
    ['photo', 'thumbnail'],
  ),
);

export const Entitlement = objectOf('A right of the user.', typedValue(text(256, 'The value; any text.')));

export const Certificate = objectOf(
  'A certificate issued to the user.',
  typedValue(
    Type.String({
      minLength: 1,
      maxLength: 8192,
      ...base64,
      description: 'The certificate (X.509, DER) in base64. The service does not check its content.',
      scim: { type: 'binary', caseExact: true } satisfies ScimAnnotation,
    }),
  ),
);

export const Address = objectOf('A postal address.', {
  formatted: Type.Optional(text(512, 'The whole address, as on an envelope.')),
  streetAddress: Type.Optional(
    text(256, 'Street and number.', called('Street, Street and number', 'Straße, Straße und Hausnummer')),
  ),
  locality: Type.Optional(text(128, 'City or town.', called('City, Town', 'Ort, Stadt, Wohnort'))),
  region: Type.Optional(
    text(
      128,
      'State or province.',
      called('State, Province, State or province', 'Bundesland, Bundesland oder Region'),
    ),
  ),
  postalCode: Type.Optional(text(64, 'Postal code.', called('Postal code, Zip code', 'Postleitzahl, PLZ'))),
  country: Type.Optional(
    Type.String({
      ...country,
      names: 'region',
      description: 'Two letters (ISO 3166-1).',
      scim: { canonicalValues: ['GB', 'NL', 'US'] } satisfies ScimAnnotation,
      ...called('Country', 'Land'),
    }),
  ),
  ...typed(places),
});

export const Name = objectOf('The parts of a name.', {
  formatted: Type.Optional(
    text(128, 'The whole name, for display.', { ...words, ...called('Full name', 'Vollständiger Name') }),
  ),
  familyName: Type.Optional(
    text(128, 'Family name, or last name.', {
      ...words,
      sort: 'familyName',
      ...called('Family name, Last name, Surname', 'Nachname, Familienname'),
    }),
  ),
  givenName: Type.Optional(
    text(128, 'Given name, or first name.', { ...words, ...called('Given name, First name', 'Vorname') }),
  ),
  middleName: Type.Optional(text(128, 'Middle names.', words)),
  honorificPrefix: Type.Optional(text(128, 'Title in front of the name, such as Dr.', words)),
  honorificSuffix: Type.Optional(text(128, 'Suffix behind the name, such as III.', words)),
});

const Manager = objectOf('The manager of the user.', {
  value: Type.Optional(text(255, 'The id of the manager; any text.', { refers: 'user' })),
  displayName: Type.Optional(text(256, 'The name of the manager, for display.')),
});

// Clerks search by employee number and team. The manager's name would find everyone but the manager.
export const Enterprise = objectOf(
  'The place of the user in the organization.',
  {
    employeeNumber: Type.Optional(
      text(256, "The employer's own number or code for the user.", {
        ...words,
        ...called('Employee number, Employee ID', 'Personalnummer, Mitarbeiternummer'),
      }),
    ),
    costCenter: Type.Optional(
      text(256, 'The cost center.', called('Cost center, Cost centre', 'Kostenstelle')),
    ),
    organization: Type.Optional(
      text(256, 'The organization.', { ...words, ...called('Organization, Company', 'Organisation, Firma') }),
    ),
    division: Type.Optional(text(256, 'The division.', { ...words, ...called('Division', 'Bereich') })),
    department: Type.Optional(
      text(256, 'The department.', { ...words, sort: 'department', ...called('Department', 'Abteilung') }),
    ),
    manager: Type.Optional(Manager),
  },
  { scim: { extension: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User' } },
);
