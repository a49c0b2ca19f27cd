/**
 * The user as a SCIM resource (RFC 7643 §4).
 *
 * Out: `toResource`, in this file, makes a resource from a user. Most members stand in it as they are; `members.ts` says which have
 * another form (texts become objects with a `value`, a map becomes a list of names and values) or stand below the URN of an extension.
 *
 * In: `read-resource.ts` reads a body into a resource of the same form, by the names and types in `attributes.ts`, with the liberties that
 * identity providers take (`read-value.ts`, `fold-name.ts`). `toInput`, in this file, makes of it what the use cases take.
 *
 * `attributes.ts` is made from the user's one schema, and is what `/Schemas` publishes. `errors.ts` has the keywords of errors, and
 * `scim-path.ts` translates the place of a mistake from our names into SCIM's.
 */
import { isObject } from '../../../../domain/base/plain-values.ts';
import type { User } from '../../../../domain/user/user.ts';
import { coreUrn } from './attributes.ts';
import { ScimError } from './errors.ts';
import { type Member, members } from './members.ts';

/** A JSON value, to be looked at only: it may share its parts with the user that it was made from. */
export type Resource = Readonly<Record<string, unknown>>;

/** Gives the URL of the user with this id, as the resource is to show it. */
export type Locate = (id: string) => string;

function show({ name, form }: Member, value: unknown): unknown {
  if (form === 'texts') return (value as readonly string[]).map((text) => ({ value: text }));
  if (form === 'same' || form === 'extension') return value;
  const entries = Object.entries(value as Readonly<Record<string, string>>);
  return { [name]: entries.map(([key, text]) => ({ name: key, value: text })) };
}

/**
 * @param printVersion makes `meta.version`, which is the ETag's text (RFC 7644 §3.14); left out, there is none
 * @returns attributes in our schema's order; `schemas` names the core schema and those extensions that the user has values of
 */
export function toResource(
  user: User,
  locate: Locate,
  printVersion?: (meta: User['meta']) => string,
): Resource {
  const urns = [coreUrn];
  const resource: Record<string, unknown> = { schemas: urns, id: user.id };
  for (const member of members) {
    const value: unknown = Reflect.get(user, member.name);
    if (value === undefined) continue;
    if (member.urn !== undefined) urns.push(member.urn);
    resource[member.urn ?? member.name] = show(member, value);
  }
  const { created, lastModified } = user.meta;
  resource.meta = {
    ...{ resourceType: 'User', created, lastModified, location: locate(user.id) },
    ...(printVersion === undefined ? {} : { version: printVersion(user.meta) }),
  };
  return resource;
}

/** The items' texts under this name. @throws ScimError where one has none: our user would lose it without a word */
function textsOf(items: readonly Resource[], name: string, where: string): string[] {
  return items.map(({ [name]: text }, index) => {
    if (typeof text === 'string') return text;
    throw new ScimError('invalidValue', `${where}[${index}].${name} is required.`);
  });
}

function readMap(items: readonly Resource[], where: string): Record<string, string> {
  const names = textsOf(items, 'name', where);
  const values = textsOf(items, 'value', where);
  const map = new Map(names.map((name, index) => [name, values[index] ?? '']));
  if (map.size === items.length) return Object.fromEntries(map);
  throw new ScimError('invalidValue', `${where} must not have two values of one name.`);
}

function read({ name, form, urn }: Member, value: unknown): unknown {
  if (form === 'same' || form === 'extension') return value;
  const items = value as readonly Resource[];
  // A role that is sent twice, with different sub-attributes, is one to us.
  return form === 'texts' ? [...new Set(textsOf(items, 'value', name))] : readMap(items, `${urn}:${name}`);
}

/**
 * What the use cases take, without `id` and `meta`; they check it.
 * @param resource as `readResource` or `applyPatch` gives it
 * @throws ScimError `invalidValue` for a role without a value, and for an own attribute without one or with two
 */
export function toInput(resource: Resource): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const member of members) {
    const { name, form, urn } = member;
    const own = urn === undefined ? resource[name] : resource[urn];
    const value = form === 'map' && isObject(own) ? own[name] : own;
    if (value !== undefined) input[name] = read(member, value);
  }
  return input;
}
