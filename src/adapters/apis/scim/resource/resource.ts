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
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { unescapePointer } from '../../../../domain/validation/schema-validator.ts';
import { type Mistakes, ScimError } from './errors.ts';
import type { Member, ResourceType } from './resource-type.ts';

/** A read-only JSON value: it may share parts with the resource it was created from. */
export type ScimResource = Readonly<Record<string, unknown>>;

/** Returns the URL of the resource with this id. */
type Locate = (id: string) => string;

function show({ name, form }: Member, value: unknown): unknown {
  if (form === 'texts') return (value as readonly string[]).map((text) => ({ value: text }));
  if (form === 'own') return { [name]: value };
  if (form === 'same' || form === 'extension') return value;
  const entries = Object.entries(value as Readonly<Record<string, string>>);
  return { [name]: entries.map(([key, text]) => ({ name: key, value: text })) };
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
    const value: unknown = Reflect.get(stored, member.name);
    if (value === undefined) continue;
    const place = member.urn ?? member.name;
    const [shown, others] = [show(member, value), resource[place]];
    if (member.urn !== undefined && others === undefined) urns.push(member.urn);
    resource[place] = isObject(others) ? { ...others, ...(shown as object) } : shown;
  }
  const { created, lastModified } = stored.meta;
  resource.meta = {
    ...{ resourceType: name, created, lastModified, location: locate(stored.id) },
    ...(printVersion === undefined ? {} : { version: printVersion(stored.meta) }),
  };
  return resource;
}

/** The items' strings of this name. @throws ScimError for an item without one, which would be lost silently */
function textsOf(items: readonly ScimResource[], name: string, where: string): string[] {
  return items.map(({ [name]: text }, index) => {
    if (typeof text === 'string') return text;
    throw new ScimError('invalidValue', `${where}[${index}].${name} is required.`);
  });
}

function readMap(items: readonly ScimResource[], where: string): Record<string, string> {
  const names = textsOf(items, 'name', where);
  const values = textsOf(items, 'value', where);
  const map = new Map(names.map((name, index) => [name, values[index] ?? '']));
  if (map.size === items.length) return Object.fromEntries(map);
  throw new ScimError('invalidValue', `${where} must not have two values of one name.`);
}

function read({ name, form, urn }: Member, value: unknown): unknown {
  if (form !== 'texts' && form !== 'map') return value;
  const items = value as readonly ScimResource[];
  // A role sent twice with different sub-attributes counts once.
  return form === 'texts' ? [...new Set(textsOf(items, 'value', name))] : readMap(items, `${urn}:${name}`);
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
    const { name, form, urn } = member;
    const own = urn === undefined ? resource[name] : resource[urn];
    const isPart = form === 'map' || form === 'own';
    const value = isPart && isObject(own) ? own[name] : own;
    if (value !== undefined) input[name] = mistakes.collect(() => read(member, value), `/${name}`);
  }
  return input;
}

const isIndex = (step: string): boolean => /^\d+$/.test(step);

/** `["0", "value"]` becomes `[0].value`. */
const joined = (steps: readonly string[]): string =>
  steps.map((step) => (isIndex(step) ? `[${step}]` : `.${step}`)).join('');

/**
 * `/emails/0/value` is `emails[0].value`, `/roles/3` is `roles[3].value`, `/enterprise/department` is
 * `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department`.
 * @param pointer RFC 6901, into the service's resource, as in a Violation
 * @returns empty for the whole resource
 */
export function scimPath({ members }: Pick<ResourceType, 'members'>, pointer: string): string {
  const [name = '', ...steps] = pointer.split('/').slice(1).map(unescapePointer);
  const member = members.get(name);
  if (member?.form === 'extension') return `${member.urn}${joined(steps).replace('.', ':')}`;
  const [first, ...rest] = steps;
  if (member === undefined || first === undefined || member.form === 'same' || member.form === 'own') {
    return `${member?.urn === undefined ? '' : `${member.urn}:`}${name}${joined(steps)}`;
  }
  if (member.form === 'texts') return `${name}[${first}].value`;
  return `${member.urn}:${name}[name eq ${JSON.stringify(first)}].value${joined(rest)}`;
}
