/** Reads the value of an operation, in the forms that identity providers send. */
import { isObject } from '../../../../domain/validation/plain-values.ts';
import type { Filter, PatchPath } from '../filter/syntax.ts';
import type { Attribute, AttributePath } from '../resource/attributes.ts';
import { type Complex, invalidValue, isEmpty, readItem, readValue } from '../resource/read-value.ts';
import { showTarget } from './operation.ts';

/** An old form of Entra ID: `[{"$ref": null, "value": "x"}]`. */
function unwrapValue(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, 'value')) return value;
  return Object.keys(value).every((name) => name === 'value' || name === '$ref') ? value.value : value;
}

const unwrapList = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;

function unwrap({ type, multiValued }: Attribute, value: unknown): unknown {
  if (multiValued) return Array.isArray(value) || isEmpty(value) ? value : [value];
  return type === 'complex' ? unwrapList(value) : unwrapValue(unwrapList(value));
}

/** Accepts a list of one for a single value, and one item for a list. @throws ScimError `invalidValue`, `invalidSyntax` */
export function readOperationValue(target: PatchPath, value: unknown): unknown {
  const { path, filter, sub } = target;
  const where = showTarget(target);
  if (sub !== undefined) return readValue(sub, unwrap(sub, value), where);
  if (filter !== undefined) return readItem(path.attribute, unwrapList(value), where);
  return readValue(path.attribute, unwrap(path.attribute, value), where);
}

/** Matches the items that have all of these sub-attributes. */
function filterOf(item: Complex, path: AttributePath): Filter {
  const filters = path.subs.flatMap((one): Filter[] => {
    const value = (item[one.sub?.name ?? ''] ?? null) as string | boolean | null;
    return value === null ? [] : [{ kind: 'compare', path: one, operator: 'eq', value }];
  });
  if (filters.length === 0) throw invalidValue('each value to remove must say which one is meant.');
  return { kind: 'and', filters };
}

/**
 * Reads the value of a `remove`. The standard has none, but Entra ID and others use it to name the list items to remove. An empty list
 * removes nothing: a client that has nothing to remove sends one. For other targets the value is ignored, as in the standard.
 * @returns a filter for these items; undefined to remove the whole target
 * @throws ScimError `invalidValue`, `invalidSyntax`
 */
export function readListed(target: PatchPath, value: unknown): Filter | undefined {
  const { path, filter, sub } = target;
  const isWholeList = path.attribute.multiValued && filter === undefined && sub === undefined;
  if (!isWholeList || value === undefined || value === null) return undefined;
  const isNothing = isEmpty(value);
  const listed = isNothing ? [] : (readOperationValue(target, value) as readonly Complex[]);
  if (!isNothing && listed.length === 0)
    throw invalidValue(`${showTarget(target)} must say which of them are to go.`);
  return { kind: 'or', filters: listed.map((item) => filterOf(item, path)) };
}
