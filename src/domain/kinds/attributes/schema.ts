/** Declared attributes as fields of a schema: from them follow formats, contracts, validation, sorts and search. */
import type { TObject, TSchema } from 'typebox';
import * as Type from 'typebox';
import type { Annotations } from '../../resource/annotations.ts';
import { attributesMember, attributeTypes } from '../../validation/attribute-types.ts';
import {
  type Declarations,
  type Declared,
  isFilter,
  isSorted,
  maxAttributeLength,
  mostItems,
} from './declaration.ts';

/** As in parameters: `attributes.badge`. */
export const pathOf = (name: string): string => `${attributesMember}.${name}`;

function rulesOf({ type, maxLength, pattern, values, minimum, maximum }: Declared): object {
  if (type === 'string')
    return {
      maxLength: maxLength ?? maxAttributeLength,
      ...(pattern && { pattern, must: `have the form ${pattern}` }),
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
    scim: {
      ...(scim && { extension: scim }),
      ...(unique && { uniqueness: 'server' }),
    },
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
  const { type, list, maxItems = mostItems, unique, retired } = declared;
  const value = { ...attributeTypes[type].schema, ...rulesOf(declared), typed: type };
  const { search, ...beside } = annotationsOf(name, declared);
  const about = {
    description: describe(name, declared),
    ...{ isUnique: unique, isRetired: retired, isFilter: isFilter(declared) },
    ...beside,
  };
  if (!list) return Type.Unsafe({ ...value, ...about, ...(search && { search }) });
  const items = { ...value, ...(search && { search }) };
  return Type.Unsafe({
    ...{ type: 'array', item: 'value', items, minItems: 1, maxItems, uniqueItems: true },
    ...about,
  });
}

/** Matches the names of a map except these. */
const excluding = (pattern: string, names: readonly string[]): string =>
  names.length === 0 ? pattern : pattern.replace('^', `^(?!(?:${names.join('|')})$)`);

/** @param plain the map of texts @returns the same with declared entries, each of a schema of its own */
function withEntries(plain: TSchema, { attributes = {}, undeclared }: Declarations): TSchema {
  const { patternProperties = {}, ...rest } = plain as { patternProperties?: Record<string, TSchema> };
  const [[pattern, text] = ['', {}]] = Object.entries(patternProperties);
  const names = Object.keys(attributes);
  return Type.Unsafe({
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, fieldOf(name, attributes[name] as Declared)])),
    patternProperties: { [excluding(pattern, names)]: text },
    ...{ plain, isClosed: undeclared === 'refuse' },
  });
}

/** @param schema of the kind, with a map of texts as `attributes` */
export function withDeclared<S extends TObject>(schema: S, declarations: Declarations): S {
  const plain = schema.properties[attributesMember];
  if (plain === undefined) return schema;
  const properties = {
    ...schema.properties,
    [attributesMember]: Type.Optional(withEntries(plain, declarations)),
  };
  return { ...schema, properties };
}
