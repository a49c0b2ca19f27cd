/** Where each member of our user stands in a SCIM resource and in which form, made from the user's schema. */
import type { TSchema } from 'typebox';
import { User } from '../../../../domain/user/user.ts';
import { type Attribute, coreUrn, extensions, ownUrn, schemas } from './attributes.ts';

export interface Member {
  readonly name: string;
  /**
   * - `same`: it stands in the resource as it is;
   * - `texts`: a list of bare texts; in the resource, of objects with a `value`;
   * - `map`: texts by name; in the resource, a list of objects with a `name` and a `value`;
   * - `extension`: an object whose members are the attributes of an extension.
   */
  readonly form: 'same' | 'texts' | 'map' | 'extension';
  /** Of the schema that it stands in; undefined for the core schema, whose attributes stand at the top. */
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

/** In the schema's order; `id` and `meta` are not among them. */
export const members: readonly Member[] = shapes
  .filter(([name]) => name !== 'id' && name !== 'meta')
  .map(memberOf);

const memberNames = new Map(members.map((member) => [member.name, member] as const));

export const findMember = (name: string): Member | undefined => memberNames.get(name);

const coreAttributes = schemas.find(({ id }) => id === coreUrn)?.attributes ?? [];

const textLists: ReadonlySet<Attribute> = new Set(
  coreAttributes.filter(({ name }) => findMember(name)?.form === 'texts'),
);

/** Whether our user keeps of each item nothing but its `value`. */
export const isTextList = (attribute: Attribute): boolean => textLists.has(attribute);

const limits: ReadonlyMap<string, number> = new Map(
  shapes.map(([name, shape]) => [name, shape.maxItems ?? shape.maxProperties ?? Number.POSITIVE_INFINITY]),
);

/** How many items a list has at most. */
export const maxItems = ({ name }: Attribute): number => limits.get(name) ?? Number.POSITIVE_INFINITY;

/** An object that names somebody by their id: with `$ref` (RFC 7643 §2.4), which isn't kept. */
export const hasReference = ({ type, multiValued, subAttributes }: Attribute): boolean =>
  type === 'complex' && !multiValued && subAttributes.some(({ name }) => name === 'value');
