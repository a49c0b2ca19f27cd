/** Selects the attributes in a response: `attributes` and `excludedAttributes` (RFC 7644 §3.9). */
import { isObject } from '../../../../domain/validation/plain-values.ts';
import type { AttributePath } from './attributes.ts';
import { ScimError } from './errors.ts';
import type { ResourceType } from './resource-type.ts';

export interface Projection {
  /** Returns the requested part of a resource. */
  readonly project: (resource: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Whether the parameters ask for this attribute of the core schema, exclude it, or don't mention it. */
  readonly wants: (name: string) => 'asked' | 'excluded' | 'unsaid';
  /** True if there are no parameters. */
  readonly isWhole: boolean;
}

/** An attribute's name, with an optional schema before or sub-attribute after it (§3.10). */
const notation = /^[A-Za-z][A-Za-z0-9_:.$-]*$/;
/** Per request: more than a resource has. */
const maxNames = 200;

/** All visible attributes of a schema, if the name is its URN. */
const attributesOf = (
  { findSchema, findAttribute }: ResourceType,
  urn: string,
): AttributePath[] | undefined =>
  findSchema(urn)
    ?.attributes.filter(({ returned, hiddenBy }) => returned !== 'request' && !hiddenBy)
    .flatMap(({ name }) => findAttribute(`${urn}:${name}`) ?? []);

/** The known attributes; unknown names have no effect. @throws ScimError for a malformed name */
function parseNames(type: ResourceType, parameter: string, names: readonly string[]): AttributePath[] {
  if (names.length > maxNames)
    throw new ScimError('invalidValue', `${parameter} has more than ${maxNames} names.`);
  const given = names.map((name) => name.trim()).filter((name) => name !== '');
  if (!given.every((name) => notation.test(name)))
    throw new ScimError('invalidPath', `${parameter} must be names of attributes, separated by commas.`);
  return given.flatMap((name) => attributesOf(type, name) ?? type.findAttribute(name) ?? []);
}

interface Names {
  /** `/emails`, `/emails/value`, `urn:…:User/department`: selected with everything inside. */
  readonly whole: ReadonlySet<string>;
  /** `/emails`: only some of its sub-attributes are selected, unless it is in `whole`. */
  readonly parts: ReadonlySet<string>;
}

function namesFrom(paths: readonly AttributePath[]): Names {
  const [whole, parts] = [new Set<string>(), new Set<string>()];
  for (const { extension = '', attribute, sub } of paths) {
    const path = `${extension}/${attribute.name}`;
    whole.add(sub === undefined ? path : `${path}/${sub.name}`);
    if (sub !== undefined) parts.add(path);
  }
  return { whole, parts };
}

type Entry = readonly [name: string, value: unknown];
const isExtension = ([name]: Entry): boolean => name.includes(':');

/** @param isKept true if the names are shown, false if they are omitted */
function projector({ whole, parts }: Names, isKept: boolean): Projection['project'] {
  function choose(value: unknown, path: string): unknown {
    if (whole.has(path) || !parts.has(path)) return whole.has(path) === isKept ? value : undefined;
    // An empty group shows that it is empty: without the list, it may have too many members for one.
    if (!Array.isArray(value) || value.length === 0)
      return Array.isArray(value) ? value : inside(value, path);
    const items = value.map((item) => inside(item, path)).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  /** Undefined if nothing is left. */
  function inside(value: unknown, path: string): unknown {
    if (!isObject(value)) return isKept ? undefined : value;
    const entries = Object.entries(value).map(([name, one]): Entry => [name, choose(one, `${path}/${name}`)]);
    const chosen = entries.filter(([, one]) => one !== undefined);
    return chosen.length === 0 ? undefined : Object.fromEntries(chosen);
  }
  return ({ schemas, id, ...others }) => {
    const entries = Object.entries(others);
    const top = Object.fromEntries(entries.filter((entry) => !isExtension(entry)));
    const extensions = entries
      .filter(isExtension)
      .map(([urn, value]): Entry => [urn, isObject(value) ? inside(value, urn) : undefined])
      .filter(([, value]) => value !== undefined);
    // `schemas` and `id` are always returned (RFC 7643 §3.1).
    return { schemas, id, ...(inside(top, '') as object | undefined), ...Object.fromEntries(extensions) };
  };
}

/** @throws ScimError for malformed names, and if both parameters are given */
export function readProjection(
  type: ResourceType,
  attributes: readonly string[] | undefined,
  excluded: readonly string[] | undefined,
): Projection {
  if (attributes !== undefined && excluded !== undefined)
    throw new ScimError('invalidValue', 'attributes does not go with excludedAttributes.');
  if (attributes !== undefined) {
    const names = namesFrom(parseNames(type, 'attributes', attributes));
    const isNamed = (path: string): boolean => names.whole.has(path) || names.parts.has(path);
    return {
      project: projector(names, true),
      wants: (name) => (isNamed(`/${name}`) ? 'asked' : 'excluded'),
      isWhole: false,
    };
  }
  const names = namesFrom(parseNames(type, 'excludedAttributes', excluded ?? []));
  return {
    project: excluded === undefined ? (resource) => resource : projector(names, false),
    wants: (name) => (names.whole.has(`/${name}`) ? 'excluded' : 'unsaid'),
    isWhole: excluded === undefined,
  };
}
