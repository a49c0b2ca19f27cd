/** The values of a relation in responses: read only where they are shown. */

import type { Principal } from '../../../../domain/ports.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import { requireScope, scopeOf } from '../../../../domain/scopes.ts';
import { isCode } from '../../../../domain/validation/errors.ts';
import { assertPresent } from '../../../http/pipeline/context.ts';
import { Slices } from '../../../scheduler/slices.ts';
import type { Projection } from '../resource/projection.ts';
import { maxRelated } from '../resource/relation.ts';
import type { ScimResource } from '../resource/resource.ts';
import type { Endpoint } from './service.ts';

/** @returns whether the response shows the relation @throws DomainError `insufficient-scope` */
export function authorizeRelation(
  { type }: Pick<Endpoint, 'type'>,
  principal: Principal,
  { wants }: Projection,
  isList = false,
): boolean {
  const { relation } = type;
  if (relation === undefined) return false;
  const wanted = wants(relation.name);
  const isUsual = relation.isWritable && !isList && !type.findAny(relation.name)?.attribute.hiddenBy;
  const isShown = wanted === 'asked' || (wanted === 'unsaid' && isUsual);
  if (isShown) requireScope(principal, relation.scope);
  return isShown;
}

/** Undefined for a resource without one, and for one that can't be read: the other values are still shown. */
function displayNameOf(one: Stored<Resource>): unknown {
  try {
    return one.read(() => Reflect.get(one.value, 'displayName'));
  } catch (error) {
    if (isCode(error, 'damaged')) return undefined;
    throw error;
  }
}

/** The number of values read for each resource, if several resources are shown. A resource with as many values is read again by itself. */
const valuesOfEach = 128;

/** The number of values whose names are read at a time. */
const namesAtOnce = 100;

/** The names by id. Undefined for a client that may not see them. */
type Names = ReadonlyMap<string, unknown> | undefined;

/** @returns the names of the resources that still exist */
async function readNames(
  endpoint: Endpoint,
  principal: Principal,
  values: readonly string[],
): Promise<Names> {
  const { to } = assertPresent(endpoint.type.relation);
  const { resources } = assertPresent(endpoint.related);
  if (!principal.scopes.has(scopeOf(to.kind.name, 'read'))) return undefined;
  const ids = [...new Set(values)];
  const names = new Map<string, unknown>();
  for (let from = 0; from < ids.length; from += namesAtOnce) {
    const found = await resources.readAll(principal, ids.slice(from, from + namesAtOnce));
    for (const [id, one] of found) names.set(id, displayNameOf(one));
  }
  return names;
}

async function toValues(
  { type, service }: Endpoint,
  { id: client }: Principal,
  ids: readonly string[],
  names: Names,
) {
  const { to, type: typeOfValues } = assertPresent(type.relation);
  const slices = new Slices(client);
  const values: object[] = [];
  for (const value of ids.toSorted()) {
    // Deleted meanwhile.
    if (names?.has(value) === false) continue;
    values.push({
      value,
      ...(names && { display: names.get(value) }),
      type: typeOfValues,
      $ref: service.url(`${to.endpoint}/${value}`),
    });
    await slices.pause();
  }
  return values;
}

/** Adds the relation to a resource, in front of `meta`, unless it has more than `maxRelated` values. */
export type AddRelated = (
  stored: Stored<Resource>,
  resource: ScimResource,
) => Promise<{
  readonly resource: ScimResource;
  /** The number of values that were read, even if they are too many to be shown. */
  readonly read: number;
}>;

const mayBeShown = ({ membership }: Stored<Resource>): boolean =>
  (membership?.memberCount ?? 0) <= maxRelated;

/** Reads the relation for all resources of a response together. @returns a function that adds it to one of them */
export async function readRelated(
  endpoint: Endpoint,
  principal: Principal,
  shown: readonly Stored<Resource>[],
): Promise<AddRelated> {
  const { name } = assertPresent(endpoint.type.relation);
  const most = shown.length === 1 ? maxRelated + 1 : valuesOfEach;
  const ids = shown.filter(mayBeShown).map(({ id }) => id);
  const related = await assertPresent(endpoint.related).read(principal, ids, most);
  const whole = [...related.values()].filter(({ length }) => length < most);
  const names = await readNames(endpoint, principal, whole.flat());
  return async (stored, { meta, ...resource }) => {
    const values = related.get(stored.id) ?? [];
    if (values.length === valuesOfEach && most === valuesOfEach)
      return (await readRelated(endpoint, principal, [stored]))(stored, { ...resource, meta });
    const isShown = mayBeShown(stored) && values.length <= maxRelated;
    const member = isShown && { [name]: await toValues(endpoint, principal, values, names) };
    return { resource: { ...resource, ...member, meta }, read: values.length };
  };
}
