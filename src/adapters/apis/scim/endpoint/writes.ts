/** The three writes of a resource, shared by single requests and by the operations of a Bulk. */

import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../../../domain/ports.ts';
import { ReadInput } from '../../../../domain/resource/build.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import type { MembersChange } from '../../../../domain/store.ts';
import { type Edit, type Precondition, unchanged } from '../../../../domain/use-cases/resource-writes.ts';
import { DomainError, isCode, UnknownMembers } from '../../../../domain/validation/errors.ts';
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { Slices, writeIds } from '../../../scheduler/slices.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { readPatch } from '../patch/read-patch.ts';
import type { ServedType } from '../protocol/service.ts';
import { joinDetails, Mistakes, ScimError } from '../resource/errors.ts';
import type { Member } from '../resource/members.ts';
import { readResourceBody } from '../resource/read-resource.ts';
import { partOf, type ScimResource, scimPath, setPart, toInput, toResource } from '../resource/resource.ts';
import type { ResourceType } from '../resource/resource-type.ts';

interface Update {
  readonly principal: Caller;
  /** The id of the resource to write. */
  readonly id: string;
  readonly body: unknown;
  /** Evaluated at the time of the write. */
  readonly lock: Precondition | undefined;
}

interface Creation extends Pick<Update, 'principal' | 'body'> {
  /** The id of the new resource, if it must be known in advance. */
  readonly id?: string | undefined;
  readonly condition?: () => void;
}

/** @throws ScimError; DomainError as `Resources.create` */
export async function createFrom(
  { type, resources }: ServedType,
  { principal, body, id, condition }: Creation,
): Promise<Stored<Resource>> {
  const mistakes = new Mistakes();
  const resource = readResourceBody(type, body, mistakes, { isNew: true });
  const value = { ...toInput(type, resource, mistakes), ...(id === undefined ? {} : { id }) };
  const input = new ReadInput({ value, violations: mistakes.violations });
  const members = idsIn(type, resource);
  return withMembers(type, principal, { add: members ?? [], remove: [] }, () =>
    resources.create(principal, input, condition, members),
  );
}

/** The values of the relation that `readResourceBody` has read. */
const idsIn = ({ relation }: ResourceType, resource: ScimResource): readonly string[] | undefined =>
  relation?.isWritable ? (resource[relation.name] as readonly string[] | undefined) : undefined;

function inScimNames(type: ResourceType, { code, message, violations }: DomainError): DomainError {
  const places = violations.map(({ pointer, detail }) => `${scimPath(type, pointer)} ${detail}`);
  return new DomainError(code, places.length === 0 ? message : joinDetails(places));
}

const noChange: MembersChange = { add: [], remove: [] };

/** Runs the write. Turns `invalid-members` into a SCIM error that names the ids, and gives refusals by a profile the names of attributes. */
async function withMembers<T>(
  type: ResourceType,
  { id: client }: Caller,
  { add: added, remove }: MembersChange,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await writeIds(client, added.length + remove.length, write);
  } catch (error) {
    if (isCode(error, 'attribute-hidden') || isCode(error, 'attribute-read-only'))
      throw inScimNames(type, error as DomainError);
    if (!(error instanceof UnknownMembers)) throw error;
    const unknown = error.unknown.map(
      ({ position, detail }) => `${type.relation?.name}: "${added[position]}" ${detail}`,
    );
    throw new ScimError('invalidValue', unknown);
  }
}

/** The members in an extension of the installation, if the body does not mention it, not even with an empty object or in `schemas`. */
function ownLeftOut({ members, findSchema, findAny }: ResourceType, body: unknown): readonly Member[] {
  if (!isObject(body)) return [];
  const { schemas } = body;
  const names = [...Object.keys(body), ...(Array.isArray(schemas) ? schemas.map(String) : [])];
  const urns = new Set(names.map((name) => findSchema(name)?.id ?? findAny(name)?.extension));
  return [...members.values()].filter(
    ({ form, urn }) => urn !== undefined && form !== 'extension' && !urns.has(urn),
  );
}

/**
 * Attributes missing from the body are removed, except a user's `active`, a group's members and the service's own extension. Identity providers don't
 * know the extension, so each PUT would delete it. RFC 7644 §3.5.1 leaves this to the service.
 * @throws ScimError; DomainError as `Resources.replace`
 */
export async function replaceFrom(
  { type, resources }: ServedType,
  { principal, id, body, lock }: Update,
): Promise<Stored<Resource>> {
  const mistakes = new Mistakes();
  const resource = readResourceBody(type, body, mistakes);
  const value = toInput(type, resource, mistakes);
  const { violations } = mistakes;
  const kept = violations.length > 0 ? [] : ownLeftOut(type, body);
  const all = idsIn(type, resource);
  const members = all && { isWhole: true, add: all, remove: [] };
  const edit: Edit<Resource> = (current) => {
    const input = { ...value };
    for (const member of kept)
      if (partOf(member, input) === undefined) setPart(input, member, partOf(member, current));
    return new ReadInput({ value: input, violations, isReplacement: true });
  };
  return withMembers(type, principal, members ?? noChange, () =>
    kept.length === 0
      ? resources.replace(principal, id, new ReadInput({ value, violations }), lock, members)
      : resources.change(principal, id, edit, lock, members),
  );
}

/**
 * Applies all operations or none (RFC 7644 §3.5.2). If they change nothing, nothing is written, since §3.5.2.1 requires that the
 * modification date stays.
 * @throws ScimError; DomainError as `Resources.change`
 */
export async function patchFrom(
  { type, resources }: ServedType,
  { principal, id, body, lock }: Update,
): Promise<Stored<Resource>> {
  const slices = new Slices(principal.id);
  const mistakes = new Mistakes();
  const { operations, members } = await slices.run(readPatch(type, body, mistakes));
  const edit: Edit<Resource> = async (current) => {
    const resource = toResource(type, current, (one) => one);
    const more = new Mistakes();
    const value = toInput(type, await slices.run(applyPatch(type, resource, operations)), more);
    const violations = [...mistakes.violations, ...more.violations];
    const isSame = () => isDeepStrictEqual(value, toInput(type, resource, new Mistakes()));
    if (mistakes.violations.length === 0 && isSame()) return unchanged;
    return new ReadInput({ value, violations });
  };
  try {
    return await withMembers(type, principal, members ?? noChange, () =>
      resources.change(principal, id, edit, lock, members),
    );
  } catch (error) {
    // Mistakes that depend on the stored resource, besides the rules of the domain, are reported after the others, as in a PUT.
    if (!isCode(error, `invalid-${type.kind.name}`)) mistakes.assertNone();
    throw error;
  }
}
