/** The schemas of a resource type, and the place and form of each member of the service's resource in them. */

import type { TSchema } from 'typebox';
import { membersMember } from '../../../../domain/access/profile.ts';
import { attributeHidden } from '../../../../domain/access/refusals.ts';
import type { Access } from '../../../../domain/find/access.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { MemberPath } from '../../../../domain/resource/resource.ts';
import type { AttributeTypeName } from '../../../../domain/validation/attribute-types.ts';
import {
  type Attribute,
  type AttributeSchema,
  attributeOf,
  attributesOf,
  type Marks,
  mapAttribute,
} from './attributes.ts';
import { isNamed } from './fold-name.ts';
import { type RelationDefinition, relationAttribute } from './relation.ts';

/** From this follow the schemas of a resource type. */
export interface SchemaDefinition {
  readonly kind: Kind;
  /** `User`. */
  readonly name: string;
  readonly schema: Omit<AttributeSchema, 'attributes'>;
  /** The names of the extension schemas, by the member that holds their attributes. The annotation `scim` has their URN. */
  readonly extensions?: Readonly<Record<string, string>>;
  readonly relation?: RelationDefinition;
}

/** The place and form of a member of the service's resource in a SCIM resource. */
export interface Member {
  /** In SCIM. */
  readonly name: string;
  /** In the service's resource; a declared attribute is an entry of a map. */
  readonly path: readonly [member: string, entry?: string];
  /**
   * - `same`: unchanged in the resource;
   * - `texts`: a list of strings or declared values; in the resource, of objects with a `value`;
   * - `map`: strings by name; in the resource, a list of objects with a `name` and a `value`;
   * - `extension`: an object whose members are the attributes of an extension.
   */
  readonly form: 'same' | 'texts' | 'map' | 'extension';
  /** The URN of its schema; undefined for the core schema, whose attributes are at the top level. */
  readonly urn: string | undefined;
  /** The type of a declared attribute. */
  readonly typed?: AttributeTypeName | undefined;
  /** For a map: its declared entries by name. Each is a member of its own. */
  readonly declared?: ReadonlyMap<string, Member>;
}

/** The service's own extension: maps with client-chosen names, and other attributes for which RFC 7643 has no place. */
export const ownUrn = (name: string): string => `urn:user-management:1:${name}`;

type Field = readonly [member: Member, marks: Marks];

/** Undeclared entries of a map stay in it. */
function fieldsOfMap(path: readonly [string], marks: Marks, own: string): Field[] {
  const fields = Object.entries(marks.properties ?? {}).map(([entry, schema]): Field => {
    const { items, scim, typed = (items as Marks | undefined)?.typed } = schema as Marks;
    const [, urn = own, name = entry] = /^(.+):(.+)$/.exec(scim?.extension ?? '') ?? [];
    const form = items === undefined ? 'same' : 'texts';
    return [{ name, path: [path[0], entry], form, urn, typed }, schema as Marks];
  });
  const declared = new Map(fields.map(([member]) => [String(member.path[1]), member]));
  return [...fields, [{ name: path[0], path, form: 'map', urn: own, declared }, marks]];
}

export const fieldsOf = (kind: Kind, own: string): Field[] =>
  Object.entries(kind.schema.properties as Readonly<Record<string, Marks>>).flatMap(
    ([name, marks]): Field[] => {
      if (name === 'id' || name === 'meta') return [];
      const { scim, items, patternProperties } = marks;
      const path = [name] as const;
      if (patternProperties !== undefined) return fieldsOfMap(path, marks, own);
      if (scim?.extension !== undefined)
        return [[{ name, path, form: 'extension', urn: scim.extension }, marks]];
      const isTexts = items !== undefined && (items as Marks).properties === undefined;
      return [[{ name, path, form: isTexts ? 'texts' : 'same', urn: scim?.isOwn ? own : undefined }, marks]];
    },
  );

export interface Part {
  readonly schema: AttributeSchema;
  /** The path of each attribute in the kind's schema; for a map, of its entries: a declared one may be called `name` or `value`. */
  readonly fields: ReadonlyMap<Attribute, string>;
}

/** Whether a client with this access sees the relation: the members of a group decide, also for the groups of a user. */
function showsRelation({ kind, relation }: SchemaDefinition, access: Access): boolean {
  const owners = [kind, relation?.to.kind].find((one) => one?.members !== undefined);
  return owners === undefined || access.of(owners.name).shows([membersMember]) !== 'none';
}

/** @returns a function that marks what the client's profile hides of an attribute */
function hidingBy(kind: Kind, access: Access | undefined) {
  if (access === undefined) return (attribute: Attribute) => attribute;
  const { shows } = access.of(kind.name);
  const refuseIn = (path: MemberPath) => (name: string) => {
    const at = [...path, name];
    if (shows(at) === 'none') throw attributeHidden(access, at.join('.'));
  };
  return function mark(attribute: Attribute, path: MemberPath, form: Member['form']): Attribute {
    const extent = shows(path);
    if (extent === 'whole') return attribute;
    if (extent === 'none') return { ...attribute, hiddenBy: access };
    const subAttributes = attribute.subAttributes.map((sub): Attribute => {
      if (form !== 'map') return mark(sub, [...path, sub.name], form);
      return sub.name === 'name' ? { ...sub, refuse: refuseIn(path) } : sub;
    });
    return { ...attribute, subAttributes };
  };
}

/**
 * The core schema, the extensions, the service's own, and those of declared attributes.
 * @param access of clients whose profile hides some
 * @throws Error for a declared attribute in a schema of the standard, or with a name that another attribute has
 */
export function partsOf(
  definition: SchemaDefinition,
  fields: readonly Field[],
  access: Access | undefined,
): readonly Part[] {
  const { kind, name: type, schema, extensions = {}, relation } = definition;
  const mark = hidingBy(kind, access);
  const required: readonly string[] = kind.schema.required ?? [];
  const parts = [{ about: schema, rank: 0, fields: new Map<Attribute, string>() }];
  for (const [{ name, path, form, urn = schema.id }, marks] of fields) {
    const isExtension = form === 'extension';
    const about = isExtension
      ? { id: urn, name: extensions[name] ?? name, description: marks.description ?? '' }
      : { id: urn, name: 'OwnAttributes', description: 'What an installation adds.' };
    const rank = isExtension ? 0 : urn === ownUrn(type) ? 1 : 2;
    const found = parts.find((one) => isNamed(one.about.id, urn));
    const part = found ?? { about, rank, fields: new Map<Attribute, string>() };
    const taken = ['schemas', ...[...part.fields.keys()].map((one) => one.name)];
    const isMisplaced = path.length > 1 && (part.rank === 0 || part.about.id !== urn);
    if (isMisplaced || (!isExtension && taken.some((one) => isNamed(one, name))))
      throw new Error(`${path.join('.')} can't be ${urn}:${name} in SCIM: choose another name.`);
    if (found === undefined) parts.push(part);
    const add = (one: Attribute, ...inside: string[]) => {
      const at = [...(path as MemberPath), ...inside];
      part.fields.set(mark(one, at, form), form === 'map' ? `${name}.*` : at.join('.'));
    };
    if (isExtension) for (const one of attributesOf(marks)) add(one, one.name);
    else if (form === 'map') add(mapAttribute(name, marks));
    else add(attributeOf(name, marks as TSchema, required.includes(name)));
  }
  if (relation !== undefined) {
    const hiddenBy = access && !showsRelation(definition, access) ? access : undefined;
    parts[0]?.fields.set({ ...relationAttribute(relation), hiddenBy }, relation.name);
  }
  return parts
    .sort((one, other) => one.rank - other.rank)
    .map(({ about, fields: its }) => ({ schema: { ...about, attributes: [...its.keys()] }, fields: its }));
}
