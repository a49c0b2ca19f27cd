/**
 * Resource types (RFC 7643 §6). A definition says how SCIM names a kind of the domain and what differs; everything else is derived from the
 * kind's schema, once, when the API is made: attributes, schemas, the form of each member, and what the domain filters, sorts and searches.
 */

import type { Access } from '../../../../domain/find/access.ts';
import type { FilterName } from '../../../../domain/find/filters.ts';
import { findAnnotatedFields } from '../../../../domain/resource/annotations.ts';
import { suggest } from '../../../../domain/validation/suggest.ts';
import {
  type Attribute,
  type AttributePath,
  type AttributeSchema,
  common,
  unlessHidden,
} from './attributes.ts';
import { foldName, spellingsOfUrn } from './fold-name.ts';
import { fieldsOf, type Member, ownUrn, type Part, partsOf, type SchemaDefinition } from './members.ts';

/** An attribute of RFC 7643 that the service doesn't store. */
interface ForeignAttribute {
  readonly name: string;
  /** The error of a client that sets it. */
  readonly refusal: string;
}

interface ResourceTypeDefinition extends SchemaDefinition {
  /** `/Users`. */
  readonly endpoint: string;
  readonly description: string;
  /** The domain's filters of fields that SCIM compares alike, by their path in the kind's schema. */
  readonly filters: Readonly<Record<string, FilterName>>;
  readonly foreign?: ForeignAttribute;
  /** In bytes after decoding, where bodies may be larger than those of other types. */
  readonly maxBodyBytes?: number;
}

export interface ResourceType extends ResourceTypeDefinition {
  /** As published in `/Schemas`, the core schema first. */
  readonly schemas: readonly AttributeSchema[];
  /** By path, as `name` or `attributes.badge`, in the schema's order, without `id` and `meta`. */
  readonly members: ReadonlyMap<string, Member>;
  /** The attributes that lists may be sorted by. */
  readonly sortable: readonly string[];
  /** @param urn in any case, or of a draft */
  findSchema(urn: string): AttributeSchema | undefined;
  /**
   * @param path `userName` or `name.familyName`, optionally after the URN of its schema and a colon, in any case
   * @returns undefined for an unknown attribute
   * @throws DomainError `attribute-hidden`: a request that names a hidden attribute is refused, whatever it does with it
   */
  findAttribute(path: string): AttributePath | undefined;
  /** As `findAttribute`, also for hidden ones. */
  findAny(path: string): AttributePath | undefined;
  /** As `suggest`. */
  suggestAttribute(unknown: string): string;
  /** @param name with or without its URN, in any case; also the path of a PATCH */
  findForeign(name: string): ForeignAttribute | undefined;
}

export const isVisible = ({ attribute, sub }: AttributePath): boolean =>
  attribute.hiddenBy === undefined && sub?.hiddenBy === undefined;

const nameOf = ({ attribute, sub }: AttributePath): string =>
  sub === undefined ? attribute.name : `${attribute.name}.${sub.name}`;

/** Makes places by path, with the domain's filter, sort and search of each attribute. */
function pathMaker({ kind, schema, filters, name: typeName }: ResourceTypeDefinition) {
  const annotated = (annotation: 'sort' | 'search') =>
    new Map(findAnnotatedFields(kind.schema, annotation).map((one) => [one.path.join('.'), one.annotation]));
  const [sorts, searches] = [annotated('sort'), annotated('search')];
  return function pathOf(part: Part, attribute: Attribute, sub?: Attribute): AttributePath {
    const { id } = part.schema;
    const ofSub = sub === undefined || attribute.isTexts ? '' : `.${sub.name}`;
    const field = `${part.fields.get(attribute) ?? attribute.name}${ofSub}`;
    const name = filters[field] ?? '';
    const key = kind.filters[name]?.key;
    const sort = sorts.get(field);
    return {
      ...{ extension: id === schema.id ? undefined : id, attribute, sub },
      subs: sub === undefined ? attribute.subAttributes.map((one) => pathOf(part, attribute, one)) : [],
      filter: key && { name, key },
      ...{ sort, range: kind.ranges.get(sort ?? '') },
      isSearched: searches.get(field) === 'words',
      ...(common.includes(attribute) && sub?.name === 'resourceType' && { constant: typeName }),
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

function foreignFinder({ schema, foreign }: ResourceTypeDefinition): ResourceType['findForeign'] {
  if (foreign === undefined) return () => undefined;
  const pattern = new RegExp(`^(?:${schema.id.replaceAll('.', '\\.')}:)?${foreign.name}(?=$|[.[])`, 'i');
  return (given) => (pattern.test(given) ? foreign : undefined);
}

/** @param access of clients whose profile hides attributes, which stay known here in order to be refused by name */
export function resourceType(given: ResourceTypeDefinition, access?: Access): ResourceType {
  const { kind, name } = given;
  const fields = fieldsOf(kind, ownUrn(name));
  const members = new Map(fields.map(([member]) => [member.path.join('.'), member]));
  const declared = kind.filterNames.filter((filter) => (members.get(filter)?.path.length ?? 0) > 1);
  const filters = { ...given.filters, ...Object.fromEntries(declared.map((filter) => [filter, filter])) };
  const definition = { ...given, filters };
  const parts = partsOf(definition, fields, access);
  const schemas = parts.map(({ schema }) => schema);
  const paths = pathsOf(definition, parts);
  const depth = (path: string) => path.split('.').length;
  const byUrn = new Map(
    schemas.flatMap((schema) => spellingsOfUrn(schema.id).map((urn) => [foldName(urn), schema] as const)),
  );
  const visible = [...new Set(paths.values())].filter(isVisible);
  const names = visible.map(nameOf).sort((one, other) => depth(one) - depth(other));
  return {
    ...definition,
    schemas,
    members,
    // Attributes of an extension are found by their own names.
    sortable: [
      'id',
      ...kind.sortNames.flatMap((sort) => visible.find((one) => one.sort === sort) ?? []).map(nameOf),
    ],
    findSchema: (urn) => byUrn.get(foldName(urn)),
    findAttribute: (path) => unlessHidden(paths.get(foldName(path))),
    findAny: (path) => paths.get(foldName(path)),
    suggestAttribute: (unknown) =>
      suggest(unknown.slice(unknown.lastIndexOf(':') + 1), names, (name) => [name, name.replace(/.*\./, '')]),
    findForeign: foreignFinder(definition),
  };
}
