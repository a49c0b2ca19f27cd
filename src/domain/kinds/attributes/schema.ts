/** Declared attributes as fields of a schema: from them follow formats, contracts, validation, sorts and search. */
import type { TObject, TSchema } from 'typebox';
import * as Type from 'typebox';
import { type Annotations, text } from '../../resource/annotations.ts';
import { attributesMember, attributeTypes, mostItems } from '../../validation/attribute-types.ts';
import {
  type Declared,
  isFilter,
  isSorted,
  type KindDeclarations,
  maxAttributeLength,
  namePattern,
} from './declaration.ts';

/** The member of a kind, for texts of any name until an installation declares some. */
export const textAttributes = (annotations: Annotations = {}) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: namePattern }), text(maxAttributeLength), {
      ...{ additionalProperties: false, minProperties: 1, maxProperties: 64, entry: 'attribute' },
      description: 'Attributes of the installation: texts by name.',
      must: 'have names of up to 64 letters, digits, _ and -, that begin with a letter',
      // For the names of the map.
      scim: { canonicalValues: ['costCenter'] },
      ...annotations,
    }),
  );

/** As in parameters: `attributes.badge`. */
export const pathOf = (name: string): string => `${attributesMember}.${name}`;

/** The description comes first: few people read patterns. */
const formOf = (pattern: string, description?: string): string =>
  description === undefined
    ? `have the form ${pattern}`
    : `have this form: ${description.replace(/\.$/, '')} (${pattern})`;

function rulesOf(declared: Declared): object {
  const { type, maxLength, pattern, description, values, minimum, maximum } = declared;
  if (type === 'string')
    return {
      maxLength: maxLength ?? maxAttributeLength,
      ...(pattern && { pattern, must: formOf(pattern, description) }),
      ...(values && { enum: values, must: `be one of ${values.join(', ')}` }),
    };
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

function annotationsOf(name: string, declared: Declared): Annotations {
  const { type, list, search, label = {}, scim, unique } = declared;
  const { en, de } = label;
  return {
    ...(search && { search: 'words' }),
    ...(isSorted(declared) && { sort: pathOf(name) }),
    ...((en ?? de) !== undefined && { labels: { en: en ? [en] : [], de: de ? [de] : [] } }),
    ...(type === 'dateTime' && !list && { day: { end: 'start', zone: 'timezone' } }),
    scim: { ...(scim && { extension: scim }), ...(unique && { uniqueness: 'server' }) },
  };
}

/** The words for people: the description, else what the field is. */
const describe = (name: string, { description, label, unique, retired }: Declared): string =>
  [
    `${description ?? label?.en ?? name}${/[.!?]$/.test(description ?? '') ? '' : '.'}`,
    ...(unique ? ['Unique: no two have the same value.'] : []),
    ...(retired ? ['Retired: values are shown, and may be removed, but no longer set.'] : []),
  ].join(' ');

function fieldOf(name: string, declared: Declared): TSchema {
  const { type, list, maxItems = mostItems, retired, unique, description: said } = declared;
  const { search, ...beside } = annotationsOf(name, declared);
  const value = {
    ...attributeTypes[type].schema,
    ...rulesOf(declared),
    typed: type,
    ...(search && { search }),
  };
  const description = describe(name, declared);
  const flags = { isRetired: retired, isFilter: isFilter(declared), isUnique: unique };
  const about = { description, said, ...flags, ...beside };
  if (!list) return Type.Unsafe({ ...value, ...about });
  const ofList = { type: 'array', item: 'value', items: value, minItems: 1, maxItems, uniqueItems: true };
  return Type.Unsafe({ ...ofList, ...about });
}

type Entries = Readonly<Record<string, TSchema>>;

/** Matches the names of a map except these. */
const excluding = (pattern: string, names: readonly string[]): string =>
  names.length === 0 ? pattern : pattern.replace('^', `^(?!(?:${names.join('|')})$)`);

/** @param plain the map of texts @returns the same with declared entries, each of a schema of its own */
function withEntries(plain: TSchema, properties: Entries, isClosed: boolean): TSchema {
  const { patternProperties = {}, ...rest } = plain as { patternProperties?: Entries };
  const [[pattern, of] = ['', {}]] = Object.entries(patternProperties);
  const others = { [excluding(pattern, Object.keys(properties))]: of };
  return Type.Unsafe({ ...rest, properties, patternProperties: others, plain, isClosed });
}

interface DeclaredMap {
  readonly plain: TSchema;
  readonly properties: Entries;
  readonly isClosed: boolean;
}

/** One map for several kinds, all of which declare attributes or have texts. A name with different types gets no type. */
export function mergeDeclared(one: TSchema, other: TSchema): TSchema {
  if (!('plain' in one)) return one;
  const [first, second] = [one, other] as unknown as [DeclaredMap, DeclaredMap];
  const entries: Record<string, TSchema> = { ...first.properties, ...second.properties };
  for (const [name, entry] of Object.entries(first.properties))
    if (JSON.stringify(entry) !== JSON.stringify(entries[name]))
      entries[name] = Type.Unsafe({ description: 'As the resource has it.' });
  return withEntries(first.plain, entries, first.isClosed);
}

/** @param schema of the kind, with a map of texts as `attributes` */
export function withDeclared<S extends TObject>(
  schema: S,
  { attributes = {}, undeclared }: KindDeclarations,
): S {
  const plain = schema.properties[attributesMember];
  if (plain === undefined) return schema;
  const entries = Object.fromEntries(
    Object.entries(attributes).map(([name, declared]) => [name, fieldOf(name, declared)]),
  );
  const properties = {
    ...schema.properties,
    [attributesMember]: Type.Optional(withEntries(plain, entries, undeclared === 'refuse')),
  };
  return { ...schema, properties };
}
