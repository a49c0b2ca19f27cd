/** A kind with declared attributes: its schema, filters, and the rules that a schema can't state. */

import { IsDateTime } from 'typebox/format';
import type { Filter, FilterName } from '../../find/filters.ts';
import type { Resource } from '../../resource/resource.ts';
import {
  attributeKeys,
  attributesMember,
  attributesOf,
  attributeText,
  attributeTypes,
  beInstant,
  findDecimalFault,
} from '../../validation/attribute-types.ts';
import type { Violation } from '../../validation/errors.ts';
import { canonicalDate } from '../../validation/plain-values.ts';
import { escapePointer } from '../../validation/schema-validator.ts';
import { suggest } from '../../validation/suggest.ts';
import type { KindDefinition, UserReference } from '../kind.ts';
import { type Declared, isFilter, type KindDeclarations, maxAttributeLength } from './declaration.ts';
import { pathOf, withDeclared } from './schema.ts';

const pointerTo = (name: string): string => `/${attributesMember}/${escapePointer(name)}`;

function filterOf(name: string, { type, unique }: Declared): Filter<Resource> {
  const { read, must, key, text } = attributeTypes[type];
  return {
    keys: (resource) => attributeKeys(type, attributesOf(resource)[name]),
    key(text) {
      const value = read(text);
      return value === undefined ? undefined : key(value);
    },
    ...(text && { text }),
    ...(must && { must }),
    ...(unique ? { taken: { code: 'attribute-taken', pointer: pointerTo(name) } } : { isShared: true }),
    findsAbsence: true,
    ...(type === 'string' && { description: `Only those whose \`${pathOf(name)}\` is this, in any case.` }),
  };
}

/** The rules that a schema can't state of one declared value. */
function findFault({ type, list, retired }: Declared, value: unknown): string | undefined {
  if (retired) return 'is retired: it may be removed, but no longer set';
  if (type === 'decimal') {
    const [fault] = [value].flat().flatMap((one) => findDecimalFault(one) ?? []);
    if (fault !== undefined) return fault;
  }
  // A leap second, or another year in UTC than one of four digits.
  if (
    type === 'dateTime' &&
    [value]
      .flat()
      .some((one) => typeof one === 'string' && canonicalDate(one) === undefined && IsDateTime(one))
  )
    return `must ${beInstant}`;
  if (!list || !Array.isArray(value)) return undefined;
  // Objects are refused by the schema, and may have no text.
  const items = value.filter((item) => typeof item !== 'object');
  if (items.some((item) => /[\r\n]/.test(String(item)))) return 'must have no line ends in its items';
  return [...attributeText(items)].length > maxAttributeLength
    ? `must have at most ${maxAttributeLength} characters with all items together`
    : undefined;
}

/** Names are compared without case: `Badge` beside a declared `badge` would be a second one. */
function faultFinder({ attributes = {}, undeclared }: KindDeclarations) {
  const byLowerCase = new Map(Object.keys(attributes).map((name) => [name.toLowerCase(), name]));
  const findUndeclared = (name: string): string | undefined => {
    const meant = byLowerCase.get(name.toLowerCase());
    if (meant !== undefined) return `is not known here (perhaps ${meant})`;
    return undeclared === 'refuse' ? `is not known here${suggest(name, Object.keys(attributes))}` : undefined;
  };
  return (input: Readonly<Record<string, unknown>>): Violation[] =>
    Object.entries(attributesOf(input)).flatMap(([name, value]) => {
      const declared = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      const detail = declared === undefined ? findUndeclared(name) : findFault(declared, value);
      return detail === undefined ? [] : [{ pointer: pointerTo(name), detail }];
    });
}

/** The ids of users in attributes of the type `user`. @param before what the resource replaces: its references are left out */
const referenceFinder =
  ({ attributes = {} }: KindDeclarations) =>
  (resource: unknown, before: unknown): readonly UserReference[] =>
    Object.entries(attributes).flatMap(([name, { type }]) => {
      if (type !== 'user') return [];
      const [given, kept] = [attributesOf(resource)[name] ?? [], attributesOf(before)[name] ?? []];
      const known = new Set([kept].flat());
      const pointer = pointerTo(name);
      return [given]
        .flat()
        .flatMap((id, at) =>
          known.has(id)
            ? []
            : [{ pointer: Array.isArray(given) ? `${pointer}/${at}` : pointer, id: String(id) }],
        );
    });

export function declareAttributes<T extends Resource, I extends object>(
  definition: KindDefinition<T, I>,
  declarations: KindDeclarations,
): KindDefinition<T, I> {
  const findFaults = faultFinder(declarations);
  const filters = Object.entries(declarations.attributes ?? {})
    .filter(([, declared]) => isFilter(declared))
    .map(([name, declared]): [FilterName, Filter<Resource>] => [pathOf(name), filterOf(name, declared)]);
  return {
    ...definition,
    schema: withDeclared(definition.schema, declarations),
    input: withDeclared(definition.input, declarations),
    ...(definition.shown && { shown: withDeclared(definition.shown, declarations) }),
    findFaults: (input) => [...(definition.findFaults?.(input) ?? []), ...findFaults(input)],
    filters: { ...definition.filters, ...Object.fromEntries(filters) },
    ...(Object.values(declarations.attributes ?? {}).some(({ type }) => type === 'user') && {
      references: referenceFinder(declarations),
    }),
  };
}
