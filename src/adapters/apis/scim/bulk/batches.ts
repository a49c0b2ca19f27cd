/**
 * Decides in which order the operations of a Bulk run, and which of them concurrently. RFC 7644 §3.7 allows this if the result is the same as in sequence, as it
 * is except for members (`orderOperations`). Operations run separately if they write the same resource, refer to each other, or if one may take a unique name that the other frees.
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

class Batch {
  readonly operations: BulkOperation[] = [];
  readonly #targets = new Set<string>();
  readonly #bulkIds = new Set<string>();
  #use: NameUse = 'none';

  /** Returns false if the operation must wait for the batch. */
  add(operation: BulkOperation): boolean {
    const { data, bulkId } = operation;
    const [use, targets] = [nameUseOf(operation), targetsOf(operation)];
    const isFree = use === 'none' || this.#use === 'none' || (use === this.#use && use !== 'both');
    if (!isFree || targets.some((target) => this.#targets.has(target))) return false;
    if (referencesIn(data).some((bulkId) => this.#bulkIds.has(bulkId))) return false;
    this.operations.push(operation);
    for (const target of targets) this.#targets.add(target);
    if (bulkId !== undefined) this.#bulkIds.add(bulkId);
    if (use !== 'none') this.#use = use;
    return true;
  }
}

const hasMembers = ({ endpoint }: BulkOperation): boolean => endpoint?.type.relation?.isWritable === true;

/**
 * In the order of the request, except that members are created before the first operation on a group that refers to them, and so before
 * operations in between, as docs/scim.md says. Runs in steps, since each such operation is searched for references.
 */
export function* orderOperations(
  operations: readonly BulkOperation[],
): Generator<void, readonly BulkOperation[], void> {
  const creations = new Map(
    operations.flatMap((one) =>
      one.method === 'POST' && one.bulkId !== undefined ? [[one.bulkId, one]] : [],
    ),
  );
  const ordered = new Set<BulkOperation>();
  for (const operation of operations) {
    if (hasMembers(operation))
      for (const bulkId of referencesIn(operation.data)) {
        const creation = creations.get(bulkId);
        if (creation !== undefined && !hasMembers(creation)) ordered.add(creation);
      }
    ordered.add(operation);
    yield;
  }
  return [...ordered];
}

/**
 * Runs in steps, since each operation is searched for references.
 * @param most the maximum number of operations, so that no more than allowed can fail; at most `atOnce` are taken
 */
export function* takeBatch(
  operations: readonly BulkOperation[],
  most: number,
): Generator<void, readonly BulkOperation[], void> {
  const batch = new Batch();
  for (const operation of operations.slice(0, Math.min(atOnce, most))) {
    if (!batch.add(operation)) break;
    yield;
  }
  return batch.operations;
}
