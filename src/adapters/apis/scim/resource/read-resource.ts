/** Reads the resource in a POST or PUT, in the forms that identity providers send (RFC 7643 §3, RFC 7644 §3.3, §3.5.1). */
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { type Attribute, type AttributePath, showPath, unlessHidden } from './attributes.ts';
import type { Mistakes, ScimError } from './errors.ts';
import { isNamed } from './fold-name.ts';
import { compact, invalidSyntax, invalidValue, isEmpty, readValue, showName } from './read-value.ts';
import { readRelatedIds } from './relation.ts';
import type { ScimResource } from './resource.ts';
import type { ResourceType } from './resource-type.ts';

/**
 * Yields the attributes of an object by full name: extension attributes are in an object under the URN, or have the URN as a prefix. An
 * empty extension removes all its visible attributes. Yields the URN itself, which is no attribute, with anything but an object.
 */
export function* namesIn(
  { findSchema }: ResourceType,
  value: Readonly<Record<string, unknown>>,
): Generator<[string, unknown]> {
  for (const [name, inner] of Object.entries(value)) {
    const schema = findSchema(name);
    if (schema === undefined) yield [name, inner];
    else if (isObject(inner)) {
      for (const [attribute, one] of Object.entries(inner))
        if (!isNamed(attribute, 'schemas')) yield [`${schema.id}:${attribute}`, one];
    } else if (isEmpty(inner)) {
      for (const { name: attribute, hiddenBy } of schema.attributes)
        if (!hiddenBy) yield [`${schema.id}:${attribute}`, null];
    } else yield [schema.id, inner];
  }
}

/** For a name that `namesIn` yields. */
export const unknownAttribute = ({ findSchema, suggestAttribute }: ResourceType, name: string): ScimError =>
  findSchema(name) === undefined
    ? invalidSyntax(`There is no attribute ${showName(name)}${suggestAttribute(name)}.`)
    : invalidValue(`${name} must be an object.`);

/** Undefined for ignored attributes: read-only ones (RFC 7644 §3.3) such as `id`, `meta` and a user's `groups`, and a new user's password. */
function findWritable(
  type: ResourceType,
  name: string,
  value: unknown,
  isNew: boolean,
): AttributePath | undefined {
  const foreign = type.findForeign(name);
  if (foreign !== undefined) {
    // Okta sends a generated password with each new user, even if passwords aren't provisioned.
    if (isEmpty(value) || isNew) return undefined;
    // RFC 7644 §3.12 has no keyword for this; `invalidValue` is for values that don't fit the schema.
    throw invalidValue(foreign.refusal);
  }
  const path = type.findAny(name);
  if (path === undefined) throw unknownAttribute(type, name);
  // Okta sends empty `groups` with each new user.
  if (path.attribute.mutability !== 'readOnly') unlessHidden(path);
  if (path.sub !== undefined)
    throw invalidSyntax(`${showPath(path)} must stand inside ${showPath({ ...path, sub: undefined })}.`);
  return path.attribute.mutability === 'readOnly' ? undefined : path;
}

/** `schemas` is in no schema: it follows from the other attributes (RFC 7643 §3). */
export const isSchemas = ({ extension, attribute }: AttributePath): boolean =>
  extension === undefined && attribute.name === 'schemas';

/** Captures the name in a URN of the standard or of its drafts. */
const standardUrn = /^urn:(?:ietf:params:)?scim:(?:schemas:core|api:messages):[12]\.0:(\w+)$/i;
const standardNames = ['User', 'Group', 'PatchOp', 'BulkRequest', 'SearchRequest', 'ListResponse'];

/**
 * The method and the path determine what a body is, so the only mistake in `schemas` is the URN of something else. Identity providers omit it,
 * misspell its URNs, use those of drafts, or add their own; attributes under such URNs are refused as unknown.
 * @param urn the expected URN
 * @param names the names that its URNs may have
 * @param refuse makes the error
 */
export function checkSchemas(
  value: unknown,
  urn: string,
  names: readonly string[],
  refuse: (detail: string) => ScimError = invalidValue,
): void {
  const urns: readonly unknown[] = Array.isArray(value) ? value : [value ?? ''];
  for (const one of urns) {
    if (typeof one !== 'string') throw refuse(`schemas must be a list of URNs, such as ["${urn}"].`);
    const named = standardUrn.exec(one)?.[1] ?? '';
    const other = standardNames.find((name) => isNamed(named, name) && !names.includes(name));
    if (other !== undefined) throw refuse(`schemas has that of a ${other}: send ["${urn}"].`);
  }
}

/**
 * Creates a resource without `id` and `meta`, attributes in the schema's order; `schemas` names the schemas that have values.
 * @param findValue returns undefined for no value
 */
export function buildResource(
  { schema, schemas }: ResourceType,
  findValue: (attribute: Attribute) => unknown,
): ScimResource {
  const [core = [], ...extensions] = schemas.map(({ id, attributes }): [string, unknown][] => {
    const values = attributes.flatMap((attribute): [string, unknown][] => {
      const value = findValue(attribute);
      return value === undefined ? [] : [[attribute.name, value]];
    });
    if (id === schema.id) return values;
    return values.length === 0 ? [] : [[id, Object.fromEntries(values)]];
  });
  const extended = extensions.flat();
  return {
    ...{ schemas: [schema.id, ...extended.map(([urn]) => urn)] },
    ...Object.fromEntries([...core, ...extended]),
  };
}

/**
 * Accepts names in any case and with the URN of their schema as a prefix, `"True"` and `"False"` for booleans, and a string for an object
 * with a `value`. Ignores `id`, `meta` and other read-only attributes. Null, an empty string and an empty list mean no value. Only types are checked here;
 * the domain validates the rest.
 * @param as.isNew ignores a password, as RFC 7644 §3.3 allows; otherwise it is refused
 * @param mistakes gets ScimErrors: `invalidSyntax` for unknown and duplicate attributes, otherwise `invalidValue`
 * @returns for `toInput`, without attributes that have mistakes; a relation has ids, for `idsIn`
 * @throws ScimError `invalidSyntax` for anything but an object
 */
export function readResourceBody(
  type: ResourceType,
  body: unknown,
  mistakes: Mistakes,
  { isNew = false } = {},
): ScimResource {
  if (!isObject(body)) throw invalidSyntax('The body must be an object.');
  const read = new Map<Attribute, unknown>();
  for (const [name, value] of namesIn(type, body)) {
    const path = mistakes.collect(() => findWritable(type, name, value, isNew));
    if (path !== undefined)
      mistakes.collect(() => readAttribute(read, path, value), `/${path.attribute.name}`);
  }
  const schemas = [...read].find(([{ name }]) => name === 'schemas')?.[1];
  mistakes.collect(() => checkSchemas(schemas, type.schema.id, [type.name]));
  return buildResource(type, (attribute) => read.get(attribute));
}

function readAttribute(read: Map<Attribute, unknown>, path: AttributePath, value: unknown): void {
  const { attribute } = path;
  const where = showPath(path);
  if (read.has(attribute)) throw invalidSyntax(`${where} occurs more than once.`);
  if (isSchemas(path)) read.set(attribute, value);
  else if (attribute.isRelation) read.set(attribute, readRelatedIds(attribute, value));
  else read.set(attribute, compact(readValue(attribute, value, where)));
}
