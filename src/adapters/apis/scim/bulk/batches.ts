/**
 * Decides in which order the operations of a Bulk run, and which of them concurrently. RFC 7644 §3.7 allows this if the result is the same as in sequence, as it
 * is except for members (`planOperations`). Operations run separately if they write the same resource, refer to each other, or if one may take a unique name that the other frees.
 */
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { isNamed } from '../resource/fold-name.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import { type BulkOperation, referencePath, referencesIn } from './request.ts';

/** The store commits these together. */
const atOnce = 32;

/** In UTF-16 code units. Longer names are invalid, and not mapped, since mapping them is slow. */
const maxNameLength = 256;

/** The effect of an operation on taken names: a PUT may free one and take another. */
type NameUse = 'takes' | 'frees' | 'both' | 'none';

function nameUseOf({ method, data, endpoint }: BulkOperation): NameUse {
  if (endpoint === undefined) return 'none';
  if (method === 'POST') return 'takes';
  if (method === 'DELETE') return 'frees';
  const member = endpoint.type.kind.unique.member.toLowerCase();
  const text = JSON.stringify(data) ?? '';
  return method === 'PATCH' && !text.toLowerCase().includes(member) ? 'none' : 'both';
}

/** Core attributes may also be in an object under the core URN. */
const coreMembers = (data: unknown, { schema }: ResourceType): readonly [string, unknown][] =>
  (isObject(data) ? Object.entries(data) : []).flatMap(([key, value]): [string, unknown][] =>
    isObject(value) && isNamed(key, schema.id) ? Object.entries(value) : [[key, value]],
  );

/** Undefined if there is no name or it isn't a string: then the operation fails and takes no name. */
function nameIn(data: unknown, type: ResourceType): string | undefined {
  const { member, map } = type.kind.unique;
  const isName = ([key]: readonly [string, unknown]) => type.findAny(key)?.attribute.name === member;
  const [, name] = coreMembers(data, type).find(isName) ?? [];
  if (typeof name !== 'string') return undefined;
  return name.length > maxNameLength ? name : map(name);
}

/** Of two operations with a common target, the first must finish before the second starts, whichever creates the resource. */
function targetsOf({ method, path, endpoint, bulkId, data }: BulkOperation): readonly string[] {
  if (endpoint === undefined) return [];
  if (method !== 'POST') return [path.toLowerCase()];
  const name = nameIn(data, endpoint.type);
  return [
    ...(name === undefined ? [] : [`name ${path} ${name}`]),
    ...(bulkId === undefined ? [] : [referencePath(path, bulkId).toLowerCase()]),
  ];
}

/** An operation, and what decides with which others it can run. */
interface Planned {
  readonly operation: BulkOperation;
  /** The bulkIds that it refers to. */
  readonly references: readonly string[];
  readonly targets: readonly string[];
  readonly use: NameUse;
}

const plan = (operation: BulkOperation): Planned => ({
  operation,
  references: referencesIn(operation.data),
  targets: targetsOf(operation),
  use: nameUseOf(operation),
});

const hasMembers = ({ operation: { endpoint } }: Planned): boolean =>
  endpoint?.type.relation?.isWritable === true;

/**
 * In the order of the request, except that members are created before the first operation on a group that refers to them, and so before
 * operations in between, as docs/scim.md says. Runs in steps, since each operation is searched for references.
 */
export function* planOperations(
  operations: readonly BulkOperation[],
): Generator<void, readonly Planned[], void> {
  const planned: Planned[] = [];
  for (const operation of operations) {
    planned.push(plan(operation));
    yield;
  }
  const members = planned.filter((one) => one.operation.method === 'POST' && !hasMembers(one));
  const creations = new Map(members.map((one) => [one.operation.bulkId, one]));
  const ordered = new Set<Planned>();
  for (const one of planned) {
    const named = hasMembers(one) ? one.references : [];
    for (const creation of named.flatMap((bulkId) => creations.get(bulkId) ?? [])) ordered.add(creation);
    ordered.add(one);
    yield;
  }
  return [...ordered];
}

/** @param most the maximum number of operations, so that no more than allowed can fail; at most `atOnce` are taken */
export function takeBatch(planned: readonly Planned[], most: number): readonly BulkOperation[] {
  const batch: BulkOperation[] = [];
  const [taken, bulkIds] = [new Set<string>(), new Set<string>()];
  let useOfBatch: NameUse = 'none';
  for (const { operation, references, targets, use } of planned.slice(0, Math.min(atOnce, most))) {
    const isFree = use === 'none' || useOfBatch === 'none' || (use === useOfBatch && use !== 'both');
    const mustWait = targets.some((target) => taken.has(target)) || references.some((id) => bulkIds.has(id));
    if (!isFree || mustWait) break;
    batch.push(operation);
    for (const target of targets) taken.add(target);
    if (operation.bulkId !== undefined) bulkIds.add(operation.bulkId);
    if (use !== 'none') useOfBatch = use;
  }
  return batch;
}
