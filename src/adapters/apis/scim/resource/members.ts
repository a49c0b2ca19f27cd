/** The place and form of each member of the service's user in a SCIM resource, derived from the user's schema. */
import type { TSchema } from 'typebox';
import { User } from '../../../../domain/kinds/user/user.ts';
import { type Attribute, coreUrn, extensions, ownUrn, schemas } from './attributes.ts';

export interface Member {
  readonly name: string;
  /**
   * - `same`: unchanged in the resource;
   * - `texts`: a list of strings; in the resource, of objects with a `value`;
   * - `map`: strings by name; in the resource, a list of objects with a `name` and a `value`;
   * - `extension`: an object whose members are the attributes of an extension.
   */
  readonly form: 'same' | 'texts' | 'map' | 'extension';
  /** The URN of its schema; undefined for the core schema, whose attributes are at the top level. */
  readonly urn: string | undefined;
}

interface Shape {
  readonly items?: { readonly properties?: object };
  readonly patternProperties?: object;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

const shapes = Object.entries(User.properties as Readonly<Record<string, TSchema>>) as [string, Shape][];

function memberOf([name, { items, patternProperties }]: [string, Shape]): Member {
  const extension = extensions.get(name);
  if (extension !== undefined) return { name, form: 'extension', urn: extension.id };
  if (patternProperties !== undefined) return { name, form: 'map', urn: ownUrn };
  const isTexts = items !== undefined && items.properties === undefined;
  return { name, form: isTexts ? 'texts' : 'same', urn: undefined };
}

/** In the schema's order, without `id` and `meta`. */
export const members: readonly Member[] = shapes
  .filter(([name]) => name !== 'id' && name !== 'meta')
  .map(memberOf);

const memberNames = new Map(members.map((member) => [member.name, member] as const));

export const findMember = (name: string): Member | undefined => memberNames.get(name);

const coreAttributes = schemas.find(({ id }) => id === coreUrn)?.attributes ?? [];

const textLists: ReadonlySet<Attribute> = new Set(
  coreAttributes.filter(({ name }) => findMember(name)?.form === 'texts'),
);

/** True if the service stores only the `value` of each item. */
export const isTextList = (attribute: Attribute): boolean => textLists.has(attribute);

const limits: ReadonlyMap<string, number> = new Map(
  shapes.map(([name, shape]) => [name, shape.maxItems ?? shape.maxProperties ?? Number.POSITIVE_INFINITY]),
);

/** The maximum number of items in a list. */
export const maxItems = ({ name }: Attribute): number => limits.get(name) ?? Number.POSITIVE_INFINITY;

/** True for an object that refers to a user by id. Its `$ref` (RFC 7643 §2.4) isn't stored. */
export const hasReference = ({ type, multiValued, subAttributes }: Attribute): boolean =>
  type === 'complex' && !multiValued && subAttributes.some(({ name }) => name === 'value');
