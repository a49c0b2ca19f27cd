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

/** All attributes of a schema, if the name is its URN. */
const attributesOf = (
  { findSchema, findAttribute }: ResourceType,
  urn: string,
): AttributePath[] | undefined =>
  findSchema(urn)
    ?.attributes.filter(({ returned }) => returned !== 'request')
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

type Members = Readonly<Record<string, unknown>>;
/** Selected sub-attributes by attribute name; `all` selects the whole attribute. */
type Names = Map<string, Set<string> | 'all'>;

function addName(names: Names, { attribute, sub }: AttributePath): void {
  const known = names.get(attribute.name);
  if (sub === undefined || known === 'all') names.set(attribute.name, 'all');
  else names.set(attribute.name, new Set([...(known ?? []), sub.name]));
}

/** By extension; undefined for the core schema. */
function groupNames(paths: readonly AttributePath[]): ReadonlyMap<string | undefined, Names> {
  const groups = new Map<string | undefined, Names>();
  for (const path of paths) {
    const names = groups.get(path.extension) ?? new Map();
    groups.set(path.extension, names);
    addName(names, path);
  }
  return groups;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function chooseSub(value: unknown, subs: ReadonlySet<string>, isKept: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => chooseSub(item, subs, isKept)).filter((item) => !isEmpty(item));
    return items;
  }
  if (!isObject(value)) return isKept ? undefined : value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => subs.has(name) === isKept));
}

/** @param isKept true if `names` are shown, false if they are omitted */
function choose(members: Members, names: Names | undefined, isKept: boolean): Members {
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const subs = names?.get(name);
    if (subs === undefined) return isKept ? [] : [[name, value]];
    if (subs === 'all') return isKept ? [[name, value]] : [];
    // An empty group shows that it is empty: without the list, it may have too many members for one.
    if (Array.isArray(value) && value.length === 0) return [[name, value]];
    const chosen = chooseSub(value, subs, isKept);
    return isEmpty(chosen) ? [] : [[name, chosen]];
  });
  return Object.fromEntries(entries);
}

const isExtension = (name: string): boolean => name.includes(':');

function project(resource: Members, groups: ReturnType<typeof groupNames>, isKept: boolean): Members {
  const { schemas, id } = resource;
  const entries = Object.entries(resource);
  const top = Object.fromEntries(entries.filter(([name]) => !isExtension(name)));
  const extensions = entries.flatMap(([name, value]): [string, unknown][] => {
    if (!isExtension(name) || !isObject(value)) return [];
    const chosen = choose(value, groups.get(name), isKept);
    return isEmpty(chosen) ? [] : [[name, chosen]];
  });
  // Always returned (RFC 7643 §3.1).
  const { schemas: _schemas, id: _id, ...chosen } = choose(top, groups.get(undefined), isKept);
  return { schemas, id, ...chosen, ...Object.fromEntries(extensions) };
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
    const groups = groupNames(parseNames(type, 'attributes', attributes));
    return {
      project: (resource) => project(resource, groups, true),
      wants: (name) => (groups.get(undefined)?.has(name) ? 'asked' : 'excluded'),
      isWhole: false,
    };
  }
  const groups = groupNames(parseNames(type, 'excludedAttributes', excluded ?? []));
  return {
    project: (resource) => (excluded === undefined ? resource : project(resource, groups, false)),
    wants: (name) => (groups.get(undefined)?.get(name) === 'all' ? 'excluded' : 'unsaid'),
    isWhole: excluded === undefined,
  };
}
