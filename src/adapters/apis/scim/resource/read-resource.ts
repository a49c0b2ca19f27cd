/** Reads the user in a POST or PUT, in the forms that identity providers send (RFC 7643 §3, RFC 7644 §3.3, §3.5.1). */
import { isObject } from '../../../../domain/base/plain-values.ts';
import {
  type Attribute,
  type AttributePath,
  coreUrn,
  findAttribute,
  findSchema,
  schemas,
} from './attributes.ts';
import { foldName, isNamed } from './fold-name.ts';
import {
  compact,
  invalidSyntax,
  invalidValue,
  isEmpty,
  readValue,
  showName,
  showPath,
} from './read-value.ts';
import type { Resource } from './resource.ts';

/**
 * Attributes of RFC 7643 §4.1 that the service doesn't store: group membership belongs to the group, and credentials to the identity
 * provider.
 */
const foreign = new RegExp(`^(?:${coreUrn.replaceAll('.', '\\.')}:)?(groups|password)(?=$|[.[])`, 'i');

/** @param name with or without its URN, in any case; also the path of a PATCH */
export const findForeign = (name: string): 'groups' | 'password' | undefined => {
  const found = foldName(foreign.exec(name)?.[1] ?? '');
  return found === 'groups' || found === 'password' ? found : undefined;
};

/** RFC 7644 §3.12 has no keyword for this; `invalidValue` is for values that don't fit the schema. */
export const passwordRefused = () =>
  invalidValue('This service keeps no passwords: let the identity provider send none.');

/**
 * Yields the attributes of an object by full name: extension attributes are in an object under the URN, or have the URN as a prefix. An
 * empty extension removes all its attributes.
 * @throws ScimError `invalidSyntax`, `invalidValue`
 */
export function* namesIn(value: Readonly<Record<string, unknown>>): Generator<[string, unknown]> {
  for (const [name, inner] of Object.entries(value)) {
    const schema = findSchema(name);
    if (schema === undefined) yield [name, inner];
    else if (isObject(inner)) {
      for (const [attribute, one] of Object.entries(inner))
        if (!isNamed(attribute, 'schemas')) yield [`${schema.id}:${attribute}`, one];
    } else if (isEmpty(inner)) {
      for (const attribute of schema.attributes) yield [`${schema.id}:${attribute.name}`, null];
    } else throw invalidValue(`${schema.id} must be an object.`);
  }
}

export const unknownAttribute = (name: string) => invalidSyntax(`There is no attribute ${showName(name)}.`);

/** Undefined for ignored attributes: `id`, `meta` and `groups` are read-only (RFC 7644 §3.3). */
function findWritable(name: string, value: unknown, isNew: boolean): AttributePath | undefined {
  const alien = findForeign(name);
  if (alien === 'groups') return undefined;
  if (alien === 'password') {
    // Okta sends a generated password with each new user, even if passwords aren't provisioned.
    if (isEmpty(value) || isNew) return undefined;
    throw passwordRefused();
  }
  const path = findAttribute(name);
  if (path === undefined || path.sub !== undefined) throw unknownAttribute(name);
  return path.attribute.mutability === 'readOnly' ? undefined : path;
}

/** `schemas` is in no schema: it follows from the other attributes (RFC 7643 §3). */
export const isSchemas = ({ extension, attribute }: AttributePath): boolean =>
  extension === undefined && attribute.name === 'schemas';

function checkSchemas(value: unknown): void {
  if (!Array.isArray(value) || !value.every((urn) => typeof urn === 'string'))
    throw invalidValue('schemas must be a list of URNs.');
  const unknown = value.find((urn) => findSchema(urn) === undefined);
  if (unknown !== undefined) throw invalidValue(`schemas has ${showName(unknown)}, which is not known here.`);
  if (!value.some((urn) => findSchema(urn)?.id === coreUrn))
    throw invalidValue(`schemas must have ${coreUrn}.`);
}

/**
 * Creates a resource without `id` and `meta`, attributes in the schema's order; `schemas` names the schemas that have values.
 * @param findValue returns undefined for no value
 */
export function buildResource(findValue: (attribute: Attribute) => unknown): Resource {
  const [core = [], ...extensions] = schemas.map(({ id, attributes }): [string, unknown][] => {
    const values = attributes.flatMap((attribute): [string, unknown][] => {
      const value = findValue(attribute);
      return value === undefined ? [] : [[attribute.name, value]];
    });
    if (id === coreUrn) return values;
    return values.length === 0 ? [] : [[id, Object.fromEntries(values)]];
  });
  const extended = extensions.flat();
  return {
    ...{ schemas: [coreUrn, ...extended.map(([urn]) => urn)] },
    ...Object.fromEntries([...core, ...extended]),
  };
}

/**
 * Accepts names in any case and with the URN of their schema as a prefix, `"True"` and `"False"` for booleans, and a string for an object
 * with a `value`. Ignores `id`, `meta` and `groups`. Null, an empty string and an empty list mean no value. Only types are checked here;
 * the domain validates the rest.
 * @param as.isNew ignores a password, as RFC 7644 §3.3 allows; otherwise it is refused
 * @returns for `toInput`
 * @throws ScimError `invalidSyntax` for anything but a user and for unknown or duplicate attributes, otherwise `invalidValue`
 */
export function readResource(body: unknown, { isNew = false } = {}): Resource {
  if (!isObject(body)) throw invalidSyntax('The body must be an object.');
  const read = new Map<Attribute, unknown>();
  for (const [name, value] of namesIn(body)) {
    const path = findWritable(name, value, isNew);
    if (path === undefined) continue;
    const { attribute } = path;
    const where = showPath(path);
    if (read.has(attribute)) throw invalidSyntax(`${where} is there twice.`);
    read.set(attribute, isSchemas(path) ? value : compact(readValue(attribute, value, where)));
  }
  checkSchemas([...read].find(([{ name }]) => name === 'schemas')?.[1]);
  return buildResource((attribute) => read.get(attribute));
}
