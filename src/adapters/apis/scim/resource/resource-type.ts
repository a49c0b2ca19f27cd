/**
 * Resource types (RFC 7643 §6). A definition says how SCIM names a kind of the domain and what differs; everything else is derived from the
 * kind's schema, once, when the API is made: attributes, schemas, the form of each member, and what the domain filters, sorts and searches.
 */

import type { TSchema } from 'typebox';
import type { FilterName } from '../../../../domain/find/filters.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { findAnnotatedFields } from '../../../../domain/resource/annotations.ts';
import { suggest } from '../../../../domain/validation/suggest.ts';
import {
  type Attribute,
  type AttributePath,
  type AttributeSchema,
  attributeOf,
  attributesOf,
  common,
  type Marks,
  mapAttribute,
} from './attributes.ts';
import { foldName, isNamed, spellingsOfUrn } from './fold-name.ts';
import { type RelationDefinition, relationAttribute } from './relation.ts';

/** An attribute of RFC 7643 that the service doesn't store. */
interface ForeignAttribute {
  readonly name: string;
  /** The error of a client that sets it. */
  readonly refusal: string;
}

interface ResourceTypeDefinition {
  readonly kind: Kind;
  /** `User`. */
  readonly name: string;
  /** `/Users`. */
  readonly endpoint: string;
  readonly description: string;
  /** The core schema, without its attributes. */
  readonly schema: Omit<AttributeSchema, 'attributes'>;
  /** The names of the extension schemas, by the member that holds their attributes. The annotation `scim` has their URN. */
  readonly extensions?: Readonly<Record<string, string>>;
  /** The domain's filters of fields that SCIM compares alike, by their path in the kind's schema. */
  readonly filters: Readonly<Record<string, FilterName>>;
  readonly foreign?: readonly ForeignAttribute[];
  readonly relation?: RelationDefinition;
  /** In bytes after decoding, where bodies may be larger than those of other types. */
  readonly maxBodyBytes?: number;
}

/** The place and form of a member of the service's resource in a SCIM resource. */
export interface Member {
  readonly name: string;
  /**
   * - `same`: unchanged in the resource;
   * - `texts`: a list of strings; in the resource, of objects with a `value`;
   * - `map`: strings by name; in the resource, a list of objects with a `name` and a `value`;
   * - `own`: unchanged, in the service's own extension, in which maps are, too;
   * - `extension`: an object whose members are the attributes of an extension.
   */
  readonly form: 'same' | 'texts' | 'map' | 'own' | 'extension';
  /** The URN of its schema; undefined for the core schema, whose attributes are at the top level. */
  readonly urn: string | undefined;
}

export interface ResourceType extends ResourceTypeDefinition {
  /** As published in `/Schemas`, the core schema first. */
  readonly schemas: readonly AttributeSchema[];
  /** By name, in the schema's order, without `id` and `meta`. */
  readonly members: ReadonlyMap<string, Member>;
  /** The attributes that lists may be sorted by. */
  readonly sortable: readonly string[];
  /** @param urn in any case, or of a draft */
  findSchema(urn: string): AttributeSchema | undefined;
  /**
   * @param path `userName` or `name.familyName`, optionally after the URN of its schema and a colon, in any case
   * @returns undefined for an unknown attribute
   */
  findAttribute(path: string): AttributePath | undefined;
  /** As `suggest`. */
  suggestAttribute(unknown: string): string;
  /** @param name with or without its URN, in any case; also the path of a PATCH */
  findForeign(name: string): ForeignAttribute | undefined;
}

type Field = readonly [name: string, marks: Marks & { readonly patternProperties?: object }];

const fieldsOf = ({ schema }: Kind): Field[] =>
  Object.entries(schema.properties as Readonly<Record<string, TSchema>>).filter(
    ([name]) => name !== 'id' && name !== 'meta',
  );

/** The service's own extension: maps with client-chosen names, and other attributes for which RFC 7643 has no place. */
const ownUrn = (name: string): string => `urn:user-management:1:${name}`;

function memberOf(type: string, [name, { scim, items, patternProperties }]: Field): Member {
  if (scim?.extension !== undefined) return { name, form: 'extension', urn: scim.extension };
  if (patternProperties !== undefined) return { name, form: 'map', urn: ownUrn(type) };
  if (scim?.isOwn) return { name, form: 'own', urn: ownUrn(type) };
  const isTexts = items !== undefined && (items as Marks).properties === undefined;
  return { name, form: isTexts ? 'texts' : 'same', urn: undefined };
}

interface Part {
  readonly schema: AttributeSchema;
  /** Precedes the names of its fields in the kind's schema. */
  readonly prefix: string;
}

/** The core schema, the extensions, and the service's own. */
function partsOf({ kind, name, schema, extensions = {}, relation }: ResourceTypeDefinition): readonly Part[] {
  const core: Attribute[] = [];
  const parts: Part[] = [];
  const own: Attribute[] = [];
  const required: readonly string[] = kind.schema.required ?? [];
  for (const field of fieldsOf(kind)) {
    const [member, marks] = field;
    const { form, urn = '' } = memberOf(name, field);
    const { description = '' } = marks;
    if (form === 'map') own.push(mapAttribute(member, marks));
    else if (form !== 'extension')
      (form === 'own' ? own : core).push(attributeOf(member, marks as TSchema, required.includes(member)));
    else {
      const attributes = attributesOf(marks);
      const extension = { id: urn, name: extensions[member] ?? member, description, attributes };
      parts.push({ schema: extension, prefix: `${member}.` });
    }
  }
  if (relation !== undefined) core.push(relationAttribute(relation));
  const description = 'What an installation adds.';
  const ofService = { id: ownUrn(name), name: 'OwnAttributes', description, attributes: own };
  return [
    { schema: { ...schema, attributes: core }, prefix: '' },
    ...parts,
    ...(own.length === 0 ? [] : [{ schema: ofService, prefix: '' }]),
  ];
}

const nameOf = ({ attribute, sub }: AttributePath): string =>
  sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`;

/** Makes places by path, with the domain's filter, sort and search of each attribute. */
function pathMaker({ kind, schema, filters }: ResourceTypeDefinition) {
  const annotated = (annotation: 'sort' | 'search') =>
    new Map(findAnnotatedFields(kind.schema, annotation).map((one) => [one.path.join('.'), one.annotation]));
  const [sorts, searches] = [annotated('sort'), annotated('search')];
  return function pathOf(part: Part, attribute: Attribute, sub?: Attribute): AttributePath {
    const { id } = part.schema;
    const ofSub = sub === undefined || attribute.isTexts ? '' : `.${sub.name}`;
    const field = `${part.prefix}${attribute.name}${ofSub}`;
    const name = filters[field] ?? '';
    const key = kind.filters[name]?.key;
    return {
      ...{ extension: id === schema.id ? undefined : id, attribute, sub },
      subs: sub === undefined ? attribute.subAttributes.map((one) => pathOf(part, attribute, one)) : [],
      filter: key && { name, key },
      sort: sorts.get(field),
      isSearched: searches.get(field) === 'words',
    };
  };
}

/**
 * By folded name. Microsoft Entra ID omits an extension's URN: a name without a URN belongs to the first schema that has it, and the core
 * schema is first.
 */
function pathsOf(definition: ResourceTypeDefinition, parts: readonly Part[]) {
  const pathOf = pathMaker(definition);
  const paths = new Map<string, AttributePath>();
  for (const part of parts.toReversed()) {
    const { id, attributes } = part.schema;
    const whole = id === definition.schema.id ? [...common, ...attributes] : attributes;
    const prefixes = ['', ...spellingsOfUrn(part.schema.id).map((urn) => `${urn}:`)];
    for (const path of whole.map((one) => pathOf(part, one)).flatMap((one) => [one, ...one.subs]))
      for (const prefix of prefixes) paths.set(foldName(prefix + nameOf(path)), path);
  }
  return paths;
}

function foreignFinder({ schema, foreign = [] }: ResourceTypeDefinition): ResourceType['findForeign'] {
  if (foreign.length === 0) return () => undefined;
  const names = foreign.map(({ name }) => name).join('|');
  const pattern = new RegExp(`^(?:${schema.id.replaceAll('.', '\\.')}:)?(${names})(?=$|[.[])`, 'i');
  return (given) => foreign.find(({ name }) => isNamed(pattern.exec(given)?.[1] ?? '', name));
}

export function resourceType(definition: ResourceTypeDefinition): ResourceType {
  const { kind, name, extensions = {} } = definition;
  const sorts = findAnnotatedFields(kind.schema, 'sort');
  const parts = partsOf(definition);
  const schemas = parts.map(({ schema }) => schema);
  const paths = pathsOf(definition, parts);
  const depth = (path: string) => path.split('.').length;
  const byUrn = new Map(
    schemas.flatMap((schema) => spellingsOfUrn(schema.id).map((urn) => [foldName(urn), schema] as const)),
  );
  const names = [...new Set(paths.values())].map(nameOf).sort((one, other) => depth(one) - depth(other));
  return {
    ...definition,
    schemas,
    members: new Map(fieldsOf(kind).map((field) => [field[0], memberOf(name, field)])),
    // Attributes of an extension are found by their own names.
    sortable: ['id', ...sorts.map(({ path }) => path.filter((name) => !(name in extensions)).join('.'))],
    findSchema: (urn) => byUrn.get(foldName(urn)),
    findAttribute: (path) => paths.get(foldName(path)),
    suggestAttribute: (unknown) =>
      suggest(unknown.slice(unknown.lastIndexOf(':') + 1), names, (name) => [name, name.replace(/.*\./, '')]),
    findForeign: foreignFinder(definition),
  };
}
