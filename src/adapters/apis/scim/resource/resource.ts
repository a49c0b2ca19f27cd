/**
 * The service's resource as a SCIM resource (RFC 7643 §4).
 *
 * Output: `toResource`, in this file. Most members are unchanged. `resource-type.ts` finds those that have another form (strings become
 * objects with a `value`, a map becomes a list of names and values) or are under the URN of an extension.
 *
 * Input: `read-resource.ts` reads a body into a resource of the same form, by the names and types in `attributes.ts`, and accepts the
 * deviations of identity providers (`read-value.ts`, `fold-name.ts`). `toInput`, in this file, converts it to the input of the use cases.
 *
 * `attributes.ts` is derived from the kind's schema and published in `/Schemas`. `errors.ts` has the error keywords, and `scimPath`, in
 * this file, translates the location of an error into SCIM's names.
 */
import type { Resource } from '../../../../domain/resource/resource.ts';
import {
  attributeText,
  readAttributeValue,
  splitItems,
} from '../../../../domain/validation/attribute-types.ts';
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { unescapePointer } from '../../../../domain/validation/schema-validator.ts';
import { type Mistakes, ScimError } from './errors.ts';
import type { Member } from './members.ts';
import type { ResourceType } from './resource-type.ts';

/** A read-only JSON value: it may share parts with the resource it was created from. */
export type ScimResource = Readonly<Record<string, unknown>>;

/** Returns the URL of the resource with this id. */
type Locate = (id: string) => string;

/** The member's value in the service's resource. */
export function partOf({ path: [name, entry], declared }: Member, stored: object): unknown {
  const value: unknown = Reflect.get(stored, name);
  if (entry !== undefined) return isObject(value) && Object.hasOwn(value, entry) ? value[entry] : undefined;
  if (declared === undefined || declared.size === 0 || !isObject(value)) return value;
  const others = Object.entries(value).filter(([key]) => !declared.has(key));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** Adds it to the input of the use cases. */
export function setPart(input: Record<string, unknown>, { path, form }: Member, value: unknown): void {
  if (value === undefined) return;
  const [name, entry] = path;
  const entries = entry === undefined ? value : { [entry]: value };
  const isInMap = form === 'map' || entry !== undefined;
  input[name] = isInMap ? { ...(input[name] as object), ...(entries as object) } : value;
}

/** A text that was stored before its declaration is shown as the value that it means. */
function show({ form, typed }: Member, value: unknown): unknown {
  const typedOf = (one: unknown) => (typed === undefined ? one : readAttributeValue(typed, one));
  if (form === 'texts') {
    const items = typeof value === 'string' ? splitItems(value) : (value as readonly unknown[]);
    return items.map((item) => ({ value: typedOf(item) }));
  }
  if (form !== 'map') return typedOf(value);
  // Not texts: of attributes that another process has declared.
  return Object.entries(value as object).map(([name, one]) => ({ name, value: attributeText(one) }));
}

/**
 * @param printVersion returns `meta.version`, which equals the ETag (RFC 7644 §3.14); without it there is none
 * @returns attributes in the schema's order; `schemas` names the core schema and the extensions that have values
 */
export function toResource(
  { name, schema, members }: ResourceType,
  stored: Resource,
  locate: Locate,
  printVersion?: (meta: Resource['meta']) => string,
): ScimResource {
  const urns = [schema.id];
  const resource: Record<string, unknown> = { schemas: urns, id: stored.id };
  for (const member of members.values()) {
    const value = partOf(member, stored);
    if (value === undefined) continue;
    const { urn, form } = member;
    const shown = show(member, value);
    const within = urn === undefined ? resource : ((resource[urn] ?? {}) as Record<string, unknown>);
    if (form === 'extension') Object.assign(within, shown);
    else within[member.name] = shown;
    if (urn === undefined) continue;
    if (resource[urn] === undefined) urns.push(urn);
    resource[urn] = within;
  }
  const { created, lastModified } = stored.meta;
  resource.meta = {
    ...{ resourceType: name, created, lastModified, location: locate(stored.id) },
    ...(printVersion === undefined ? {} : { version: printVersion(stored.meta) }),
  };
  return resource;
}

/** The items' values of this name. @throws ScimError for an item without one, which would be lost silently */
function valuesOf(items: readonly ScimResource[], name: string, where: string): readonly unknown[] {
  return items.map(({ [name]: value }, index) => {
    if (value !== undefined && value !== null) return value;
    throw new ScimError('invalidValue', `${where}[${index}].${name} is required.`);
  });
}

/** @param others entries that are attributes of their own */
function readMap(items: readonly ScimResource[], where: string, others: unknown): Record<string, unknown> {
  const names = valuesOf(items, 'name', where).map(String);
  const values = valuesOf(items, 'value', where);
  const map = new Map(names.map((name, index) => [name, values[index]]));
  const isTwice = names.some((name) => isObject(others) && Object.hasOwn(others, name));
  if (map.size === items.length && !isTwice) return Object.fromEntries(map);
  throw new ScimError('invalidValue', `${where} must not have two values of one name.`);
}

const placeOf = ({ name, urn }: Member): string => (urn === undefined ? name : `${urn}:${name}`);

function read(member: Member, value: unknown, others: unknown): unknown {
  const { form } = member;
  if (form !== 'texts' && form !== 'map') return value;
  const [items, where] = [value as readonly ScimResource[], placeOf(member)];
  // A role sent twice with different sub-attributes counts once.
  return form === 'texts' ? [...new Set(valuesOf(items, 'value', where))] : readMap(items, where, others);
}

/**
 * Converts a resource to the input of the use cases, without `id` and `meta`; they validate it.
 * @param resource from `readResource` or `applyPatch`
 * @param mistakes gets ScimErrors `invalidValue` for a role without a value, and for a custom attribute without a value or with two
 */
export function toInput(
  { members }: ResourceType,
  resource: ScimResource,
  mistakes: Mistakes,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const member of members.values()) {
    const { name, path, form, urn } = member;
    const within = urn === undefined ? resource : resource[urn];
    const value = form !== 'extension' && isObject(within) ? within[name] : within;
    if (value === undefined) continue;
    const part = mistakes.collect(() => read(member, value, input[path[0]]), `/${path.join('/')}`);
    setPart(input, member, part);
  }
  return input;
}

const isIndex = (step: string): boolean => /^\d+$/.test(step);

/** `["0", "value"]` becomes `[0].value`. */
const joined = (steps: readonly string[]): string =>
  steps.map((step) => (isIndex(step) ? `[${step}]` : `.${step}`)).join('');

/**
 * `/emails/0/value` is `emails[0].value`, `/roles/3` is `roles[3].value`, `/enterprise/department` is
 * `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department`, `/attributes/badge` of a declared attribute
 * `urn:user-management:1:User:badge`.
 * @param pointer RFC 6901, into the service's resource, as in a Violation
 * @returns empty for the whole resource
 */
export function scimPath({ members }: Pick<ResourceType, 'members'>, pointer: string): string {
  const [name = '', ...steps] = pointer.split('/').slice(1).map(unescapePointer);
  const [first = '', ...rest] = steps;
  const declared = members.get(`${name}.${first}`);
  const member = declared ?? members.get(name);
  const inside = declared === undefined ? steps : rest;
  if (member === undefined) return `${name}${joined(steps)}`;
  if (member.form === 'extension') return `${member.urn}${joined(inside).replace('.', ':')}`;
  const place = placeOf(member);
  if (member.form === 'same' || inside.length === 0) return `${place}${joined(inside)}`;
  if (member.form === 'texts') return `${place}[${inside[0]}].value`;
  return `${place}[name eq ${JSON.stringify(first)}].value${joined(rest)}`;
}
