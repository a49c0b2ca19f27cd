/** SCIM attributes (RFC 7643 §7), derived from the schema of a kind. Its annotation `scim` adds what SCIM needs beyond that. */
import type { TSchema } from 'typebox';
import { attributeHidden } from '../../../../domain/access/refusals.ts';
import type { Access } from '../../../../domain/find/access.ts';
import type { Filter, FilterName } from '../../../../domain/find/filters.ts';
import type { ScimAnnotation } from '../../../../domain/resource/annotations.ts';
import { type AttributeTypeName, mostItems } from '../../../../domain/validation/attribute-types.ts';
import { suggest } from '../../../../domain/validation/suggest.ts';
import { isNamed } from './fold-name.ts';

type NumberType = 'integer' | 'decimal';

export interface Attribute {
  /** In the standard's spelling; clients may use any case (RFC 7643 §2.1). */
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'binary' | 'dateTime' | NumberType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable';
  readonly returned: 'always' | 'default' | 'request';
  readonly uniqueness: 'none' | 'server';
  /** Suggested values; others are allowed. */
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  /** Empty unless the type is complex. */
  readonly subAttributes: readonly Attribute[];
  /** For a list; not published. */
  readonly maxItems?: number;
  /** For a list, and for its `value`: the service stores only the `value` of each item. Not published. */
  readonly isTexts?: boolean;
  /** Underscores in its values stand for hyphens. Not published. */
  readonly isLanguage?: boolean;
  /** For a declared attribute, or the `value` in its list: how values are read and compared. Not published. */
  readonly typed?: AttributeTypeName;
  /** Its values are memberships, which no document has (`relation.ts`). Not published. */
  readonly isRelation?: boolean;
  /** The client's profile, if it hides the attribute. Not published. */
  readonly hiddenBy?: Pick<Access, 'profile'> | undefined;
  /** Checks a name in a map: throws DomainError `attribute-hidden` for one that the client's profile hides. Not published. */
  readonly refuse?: (name: string) => void;
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
  readonly subs: readonly AttributePath[];
  /** The domain's filter for the attribute: SCIM compares it by the same keys. */
  readonly filter: { readonly name: FilterName; readonly key: Filter['key'] } | undefined;
  readonly sort: string | undefined;
  /** The type of the keys in the sort, if it has ranges. */
  readonly range: AttributeTypeName | undefined;
  /** True if the attribute is in the word index. */
  readonly isSearched: boolean;
  /** True if only other resource types have it. */
  readonly isAbsent?: boolean;
  /** Its value in all resources of the type. */
  readonly constant?: string;
}

/** For a resource type that lacks the attribute: no resource has a value (RFC 7644 §3.4.2.1). */
export const absent = (path: AttributePath): AttributePath => ({
  ...path,
  attribute: { ...path.attribute, isRelation: false },
  subs: path.subs.map(absent),
  ...{ filter: undefined, sort: undefined, range: undefined, isSearched: false, isAbsent: true },
});

/** What a schema says about a member. */
export interface Marks {
  readonly type?: string;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly patternProperties?: object;
  readonly enum?: readonly string[];
  readonly typed?: AttributeTypeName;
  readonly scim?: ScimAnnotation;
}

export const attributeDefaults = {
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
  if (type === 'boolean' || type === 'integer') return type;
  if (type === 'number') return 'decimal';
  return format === 'date-time' ? 'dateTime' : 'string';
}

function simpleAttribute(name: string, marks: Marks): Attribute {
  const { description = '', typed, enum: values } = marks;
  const { type: _own, extension: _none, isOwn: _place, ...scim } = marks.scim ?? {};
  const declared = typed && { typed, ...(values && { canonicalValues: values }) };
  return { ...attributeDefaults, name, type: typeOf(marks), description, ...declared, ...scim };
}

export const textAttribute = (name: string, description: string, more: Partial<Attribute>): Attribute => ({
  ...attributeDefaults,
  ...{ name, type: 'string', description },
  ...more,
});

/** A list of strings, or of declared values: in SCIM, a list of objects with a `value`. */
const valueAttribute = (item: Marks, more: ScimAnnotation | undefined): Attribute => ({
  ...simpleAttribute('value', { ...item, ...(more === undefined ? {} : { scim: more }) }),
  description: item.typed === undefined ? 'The text.' : 'The value.',
  required: true,
  isTexts: true,
});

export function attributeOf(name: string, schema: TSchema, required: boolean): Attribute {
  const marks = schema as Marks;
  const { description = '', items, properties, scim, readOnly, maxItems = Number.POSITIVE_INFINITY } = marks;
  const more = { required, ...(readOnly === true ? { mutability: 'readOnly' as const } : {}) };
  const complex = { ...attributeDefaults, name, description, type: 'complex' as const, ...more };
  if (properties !== undefined) return { ...complex, subAttributes: attributesOf(marks, readOnly) };
  if (items === undefined) return { ...simpleAttribute(name, marks), ...more };
  const item = items as Marks;
  const isTexts = item.properties === undefined;
  return {
    ...complex,
    // Stored lists of a declared attribute may be longer than its declaration allows now: the domain takes them as they are.
    ...{ multiValued: true, maxItems: item.typed === undefined ? maxItems : mostItems, isTexts },
    description: description || (item.description ?? ''),
    subAttributes: isTexts ? [valueAttribute(item, scim)] : attributesOf(item),
  };
}

export function attributesOf({ properties = {}, required = [] }: Marks, readOnly = false): Attribute[] {
  return Object.entries(properties).map(([name, schema]) => ({
    ...attributeOf(name, schema, required.includes(name)),
    ...(readOnly ? { mutability: 'readOnly' as const } : {}),
  }));
}

/** A map with names of clients: in SCIM, a list of names and values. */
export const mapAttribute = (
  name: string,
  { description = '', scim = {}, maxProperties }: Marks,
): Attribute => ({
  ...{ ...attributeDefaults, name, type: 'complex', multiValued: true, description },
  maxItems: maxProperties ?? Number.POSITIVE_INFINITY,
  subAttributes: [
    textAttribute('name', 'Its name.', { ...scim, required: true, caseExact: true }),
    textAttribute('value', 'Its value.', { required: true, caseExact: true }),
  ],
});

/** Common attributes of every resource (RFC 7643 §3.1), which no schema lists. */
export const common: readonly Attribute[] = [
  textAttribute('id', 'Its id.', { caseExact: true, mutability: 'readOnly', returned: 'always' }),
  textAttribute('schemas', 'The schemas that the resource has attributes of.', {
    ...{ type: 'reference', multiValued: true, caseExact: true, returned: 'always' },
  }),
  {
    ...{
      ...attributeDefaults,
      name: 'meta',
      type: 'complex',
      mutability: 'readOnly',
      description: 'About it.',
    },
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

/** As `suggest`. */
export const suggestSubAttribute = ({ subAttributes }: Attribute, unknown: string): string =>
  suggest(
    unknown,
    subAttributes.map(({ name }) => name),
  );

/** @param name in any case @throws DomainError `attribute-hidden` */
export const findSub = ({ subs }: AttributePath, name: string): AttributePath | undefined =>
  unlessHidden(subs.find(({ sub }) => sub !== undefined && isNamed(name, sub.name)));

/** An attribute's name in errors: `emails.value`, `urn:…:User:department`. */
export const showPath = ({ extension, attribute, sub }: AttributePath): string =>
  `${extension === undefined ? '' : `${extension}:`}${attribute.name}${sub === undefined ? '' : `.${sub.name}`}`;

/** @throws DomainError `attribute-hidden` */
export function unlessHidden(path: AttributePath | undefined): AttributePath | undefined {
  const profile = path?.attribute.hiddenBy ?? path?.sub?.hiddenBy;
  if (path !== undefined && profile !== undefined) throw attributeHidden(profile, showPath(path));
  return path;
}

/** True for an object that refers to a resource by id. Its `$ref` (RFC 7643 §2.4) isn't stored. */
export const hasReference = ({ type, multiValued, subAttributes }: Attribute): boolean =>
  type === 'complex' && !multiValued && subAttributes.some(({ name }) => name === 'value');

/**
 * Sub-attributes that the service takes but doesn't store in a list of texts, such as a user's roles. RFC 7643 §2.4 allows most of them in
 * any list, Entra ID sends the others with app roles, and both name them in the paths of a PATCH.
 */
const unkept: readonly Attribute[] = ['display', 'type', 'primary', '$ref', 'id', 'displayName'].map((name) =>
  textAttribute(name, '', name === 'primary' ? { type: 'boolean' } : {}),
);

/** @param name in any case */
export const findUnkept = ({ isTexts }: Attribute, name: string): Attribute | undefined =>
  isTexts ? unkept.find((sub) => isNamed(name, sub.name)) : undefined;

/** Finds the sub-attribute in the path of a PATCH, which may name such a sub-attribute. */
export const withUnkept = (path: AttributePath): AttributePath =>
  path.attribute.isTexts
    ? { ...path, subs: [...path.subs, ...unkept.map((sub) => ({ ...absent(path), sub, subs: [] }))] }
    : path;
