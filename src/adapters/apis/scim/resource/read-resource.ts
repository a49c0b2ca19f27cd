/** Reads the user in a POST or PUT, as identity providers send it (RFC 7643 §3, RFC 7644 §3.3, §3.5.1). */
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
 * Attributes of RFC 7643 §4.1 that our user hasn't: who is in a group is the group's to say, and how a user proves who they are is the
 * identity provider's.
 */
const foreign = new RegExp(`^(?:${coreUrn.replaceAll('.', '\\.')}:)?(groups|password)(?=$|[.[])`, 'i');

/** @param name with or without its URN, in any case of letters; also the path of a PATCH */
export const findForeign = (name: string): 'groups' | 'password' | undefined => {
  const found = foldName(foreign.exec(name)?.[1] ?? '');
  return found === 'groups' || found === 'password' ? found : undefined;
};

/** RFC 7644 §3.12 has no word of its own for it: the value doesn't go with the schema of the resource. */
export const passwordRefused = () =>
  invalidValue('This service keeps no passwords: let the identity provider send none.');

/**
 * The attributes in an object by their whole names: those of an extension stand below its URN, or have it in front. An extension that is
 * empty says that there is none of its attributes.
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

/** Undefined for what is ignored: `id`, `meta` and `groups` are read-only (RFC 7644 §3.3). */
function findWritable(name: string, value: unknown, isNew: boolean): AttributePath | undefined {
  const alien = findForeign(name);
  if (alien === 'groups') return undefined;
  if (alien === 'password') {
    // Okta sends one of its own making with each new user, also where nobody asked for passwords.
    if (isEmpty(value) || isNew) return undefined;
    throw passwordRefused();
  }
  const path = findAttribute(name);
  if (path === undefined || path.sub !== undefined) throw unknownAttribute(name);
  return path.attribute.mutability === 'readOnly' ? undefined : path;
}

/** No schema lists it: it follows from the others (RFC 7643 §3). */
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
 * A resource without `id` and `meta`, its attributes in the schema's order; `schemas` names those that there are values of.
 * @param findValue undefined for none
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
 * Names are taken in any case of letters and with the URN of their schema in front, `"True"` and `"False"` for booleans, a bare text for
 * an object with a `value`. `id`, `meta` and `groups` are ignored; null, an empty text and an empty list say that there is no value. What
 * a value has to be beyond its type, the domain says.
 * @param as.isNew a password is ignored, as RFC 7644 §3.3 allows; else it is refused
 * @returns for `toInput`
 * @throws ScimError `invalidSyntax` for what isn't a user and for attributes that aren't known or there twice, else `invalidValue`
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
