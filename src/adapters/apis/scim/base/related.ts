/** The values of a relation in responses: read only where they are shown. */
import { isCode } from '../../../../domain/base/errors.ts';
import type { Principal } from '../../../../domain/ports.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import { requireScope, scopeOf } from '../../../../domain/scopes.ts';
import { Slices } from '../../../scheduler/slices.ts';
import type { Projection } from '../resource/projection.ts';
import { maxRelated } from '../resource/relation.ts';
import type { ScimResource } from '../resource/resource.ts';
import type { Endpoint } from './service.ts';

/** @returns whether the response shows the relation @throws DomainError `insufficient-scope` */
export function authorizeRelation(
  { type: { relation } }: Pick<Endpoint, 'type'>,
  principal: Principal,
  { wants }: Projection,
  isList = false,
): boolean {
  if (relation === undefined) return false;
  const wanted = wants(relation.name);
  const isShown = wanted === 'asked' || (wanted === 'unsaid' && relation.isWritable && !isList);
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

/** Undefined for more than `maxRelated`. */
async function readValues(
  endpoint: Endpoint,
  principal: Principal,
  { id, membership }: Stored<Resource>,
  onRead?: () => void,
) {
  const { related, service, type } = endpoint;
  const { relation } = type;
  if (related === undefined || relation === undefined) return undefined;
  if (membership !== undefined && membership.memberCount > maxRelated) return undefined;
  const isNamed = principal.scopes.has(scopeOf(relation.to.kind.name, 'read'));
  const slices = new Slices(principal.id);
  const values: object[] = [];
  for await (const batch of related.list(principal, id))
    for (const one of batch) {
      onRead?.();
      if (values.length === maxRelated) return undefined;
      values.push({
        value: one.id,
        ...(isNamed ? { display: displayNameOf(one) } : {}),
        type: relation.type,
        $ref: service.url(`${relation.to.endpoint}/${one.id}`),
      });
      await slices.pause();
    }
  return values;
}

/**
 * The resource with the values of its relation, in front of `meta`.
 * @param onRead called for each value that is read, also if the relation is left out
 */
export async function addRelated(
  endpoint: Endpoint,
  principal: Principal,
  stored: Stored<Resource>,
  { meta, ...resource }: ScimResource,
  onRead?: () => void,
): Promise<ScimResource> {
  const values = await readValues(endpoint, principal, stored, onRead);
  const name = endpoint.type.relation?.name ?? '';
  return { ...resource, ...(values === undefined ? {} : { [name]: values }), meta };
}
