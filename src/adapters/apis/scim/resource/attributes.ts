/** The attributes of a SCIM user (RFC 7643 §7), derived from the user's schema. Its annotation `scim` adds what SCIM needs beyond that. */
import type { TSchema } from 'typebox';
import { User } from '../../../../domain/kinds/user/user.ts';
import type { ScimAnnotation } from '../../../../domain/resource/annotations.ts';
import { foldName, isNamed } from './fold-name.ts';

export const coreUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
/** Custom `attributes` of an installation, which RFC 7643 has no place for. */
export const ownUrn = 'urn:user-management:1:User';

export interface Attribute {
  /** In the standard's spelling; clients may use any case (RFC 7643 §2.1). */
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'binary' | 'dateTime';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite';
  readonly returned: 'always' | 'default';
  readonly uniqueness: 'none' | 'server';
  /** Suggested values; others are allowed. */
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  /** Empty unless the type is complex. */
  readonly subAttributes: readonly Attribute[];
}

/** A core or extension schema. */
export interface AttributeSchema {
  /** Its URN. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** The place of an attribute in a resource. */
export interface AttributePath {
  /** Undefined for the core schema, whose attributes are at the top level. */
  readonly extension: string | undefined;
  readonly attribute: Attribute;
  readonly sub: Attribute | undefined;
}

interface Marks {
  readonly type?: string;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly scim?: ScimAnnotation;
}

const defaults = {
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  subAttributes: [],
} as const satisfies Partial<Attribute>;

function typeOf({ type, format, scim = {} }: Marks): Attribute['type'] {
  if (scim.type !== undefined) return scim.type;
  if (type === 'boolean') return 'boolean';
  return format === 'date-time' ? 'dateTime' : 'string';
}

function simpleAttribute(name: string, marks: Marks): Attribute {
  const { description = '', scim: { type: _own, extension: _none, ...scim } = {} } = marks;
  return { ...defaults, name, type: typeOf(marks), description, ...scim };
}

const textAttribute = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  ...defaults,
  ...{ name, type: 'string', description },
  ...more,
});

/** A list of strings: in SCIM, a list of objects with a `value`. */
const valueAttribute = (item: Marks, more: ScimAnnotation | undefined): Attribute => ({
  ...simpleAttribute('value', { ...item, ...(more === undefined ? {} : { scim: more }) }),
  description: 'The text.',
  required: true,
});

function attributeOf(name: string, schema: TSchema, required: boolean): Attribute {
  const marks = schema as Marks;
  const { description = '', items, properties, scim, readOnly } = marks;
  const more = { required, ...(readOnly === true ? { mutability: 'readOnly' as const } : {}) };
  const complex = { ...defaults, name, description, type: 'complex' as const, ...more };
  if (properties !== undefined) return { ...complex, subAttributes: attributesOf(marks, readOnly) };
  if (items === undefined) return { ...simpleAttribute(name, marks), ...more };
  const item = items as Marks;
  return {
    ...complex,
    multiValued: true,
    description: description || (item.description ?? ''),
    subAttributes: item.properties === undefined ? [valueAttribute(item, scim)] : attributesOf(item),
  };
}

function attributesOf({ properties = {}, required = [] }: Marks, readOnly = false): Attribute[] {
  return Object.entries(properties).map(([name, schema]) => ({
    ...attributeOf(name, schema, required.includes(name)),
    ...(readOnly ? { mutability: 'readOnly' as const } : {}),
  }));
}

const members = Object.entries(User.properties as Readonly<Record<string, TSchema>>);
const extensionOf = (schema: TSchema): string | undefined => (schema as Marks).scim?.extension;
const isMap = (schema: TSchema): boolean => 'patternProperties' in schema;

const core: AttributeSchema = {
  id: coreUrn,
  name: 'User',
  description: 'User Account',
  attributes: members.flatMap(([name, schema]) =>
    name === 'id' || name === 'meta' || isMap(schema) || extensionOf(schema) !== undefined
      ? []
      : [attributeOf(name, schema, (User.required as readonly string[]).includes(name))],
  ),
};

/** By the member of the user that holds the extension's attributes. */
export const extensions: ReadonlyMap<string, AttributeSchema> = new Map(
  members.flatMap(([member, schema]): [string, AttributeSchema][] => {
    const id = extensionOf(schema);
    const { description = '' } = schema as Marks;
    if (id === undefined) return [];
    return [
      [
        member,
        {
          id,
          name: 'EnterpriseUser',
          description,
          attributes: attributesOf(schema as Marks),
        },
      ],
    ];
  }),
);

const ownAttribute = (member: string, { description = '', scim = {} }: Marks): Attribute => ({
  ...{ ...defaults, name: member, type: 'complex', multiValued: true, description },
  subAttributes: [
    textAttribute('name', 'Its name.', { ...scim, required: true, caseExact: true }),
    textAttribute('value', 'Its value.', { required: true, caseExact: true }),
  ],
});

/** Maps with custom names: in SCIM, lists of names and values. */
const own: AttributeSchema = {
  id: ownUrn,
  name: 'OwnAttributes',
  description: 'What an installation adds.',
  attributes: members
    .filter(([, schema]) => isMap(schema))
    .map(([member, schema]) => ownAttribute(member, schema as Marks)),
};

/** As published in `/Schemas`. */
export const schemas: readonly AttributeSchema[] = [core, ...extensions.values(), own];

/** Common attributes of every resource (RFC 7643 §3.1), which no schema lists. */
const common: readonly Attribute[] = [
  textAttribute('id', "The user's id.", { caseExact: true, mutability: 'readOnly', returned: 'always' }),
  textAttribute('schemas', 'The schemas that the resource has attributes of.', {
    ...{ type: 'reference', multiValued: true, caseExact: true, returned: 'always' },
  }),
  {
    ...{ ...defaults, name: 'meta', type: 'complex', mutability: 'readOnly', description: 'About it.' },
    subAttributes: [
      ...['resourceType', 'version'].map((name) =>
        textAttribute(name, '', { caseExact: true, mutability: 'readOnly' }),
      ),
      ...['created', 'lastModified'].map((name) =>
        textAttribute(name, '', { type: 'dateTime', mutability: 'readOnly' }),
      ),
      textAttribute('location', '', { type: 'reference', caseExact: true, mutability: 'readOnly' }),
    ],
  },
];

/** @param name in any case */
export const findSubAttribute = ({ subAttributes }: Attribute, name: string): Attribute | undefined =>
  subAttributes.find((sub) => isNamed(name, sub.name));

/** @param urn in any case */
export const findSchema = (urn: string): AttributeSchema | undefined =>
  schemas.find(({ id }) => isNamed(urn, id));

const pathsOf = (schema: AttributeSchema): readonly AttributePath[] =>
  (schema.id === coreUrn ? [...common, ...schema.attributes] : schema.attributes).flatMap((attribute) =>
    [undefined, ...attribute.subAttributes].map((sub) => ({
      ...{ extension: schema.id === coreUrn ? undefined : schema.id, attribute, sub },
    })),
  );

const nameOf = ({ attribute, sub }: AttributePath): string =>
  sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`;

/**
 * By folded name. Microsoft Entra ID omits an extension's URN: a name without a URN belongs to the first schema that has it, and the core
 * schema is first.
 */
const named: ReadonlyMap<string, AttributePath> = new Map(
  schemas
    .toReversed()
    .flatMap((schema) =>
      pathsOf(schema).flatMap((path): [string, AttributePath][] =>
        [nameOf(path), `${schema.id}:${nameOf(path)}`].map((name) => [foldName(name), path]),
      ),
    ),
);

/**
 * @param path `userName` or `name.familyName`, optionally after the URN of its schema and a colon, in any case
 * @returns undefined for an unknown attribute
 */
export const findAttribute = (path: string): AttributePath | undefined => named.get(foldName(path));
